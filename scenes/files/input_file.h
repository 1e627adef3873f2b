// A file to be read, opened once: what is asked about it and what is read are of the same file,
// whatever happens to its name meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <span>

namespace warpview {

// What can be opened, for messages.
inline constexpr const char* readable_files = "OBJ, PLY, SVG or scene file";

// Error: there is nothing in the file.
[[noreturn]] void throw_empty(const std::filesystem::path& path);

class InputFile {
 public:
  // Error when `path` is no regular file that can be opened.
  explicit InputFile(std::filesystem::path path);
  // The file, if there is a regular one of that name. Error when it is there but cannot be opened.
  static std::optional<InputFile> find(const std::filesystem::path& path);

  InputFile(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  const std::filesystem::path& path() const { return path_; }
  // In bytes, when it was opened.
  std::uint64_t size() const { return size_; }
  // Was it written, or its size changed, since it was opened?
  bool has_changed() const;
  // Another descriptor of the open file, which the caller closes. Error where the system has none.
  int duplicate() const;
  // Reads on until `into` is full or the file ends; returns how many bytes. Error when it cannot be
  // read.
  std::size_t read(std::span<char> into);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  timespec modified_{};
};

}  // namespace warpview
