// Select: the items that pass a test, in their order.
#pragma once

#include <cstdint>

namespace warpview {

// An item passes if it is at most `at_most`. The items that pass are written to out, one behind the
// other, and their number to *count. `out` has room for all n (what lies behind the last one
// written is undefined) and does not overlap `in`.
struct SelectArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element
  std::uint32_t n = 0;
  std::uint32_t at_most = 0;
};

}  // namespace warpview
