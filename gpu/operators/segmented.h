// A scan that starts anew at each segment, as one operator.
//
// J. Schwartz, "Ultracomputers", 1980; G. Blelloch, "Prefix Sums and Their Applications", 1990.
#pragma once

#include <cstdint>

#include "gpu/operators/operator.h"

namespace warpview {

// Of a stretch of items: how many segments begin in it, and the sum of the values in the last of
// these or, where none begins, of them all.
template <class Value>
struct alignas(8) Stretch {
  std::uint32_t heads;
  Value sum;
};

// Values of a type of 4 bytes are combined by `Operator`, a sum. The order matters.
template <class Operator>
struct Segmented {
  using Type = Stretch<typename Operator::Type>;
  static constexpr bool commutative = false;
  HOST_DEVICE static constexpr Type identity() { return {0, Operator::identity()}; }
  HOST_DEVICE static constexpr Type combine(Type earlier, Type later) {
    return {earlier.heads + later.heads,
            later.heads > 0 ? later.sum : Operator::combine(earlier.sum, later.sum)};
  }
};

}  // namespace warpview
