// Numbers with as many digits as people read at a glance.
#pragma once

#include <fmt/format.h>

#include <string>

#include "gpu/runtime/digits.h"

namespace warpview {

// Three significant digits, "1.32", "41.7", "213", as far as there are so many; for numbers from 1.
inline std::string three_digits(double x) {
  return x < 9.995   ? fmt::format("{:.2f}", x)
         : x < 99.95 ? fmt::format("{:.1f}", x)
                     : fmt::format("{:.0f}", x);
}

}  // namespace warpview
