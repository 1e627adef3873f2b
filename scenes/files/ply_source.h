// The data of a PLY file, number by number.
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

  // Reads the header, and is at the data then. Error, with the line, where it is malformed or ends.
  PlyHeader read_header();

  // The next number of this type, in the format of the header; none where the file has ended. NaN
  // for a word that is no number.
  std::optional<double> next(PlyType type) {
    if (format_ == PlyFormat::ascii) return next_word();
    return next_binary(type);
  }

  // A record of an ASCII file has ended, and with it its line. True: something else stood there.
  bool end_record();

  bool has_changed() const { return file_.has_changed(); }
  double fraction_read() const { return file_.fraction_read(); }
  // Line of the last word, from 1; 0 in a binary file.
  std::uint64_t line() const { return format_ == PlyFormat::ascii ? line_ : 0; }

 private:
  std::optional<double> next_word();
  std::optional<double> next_binary(PlyType type);
  // Moves the rest to the front and reads on behind it. False at the end of the file.
  bool read_more();
  // Are so many bytes at `at_`? Reads on for them.
  bool has(std::size_t bytes) {
    while (buffer_.size() - at_ < bytes)
      if (!read_more()) return false;
    return true;
  }
  // The next line of the header, without its end; none where the file ends or it is too long.
  std::optional<std::string_view> next_line();

  UnpackedFile file_;
  PlyFormat format_ = PlyFormat::ascii;
  std::vector<char> buffer_;  // read; used up before at_
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::string_view line_end_;  // of the header: LF, CR LF or CR; empty: not known yet
};

}  // namespace warpview
