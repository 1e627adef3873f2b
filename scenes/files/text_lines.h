// A std::streambuf that reads a text file line by line, and looks at each line before the parser
// behind it does.
//
// tinyobjloader turns `nan` and `inf` into 0 without a word and offers neither progress nor cancel.
// Reading through this buffer gives all of that: a subclass's `accept` sees a whole line while the
// file's position is known, and because only one line at a time is exposed, a callback that the
// parser makes for a line runs while `line_number()` is still that line's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/input_file.h"

namespace warpview {

// Lines may end in LF, CRLF or CR; the parser always sees LF, also after a last line without an
// end. A backslash at the end of a line, comments excepted, joins it to the next; at the end of the
// file it joins the line to nothing. A byte order mark is skipped.
class TextLines : public std::streambuf {
 public:
  // Called after each block that is read, with the fraction of the file that has been read. What
  // it throws leaves through the stream (whose exceptions() must include badbit).
  using Observer = std::function<void(double)>;

  TextLines(InputFile file, Observer observer);

  const std::filesystem::path& path() const { return file_.path(); }
  std::uint64_t file_size() const { return file_.size(); }
  // So far, in bytes. Some of the system's files say that they are empty, and are not.
  std::uint64_t bytes_read() const { return bytes_read_; }
  // Of the line last exposed, from 1; of its first part when it was joined.
  std::uint64_t line_number() const { return line_number_; }
  // "path:line", for messages.
  std::string here() const;

 protected:
  // May shorten the line and keep what it learns of it. The parser sees it if true is returned.
  virtual bool accept(std::string_view& line) = 0;
  // Fills `part` of the line that accept() was given.
  void overwrite(std::string_view part, char with);

  int_type underflow() override;

 private:
  // Finds the next line, [begin_, line_end_) of the buffer. False at the end of the file. Error
  // when it holds a byte 0, which no text does.
  bool next_line();
  // Reads a block behind end_, first moving the unfinished line to the front of the buffer. False
  // at the end of the file. Error when the file cannot be read.
  bool refill();

  Observer observer_;
  InputFile file_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_joined_ = 1;  // how many lines of the file the current one is made of
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // first byte of the current line
  std::size_t line_end_ = 0;  // behind its last byte
  std::size_t next_ = 0;      // first byte of the next line
  std::size_t end_ = 0;       // behind the last byte read; there is room for one more
};

// Cuts the next word (separated by spaces and tabs) off the front of `text`; empty at its end.
std::string_view next_word(std::string_view& text);
// `text` without spaces and tabs at either end.
std::string_view trimmed(std::string_view text);
// Is `word` a decimal number, as `-1.5e-3`? Not nan, inf or hexadecimal, nor with an exponent of
// more than eight digits. It may still be too large for a float.
bool is_number(std::string_view word);
// "1 vertex", "2 vertices".
std::string counted(std::uint64_t n, std::string_view one, std::string_view several);
// A name of a file for a message: of a long one its first and its last bytes, with "..." between
// them. No UTF-8 character is cut.
std::string shortened(std::string_view name);

}  // namespace warpview
