#include "scenes/files/ply_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <span>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr std::size_t read_at_a_time = 1 << 17;
constexpr std::size_t longest_word = 512;  // a number with more digits is none

constexpr const char* remedy = "Write it again, or name another PLY file";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

template <class T>
double from_bytes(std::array<char, 8> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return static_cast<double>(value);
}

double double_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || failure == std::errc::invalid_argument)
    return std::numeric_limits<double>::quiet_NaN();
  if (failure == std::errc()) return value;
  // Out of range: too small, or too large.
  const bool is_tiny =
      word.find("e-") != std::string_view::npos || word.find("E-") != std::string_view::npos;
  return is_tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace

bool PlySource::read_more() {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + read_at_a_time);
  const std::size_t got = file_.read(std::span(buffer_).subspan(kept));
  buffer_.resize(kept + got);
  return got > 0;
}

std::optional<std::string_view> PlySource::next_line() {
  const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
  std::size_t length = 0;
  while (true) {
    while (at_ + length < buffer_.size() && !is_end(buffer_[at_ + length])) ++length;
    if (length > PlyHeaderReader::longest_line) return std::nullopt;
    // A CR may be followed by an LF.
    if (at_ + length + 1 < buffer_.size() || !read_more()) break;
  }
  const std::string_view rest =
      std::string_view(buffer_.data(), buffer_.size()).substr(at_ + length);
  if (rest.empty()) return std::nullopt;
  if (line_end_.empty())
    line_end_ = rest.starts_with("\r\n") ? "\r\n" : rest[0] == '\r' ? "\r" : "\n";
  const std::string_view line(buffer_.data() + at_, length);
  at_ += length + (rest.starts_with(line_end_) ? line_end_.size() : 1);
  return line;
}

PlyHeader PlySource::read_header() {
  PlyHeaderReader reader;
  constexpr std::uint64_t most_lines = 1'000'000;
  for (line_ = 1; line_ < most_lines; ++line_) {
    const std::optional<std::string_view> line = next_line();
    if (!line) break;
    try {
      if (reader.read(*line)) continue;
    } catch (const PlyHeaderReader::Malformed& malformed) {
      throw Error(fmt::format("{}:{}", file_.path().string(), line_), malformed.what, remedy);
    }
    PlyHeader header = reader.take();
    format_ = header.format;
    ++line_;
    return header;
  }
  if (line_ == 1 && buffer_.empty()) throw_empty(file_.path());
  const char* const why = line_ > 1 ? "the header does not end with the line end_header"
                                    : "a PLY file begins with a line of the word ply";
  throw Error(fmt::format("{}:{}", file_.path().string(), line_), why, remedy);
}

std::optional<double> PlySource::next_word() {
  while (true) {
    while (at_ < buffer_.size() && is_space(buffer_[at_])) line_ += buffer_[at_++] == '\n' ? 1 : 0;
    if (at_ < buffer_.size()) break;
    if (!read_more()) return std::nullopt;
  }
  std::size_t length = 0;
  while (true) {
    while (at_ + length < buffer_.size() && !is_space(buffer_[at_ + length])) ++length;
    if (at_ + length < buffer_.size() || length > longest_word || !read_more()) break;
  }
  const std::string_view word(buffer_.data() + at_, length);
  at_ += length;
  return double_of(word);
}

bool PlySource::end_record() {
  if (format_ != PlyFormat::ascii) return false;
  bool is_more = false;
  while (at_ < buffer_.size() || read_more()) {
    if (buffer_[at_] == '\n' || buffer_[at_] == '\r') break;
    is_more = is_more || !is_space(buffer_[at_]);
    ++at_;
  }
  return is_more;
}

std::optional<double> PlySource::next_binary(PlyType type) {
  const std::size_t bytes = size_of(type);
  if (!has(bytes)) return std::nullopt;
  std::array<char, 8> value{};
  std::copy_n(buffer_.data() + at_, bytes, value.data());
  at_ += bytes;
  static_assert(std::endian::native == std::endian::little);
  if (format_ == PlyFormat::big_endian)
    std::reverse(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(bytes));
  switch (type) {
    case PlyType::i8:
      return from_bytes<std::int8_t>(value);
    case PlyType::u8:
      return from_bytes<std::uint8_t>(value);
    case PlyType::i16:
      return from_bytes<std::int16_t>(value);
    case PlyType::u16:
      return from_bytes<std::uint16_t>(value);
    case PlyType::i32:
      return from_bytes<std::int32_t>(value);
    case PlyType::u32:
      return from_bytes<std::uint32_t>(value);
    case PlyType::f32:
      return from_bytes<float>(value);
    case PlyType::f64:
      return from_bytes<double>(value);
  }
  return std::nullopt;
}

}  // namespace warpview
