// The bytes of a file, unpacked where gzip packed it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scenes/files/input_file.h"

namespace warpview {

class UnpackedFile {
 public:
  // What begins like a gzip file is one, whatever its name.
  explicit UnpackedFile(InputFile file);
  ~UnpackedFile();
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  const std::filesystem::path& path() const { return file_.path(); }
  bool has_changed() const { return file_.has_changed(); }
  // From 0 to 1, in packed bytes; 0 for a file that claims to be empty, and is not.
  double fraction_read() const;
  // Reads on until `into` is full or the file ends; returns how many bytes. A packed file that ends
  // early ends here, too. Error when it cannot be read or unpacked.
  std::size_t read(std::span<char> into);

 private:
  struct Stream;  // zlib's

  bool refill();

  InputFile file_;
  std::vector<char> packed_;  // read, but not unpacked: from begin_ on
  std::size_t begin_ = 0;
  std::uint64_t bytes_read_ = 0;
  std::unique_ptr<Stream> stream_;  // null: it is not packed
};

}  // namespace warpview
