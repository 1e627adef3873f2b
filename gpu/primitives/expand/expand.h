// Expansion: every item gets as many slots in the output as it requests.
#pragma once

#include <cstdint>

namespace warpview {

// Item i requests counts[i] slots, and writes its index to those that it gets. An item's slots are
// contiguous, and so are those of all items, in the order of the items or, where the catalogue says
// that a variant's order varies, in any order of items.
//
// *total is the number of slots requested, below 2^32. Slots beyond out[0, capacity) are dropped;
// elements of out after the last requested slot are undefined.
struct ExpandArgs {
  const std::uint32_t* counts = nullptr;
  std::uint32_t n = 0;  // at most 2^28
  std::uint32_t* out = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t* total = nullptr;  // device memory, one element
};

}  // namespace warpview
