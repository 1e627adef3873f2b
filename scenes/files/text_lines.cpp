#include "scenes/files/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// Read at a time: of a small file all of it.
constexpr std::size_t block_bytes = std::size_t{1} << 17U;
constexpr std::size_t least_block_bytes = std::size_t{1} << 12U;
constexpr std::string_view blanks = " \t";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Behind the last line end in [from, end) of a text that joins nothing; null where there is none. A
// CR as the text's last byte is not known to be one: LF may follow.
const char* last_line_end(const char* text, const char* from, const char* end) {
  for (const char* c = end; c-- > from;) {
    if (*c != '\n' && (*c != '\r' || c + 1 == end || c[1] == '\n')) continue;
    const char* before = c;
    if (*c == '\n' && before > text && before[-1] == '\r') --before;
    if (before == text || before[-1] != '\\') return c + 1;
  }
  return nullptr;
}

// The first of the bytes [at, end) that is at most `most`, which is below 128; `end` if none is.
char* skip_above(char* at, const char* end, char most) {
  if constexpr (std::endian::native == std::endian::little) {
    // Eight at a time. Of those that are less a subtraction sets the highest bit; it may set that
    // of bytes behind the first of them, too.
    constexpr std::uint64_t each = 0x0101010101010101U;
    const std::uint64_t bound = each * (static_cast<unsigned char>(most) + 1U);
    while (end - at >= 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      if (const std::uint64_t less = (bytes - bound) & ~bytes & 0x80U * each; less != 0)
        return at + std::countr_zero(less) / 8;
      at += 8;
    }
  }
  const auto byte = [](char c) { return static_cast<unsigned char>(c); };
  while (at != end && byte(*at) > byte(most)) ++at;
  return at;
}

}  // namespace

TextBlocks::TextBlocks(InputFile file, Observer observer)
    : observer_(std::move(observer)), file_(std::move(file)) {}

bool TextBlocks::read_more(TextBlock& block) {
  const auto more = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(file_size(), least_block_bytes, block_bytes));
  block.bytes.resize(block.length + more + 1);
  const std::size_t got = file_.read({block.end(), more});
  if (bytes_read_ == 0 && std::string_view(block.begin(), got).starts_with(byte_order_mark)) {
    std::memmove(block.begin(), block.begin() + byte_order_mark.size(),
                 got - byte_order_mark.size());
    block.length -= byte_order_mark.size();
  }
  block.length += got;
  bytes_read_ += got;
  if (got > 0) {
    // The file may have grown since its size was asked.
    observer_(bytes_read_ < file_size()
                  ? static_cast<double>(bytes_read_) / static_cast<double>(file_size())
                  : 1.0);
  }
  return got > 0;
}

std::optional<TextBlock> TextBlocks::next() {
  TextBlock block{.bytes = std::exchange(rest_, {}), .length = 0};
  block.length = block.bytes.size();
  std::size_t searched = 0;
  for (;;) {
    if (!read_more(block)) {
      if (block.length == 0) return std::nullopt;
      return block;
    }
    if (const char* const cut =
            last_line_end(block.begin(), block.begin() + searched, block.end())) {
      rest_.assign(cut, static_cast<const char*>(block.end()));
      block.length = static_cast<std::size_t>(cut - block.begin());
      return block;
    }
    // What is no text may have no lines either.
    if (std::memchr(block.begin() + searched, 0, block.length - searched)) return block;
    searched = block.length > 0 ? block.length - 1 : 0;  // a CR there may be one yet
  }
}

LineCutter::LineCutter(TextBlock& block, std::uint64_t lines_before)
    : text_(block.begin()), end_(block.end()), line_number_(lines_before) {}

bool LineCutter::next(std::string_view& line) {
  line_number_ += lines_joined_;
  lines_joined_ = 1;
  char* const begin = text_;
  char* blank = begin;  // up to here, at least, are spaces and tabs
  // Is the line a comment, as far as `at`? Looks at each byte once, however many lines join.
  const auto is_comment = [&](const char* at) {
    while (blank < at && is_blank(*blank)) ++blank;
    return blank < at && *blank == '#';
  };
  const auto joins = [&](const char* at) {
    return at > begin && at[-1] == '\\' && !is_comment(at);
  };
  for (char* at = begin;;) {
    // Whatever ends a line, and the byte 0, is at most '\r'.
    at = skip_above(at, end_, '\r');
    if (at == end_) {
      if (joins(at)) at[-1] = ' ';  // to nothing
      text_ = end_;
      line = {begin, static_cast<std::size_t>(at - begin)};
      if (line.empty()) --line_number_;
      return !line.empty();
    }
    if (*at == '\0') {
      holds_zero_ = true;
      text_ = end_;
      return false;
    }
    if (*at != '\n' && *at != '\r') {
      ++at;
      continue;
    }
    const bool two_bytes = *at == '\r' && at + 1 < end_ && at[1] == '\n';
    char* const behind = at + (two_bytes ? 2 : 1);
    if (joins(at)) {
      std::fill(at - 1, behind, ' ');
      at = behind;
      ++lines_joined_;
      continue;
    }
    text_ = behind;
    line = {begin, static_cast<std::size_t>(at - begin)};
    return true;
  }
}

void throw_no_text(const std::filesystem::path& path, std::uint64_t line) {
  throw Error(fmt::format("{}:{}", path.string(), line),
              "contains a zero byte, so it is not a text file",
              "Open a Wavefront OBJ or MTL file in ASCII or UTF-8");
}

TextLines::TextLines(InputFile file, TextBlocks::Observer observer)
    : blocks_(std::move(file), std::move(observer)) {}

std::string TextLines::here() const { return fmt::format("{}:{}", path().string(), line_number()); }

TextLines::int_type TextLines::underflow() {
  for (;;) {
    std::string_view line;
    while (lines_.next(line)) {
      if (!accept(line)) continue;
      char* const first = block_.begin() + (line.data() - block_.begin());
      char* const last = first + line.size();
      *last = '\n';  // over the line's own end, what was cut off, or the spare byte
      setg(first, first, last + 1);
      return traits_type::to_int_type(*first);
    }
    if (lines_.holds_zero()) throw_no_text(path(), line_number());
    std::optional<TextBlock> next = blocks_.next();
    if (!next) break;
    block_ = *std::move(next);
    lines_ = LineCutter(block_, lines_.lines());
  }
  setg(nullptr, nullptr, nullptr);
  return traits_type::eof();
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

std::optional<float> finite_number(std::string_view word) {
  if (!is_number(word)) return std::nullopt;
  if (word.front() == '+') word.remove_prefix(1);
  float value = 0.0F;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc()) return std::nullopt;
  return value + 0.0F;
}

bool has_ending(std::string_view name, std::string_view ending) {
  if (name.size() <= ending.size()) return false;
  return std::ranges::equal(ending, name.substr(name.size() - ending.size()),
                            [](char a, unsigned char b) { return a == std::tolower(b); });
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
