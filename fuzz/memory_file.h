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

// A regular file without a name on any disk. Ends the program if the system gives none.
class MemoryFile {
 public:
  MemoryFile();
  // Its number is `descriptor`: a file that refers to it uses that number as its name.
  explicit MemoryFile(int descriptor);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Replaces its contents.
  void write(Bytes bytes);

 private:
  int descriptor_ = -1;
  std::filesystem::path path_;  // /proc/self/fd/<number>
};

// Cuts the input at lines that hold "%%" alone: into `count` parts, the last of which may hold such
// lines. Missing parts are empty.
std::vector<Bytes> parts_of(Bytes input, std::size_t count);

std::string_view text_of(Bytes bytes);

}  // namespace warpview::fuzz
