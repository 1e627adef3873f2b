// Numbers with as many digits as can be read at a glance.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "gpu/runtime/digits.h"

namespace warpview {

// Three significant digits, "1.32", "41.7", "213"; for numbers from 1. All digits from 1000.
inline std::string three_digits(double x) {
  return x < 9.995   ? fmt::format("{:.2f}", x)
         : x < 99.95 ? fmt::format("{:.1f}", x)
                     : fmt::format("{:.0f}", x);
}

// Groups the digits of the first number in a text: "20 000 steps/s" of "20000 steps/s".
inline std::string with_groups(std::string text) {
  constexpr const char* digits = "0123456789";
  const std::size_t from = text.find_first_of(digits);
  if (from == std::string::npos) return text;
  const std::size_t to = std::min(text.find_first_not_of(digits, from), text.size());
  for (std::size_t at = to; at > from + 3;) text.insert(at -= 3, " ");
  return text;
}

}  // namespace warpview
