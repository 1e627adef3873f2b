#include "fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace warpview::fuzz {
namespace {

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(memfd_create("warpview-fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) give_up("memfd_create");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::MemoryFile(int descriptor) : MemoryFile() {
  if (dup2(descriptor_, descriptor) < 0) give_up("dup2");
  close(descriptor_);
  descriptor_ = descriptor;
  path_ = "/proc/self/fd/" + std::to_string(descriptor);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

void MemoryFile::write(Bytes bytes) {
  if (ftruncate(descriptor_, 0) != 0) give_up("ftruncate");
  off_t at = 0;
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), at);
    if (written < 0) give_up("pwrite");
    at += written;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::vector<Bytes> parts_of(Bytes input, std::size_t count) {
  constexpr std::string_view mark = "\n%%\n";
  std::vector<Bytes> parts;
  while (parts.size() + 1 < count) {
    const std::size_t at = text_of(input).find(mark);
    if (at == std::string_view::npos) break;
    parts.push_back(input.first(at + 1));  // with the end of its last line
    input = input.subspan(at + mark.size());
  }
  parts.push_back(input);
  parts.resize(count);
  return parts;
}

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace warpview::fuzz
