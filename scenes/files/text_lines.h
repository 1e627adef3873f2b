// Text files, cut into lines.
//
// A file is read in blocks of whole lines, so that several threads may look at them at a time. What
// a library is to parse goes line by line through a stream buffer, which looks at each line first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/input_file.h"

namespace warpview {

// Some whole lines of a text file.
struct TextBlock {
  std::vector<char> bytes;  // one more than the text has
  std::size_t length = 0;   // of the text

  char* begin() { return bytes.data(); }
  char* end() { return bytes.data() + length; }
};

// Reads a text file block by block, each as large as it takes to end with a line that joins no
// other, or to hold a byte 0 where it has no such line. A byte order mark is skipped.
class TextBlocks {
 public:
  // Called after each read, with the fraction of the file that has been read.
  using Observer = std::function<void(double)>;

  TextBlocks(InputFile file, Observer observer);

  const std::filesystem::path& path() const { return file_.path(); }
  std::uint64_t file_size() const { return file_.size(); }
  // Bytes read so far. Some of the system's files claim to be empty, and are not.
  std::uint64_t bytes_read() const { return bytes_read_; }
  bool file_has_changed() const { return file_.has_changed(); }

  // None at the end of the file. Error when it cannot be read.
  std::optional<TextBlock> next();

 private:
  // Reads on behind what `block` holds. False at the end of the file.
  bool read_more(TextBlock& block);

  Observer observer_;
  InputFile file_;
  std::uint64_t bytes_read_ = 0;
  std::vector<char> rest_;  // of what was read, behind the last block
};

// Cuts a block into lines, which end in LF, CRLF or CR. A backslash at the end of a line, comments
// excepted, joins it to the next; at the end of the file it joins the line to nothing.
class LineCutter {
 public:
  LineCutter() = default;
  // Cuts a block after `lines_before` lines. The block is changed where lines are joined, and must
  // live as long as this.
  explicit LineCutter(TextBlock& block, std::uint64_t lines_before = 0);

  // False at the end of the block. Bytes 0, which no text holds, end it too: see holds_zero().
  bool next(std::string_view& line);
  // Number of the line last cut, from 1; of its first part when it was joined.
  std::uint64_t line_number() const { return line_number_; }
  // Lines of the file up to the last one that was cut, those before the block included.
  std::uint64_t lines() const { return line_number_ + lines_joined_ - 1; }
  // Did a byte 0 end the block? Then line_number() is that of its line.
  bool holds_zero() const { return holds_zero_; }

 private:
  char* text_ = nullptr;  // what has not been cut
  char* end_ = nullptr;
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_joined_ = 1;  // how many lines of the file the current one is made of
  bool holds_zero_ = false;
};

// Error with the line of a file in which a byte 0 stands.
[[noreturn]] void throw_no_text(const std::filesystem::path& path, std::uint64_t line);

// A std::streambuf that reads a text file line by line, and looks at each line before the parser
// behind it does.
//
// tinyobjloader turns `nan` and `inf` into 0 without a word and offers neither progress nor cancel.
// Reading through this buffer gives all of that: a subclass's `accept` sees a whole line while the
// file's position is known, and because only one line at a time is exposed, a callback that the
// parser makes for a line runs while `line_number()` is still that line's. The parser always sees
// LF, also after a last line without an end.
class TextLines : public std::streambuf {
 public:
  // What the observer throws leaves through the stream (whose exceptions() must include badbit).
  TextLines(InputFile file, TextBlocks::Observer observer);

  const std::filesystem::path& path() const { return blocks_.path(); }
  bool file_has_changed() const { return blocks_.file_has_changed(); }
  // Number of the line last exposed, from 1; of its first part when it was joined.
  std::uint64_t line_number() const { return lines_.line_number(); }
  // "path:line", for messages.
  std::string here() const;

 protected:
  // May shorten the line and keep what it learns of it. The parser sees it if true is returned.
  virtual bool accept(std::string_view& line) = 0;

  int_type underflow() override;

 private:
  TextBlocks blocks_;
  TextBlock block_;
  LineCutter lines_;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Cuts the next word (separated by spaces and tabs) off the front of `text`; empty at its end.
std::string_view next_word(std::string_view& text);
// `text` without spaces and tabs at either end.
std::string_view trimmed(std::string_view text);
// Is `word` a decimal number, as `-1.5e-3`? Not nan, inf or hexadecimal, nor with an exponent of
// more than eight digits. It may still be too large for a float.
bool is_number(std::string_view word);
// The nearest float; none where `word` is no number, or too large or too small for any. -0 is 0.
std::optional<float> finite_number(std::string_view word);
// Does the name of a file end so, in small or capital letters, and have more than that? `ending` in
// small letters.
bool has_ending(std::string_view name, std::string_view ending);
// "1 vertex", "2 vertices".
std::string counted(std::uint64_t n, std::string_view one, std::string_view several);
// A name of a file for a message: of a long one its first and its last bytes, with "..." between
// them. No UTF-8 character is cut.
std::string shortened(std::string_view name);

}  // namespace warpview
