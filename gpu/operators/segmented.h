// A scan that restarts at each segment, as one operator.
//
// J. Schwartz, "Ultracomputers", 1980; G. Blelloch, "Prefix Sums and Their Applications", 1990.
#pragma once

#include <cstdint>

#include "gpu/operators/operator.h"

namespace warpview {

// Describes a stretch of items: how many segments begin in it, and the sum of the values in the
// last of them or, where none begins, of all values.
template <class Value>
struct alignas(8) Stretch {
  std::uint32_t heads;
  Value sum;
};

// `Operator`, a sum, combines values of a 4-byte type. The order matters.
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
