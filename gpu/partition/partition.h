// Partition: the items that pass a test to the front, the others to the back.
#pragma once

#include <cstdint>

namespace warpview {

// An item passes if it is at most `at_most`. The items that pass are written from the front of out
// on, in their order, and their number to *count. The others are written from its end backwards, so
// that they come out in reverse order: where the front ends is known to nobody before all items
// have been seen. `out` has room for n and does not overlap `in`.
struct PartitionArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element
  std::uint32_t n = 0;
  std::uint32_t at_most = 0;
};

}  // namespace warpview
