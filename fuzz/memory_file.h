// Files that lie in memory and have a path, for functions that open what they read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace warpview::fuzz {

using Bytes = std::span<const std::uint8_t>;

// A regular file without a name on any disk. Ends the program where the system gives none.
class MemoryFile {
 public:
  MemoryFile();
  // Its number is `descriptor`: a file beside it names it so.
  explicit MemoryFile(int descriptor);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // What it holds from now on.
  void write(Bytes bytes);

 private:
  int descriptor_ = -1;
  std::filesystem::path path_;  // /proc/self/fd/<number>
};

// Cuts the input at lines that hold "%%" alone: into `count` parts, of which the last may hold such
// lines. Those that are missing are empty.
std::vector<Bytes> parts_of(Bytes input, std::size_t count);

std::string_view text_of(Bytes bytes);

}  // namespace warpview::fuzz
