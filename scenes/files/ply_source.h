// Reads a PLY file: its header, then its numbers one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/files/ply_header.h"
#include "scenes/files/unpacked_file.h"

namespace warpview {

class PlySource {
 public:
  explicit PlySource(InputFile file) : file_(std::move(file)) {}

  // Call it first. Error, with the line, if the header is malformed or has no end.
  PlyHeader read_header();

  // Returns the next number, which a binary file holds as this type; none at the end of the file,
  // NaN for a word that is not a number.
  std::optional<double> next(PlyType type) {
    if (format_ == PlyFormat::ascii) return next_word();
    return next_binary(type);
  }

  // Call it after each record: skips the rest of its line in an ASCII file. Returns true if there
  // was more than blanks.
  bool end_record();

  bool has_changed() const { return file_.has_changed(); }
  double fraction_read() const { return file_.fraction_read(); }
  // Line of the last word, from 1; 0 in a binary file.
  std::uint64_t line() const { return format_ == PlyFormat::ascii ? line_ : 0; }

 private:
  std::optional<double> next_word();
  std::optional<double> next_binary(PlyType type);
  // Reads more behind what is left of the buffer. Returns false at the end of the file.
  bool read_more();
  // Makes this many bytes available at `at_`. Returns false if the file ends before.
  bool has(std::size_t bytes) {
    while (buffer_.size() - at_ < bytes)
      if (!read_more()) return false;
    return true;
  }
  // Returns the next line of the header, without its end; none if it has no end or is too long.
  std::optional<std::string_view> next_line();

  UnpackedFile file_;
  PlyFormat format_ = PlyFormat::ascii;
  std::vector<char> buffer_;  // the part before at_ has been used
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::string_view line_end_;  // of the header: LF, CR LF or CR; empty before the first
};

}  // namespace warpview
