#include "scenes/files/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// Read at a time: of a small file all of it.
constexpr std::size_t block_bytes = std::size_t{1} << 17U;
constexpr std::size_t least_block_bytes = std::size_t{1} << 12U;
constexpr std::string_view blanks = " \t";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

TextLines::TextLines(InputFile file, Observer observer)
    : observer_(std::move(observer)), file_(std::move(file)) {}

std::string TextLines::here() const { return fmt::format("{}:{}", path().string(), line_number_); }

void TextLines::overwrite(std::string_view part, char with) {
  if (part.empty()) return;
  std::memset(buffer_.data() + (part.data() - buffer_.data()), with, part.size());
}

TextLines::int_type TextLines::underflow() {
  while (next_line()) {
    const std::string_view whole(buffer_.data() + begin_, line_end_ - begin_);
    std::string_view line = whole;
    if (!accept(line)) continue;
    char* const first = buffer_.data() + begin_ + (line.data() - whole.data());
    char* const last = first + line.size();
    *last = '\n';  // over the line's own end, what was cut off, or the spare byte
    setg(first, first, last + 1);
    return traits_type::to_int_type(*first);
  }
  setg(nullptr, nullptr, nullptr);
  return traits_type::eof();
}

bool TextLines::next_line() {
  line_number_ += lines_joined_;
  if (line_number_ == 1 && next_ == 0) {
    refill();
    if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark))
      next_ = byte_order_mark.size();
  }
  lines_joined_ = 1;
  begin_ = next_;
  // Positions count from begin_, since refill() moves the line.
  std::size_t blank = 0;  // so many bytes in front, at least, are spaces and tabs
  // Is the line a comment, as far as it is read? Looks at each byte once, however many lines join.
  const auto is_comment = [&](std::size_t length) {
    while (blank < length && blanks.find(buffer_[begin_ + blank]) != std::string_view::npos)
      ++blank;
    return blank < length && buffer_[begin_ + blank] == '#';
  };
  const auto ends_in_backslash = [&](std::size_t length) {
    return length > 0 && buffer_[begin_ + length - 1] == '\\';
  };
  for (std::size_t length = 0;;) {
    // Whatever ends a line, and the byte 0, is at most '\r'.
    while (begin_ + length<end_&& static_cast<unsigned char>(buffer_[begin_ + length])> '\r')
      ++length;
    if (begin_ + length == end_) {
      if (refill()) continue;
      // With nothing to join to.
      if (ends_in_backslash(length) && !is_comment(length)) buffer_[end_ - 1] = ' ';
      line_end_ = next_ = end_;
      return length > 0;
    }
    const char c = buffer_[begin_ + length];
    if (c == '\0')
      throw Error(here(), "holds a byte 0, so this is not a text file",
                  "Name a Wavefront OBJ or MTL file in ASCII or UTF-8");
    if (c != '\n' && c != '\r') {
      ++length;
      continue;
    }
    if (c == '\r' && begin_ + length + 1 == end_) refill();
    const bool two_bytes =
        c == '\r' && begin_ + length + 1 < end_ && buffer_[begin_ + length + 1] == '\n';
    const std::size_t end_bytes = two_bytes ? 2 : 1;

    if (ends_in_backslash(length) && !is_comment(length)) {
      std::memset(buffer_.data() + begin_ + length - 1, ' ', 1 + end_bytes);
      length += end_bytes;
      ++lines_joined_;
      continue;
    }
    line_end_ = begin_ + length;
    next_ = line_end_ + end_bytes;
    return true;
  }
}

bool TextLines::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const auto block = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(file_size(), least_block_bytes, block_bytes));
  if (buffer_.size() < end_ + block + 1)
    buffer_.resize(std::max(2 * buffer_.size(), end_ + block + 1));
  const std::size_t got = file_.read({buffer_.data() + end_, block});
  end_ += got;
  bytes_read_ += got;
  if (got > 0) {
    // The file may have grown since its size was asked.
    observer_(bytes_read_ < file_size()
                  ? static_cast<double>(bytes_read_) / static_cast<double>(file_size())
                  : 1.0);
  }
  return got > 0;
}

std::string_view next_word(std::string_view& text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(first);
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_number(std::string_view word) {
  std::size_t at = 0;
  const auto sign = [&] {
    if (at < word.size() && (word[at] == '-' || word[at] == '+')) ++at;
  };
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at - first;
  };

  sign();
  std::size_t mantissa_digits = digits();
  if (at < word.size() && word[at] == '.') {
    ++at;
    mantissa_digits += digits();
  }
  if (mantissa_digits == 0) return false;
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    sign();
    while (at + 1 < word.size() && word[at] == '0') ++at;
    const std::size_t exponent_digits = digits();
    if (exponent_digits == 0) return false;
    // tinyobjloader's exponent is an int, which a longer one overflows.
    constexpr std::size_t longest_exponent = 8;
    if (exponent_digits > longest_exponent) return false;
  }
  return at == word.size();
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

std::string shortened(std::string_view name) {
  constexpr std::size_t longest = 120;
  constexpr std::size_t kept = 56;  // at either end
  if (name.size() <= longest) return std::string(name);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
  };
  std::size_t first = kept;  // behind the beginning that is kept
  std::size_t last = name.size() - kept;
  constexpr int longest_character = 4;
  for (int i = 1; i < longest_character && continues(first); ++i) --first;
  for (int i = 1; i < longest_character && continues(last); ++i) ++last;
  return fmt::format("{}...{}", name.substr(0, first), name.substr(last));
}

}  // namespace warpview
