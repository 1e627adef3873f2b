// Expansion: every item gets as many places in the output as it asks for.
#pragma once

#include <cstdint>

namespace warpview {

// Item i asks for counts[i] places, and writes its number to those that it gets: they stand side by
// side, and those of all items one behind the other. In the order of the items, or, where a
// variant's row says that the order varies, in any order of items.
//
// *total is how many places are asked for, together below 2^32. What finds no place in
// out[0, capacity) is dropped; what lies there behind the last place that was asked for is
// undefined afterwards.
struct ExpandArgs {
  const std::uint32_t* counts = nullptr;
  std::uint32_t n = 0;  // at most 2^28
  std::uint32_t* out = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t* total = nullptr;  // device memory, one element
};

}  // namespace warpview
