// The arguments of select and partition.
#pragma once

#include <cstdint>

namespace warpview {

// An item passes if it is at most `at_most`. `out` has room for all n and does not overlap `in`.
struct PassingArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element: the number that pass
  std::uint32_t n = 0;             // at most 2^31 - 1
  std::uint32_t at_most = 0;
};

}  // namespace warpview
