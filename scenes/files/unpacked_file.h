// The bytes of a file, unpacked if gzip packed it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "scenes/files/input_file.h"

struct gzFile_s;  // zlib's

namespace warpview {

// A file that begins as gzip's do is unpacked, whatever its name is.
class UnpackedFile {
 public:
  explicit UnpackedFile(InputFile file);

  const std::filesystem::path& path() const { return file_.path(); }
  bool has_changed() const { return file_.has_changed(); }
  // Fraction of the packed bytes, 0 to 1; 0 for a file of the system that claims to be empty.
  double fraction_read() const;
  // Reads until `into` is full or the file ends; returns the number of bytes. A packed file that
  // was cut off ends there. Error if the file cannot be read or unpacked.
  std::size_t read(std::span<char> into);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  InputFile file_;
  std::unique_ptr<gzFile_s, Close> gzip_;
};

}  // namespace warpview
