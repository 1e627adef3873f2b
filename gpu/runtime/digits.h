// Counts in words: the same in messages of the device's side, panels and tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpview {

// "1 234 567"
inline std::string group_digits(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t from_end = 3; from_end < text.size(); from_end += 4)
    text.insert(text.size() - from_end, " ");
  return text;
}

}  // namespace warpview
