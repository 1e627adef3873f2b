// What an operator is: scans and reductions are templates over one. A type with
//
//   Type                     what is combined: trivially copyable, a multiple of 4 bytes
//   identity()               combined with x, on either side, it gives x
//   combine(earlier, later)  associative, but for the rounding of floats; `earlier` holds items
//                            that stand before those of `later`
//   commutative              may the two be swapped? It spares what keeps items in order.
//
// and, where the operator has an inverse,
//
//   without_last(sum, last)  the sum before `last` was combined with it from the right
//
// All functions are static, for host and device.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// An operator's combine() as an object, for those who ask for one.
template <class Operator>
struct Combine {
  using T = typename Operator::Type;
  HOST_DEVICE constexpr T operator()(const T& earlier, const T& later) const {
    return Operator::combine(earlier, later);
  }
};

}  // namespace warpview
