#include "app/message.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace warpview {
namespace {

// How long the character is that `text` begins with, if it is UTF-8 and no control character; else
// 0.
std::size_t printable_character(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0U) != 0x80U) return 0;
    code = code << 6U | (byte(at) & 0x3fU);
  }
  // What could have been written shorter, halves of UTF-16's pairs, and no character at all.
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool none = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  // Control characters again, and those that end a line or turn the writing around.
  const bool control = code < 0xa0 || code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
                       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return overlong || none || control ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::size_t length = printable_character(text);
    if (length > 0) {
      shown += text.substr(0, length);
    } else if (text.front() == '\n') {
      length = 1;
      shown += "\\n";
    } else {
      length = 1;
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(length);
  }
  return shown;
}

}  // namespace warpview
