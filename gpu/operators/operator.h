// What an operator is: scans and reductions are templates over one. An operator is a type with
//
//   Type                     what is combined: trivially copyable, a multiple of 4 bytes
//   identity()               combined with x, on either side, gives x
//   combine(earlier, later)  associative, except for the rounding of floats; `earlier` holds items
//                            that stand before those of `later`
//   commutative              may the two be swapped? If so, items need not be kept in order.
//
// and, where the operator has an inverse,
//
//   without_last(sum, last)  the sum before `last` was combined with it from the right
//
// All functions are static, for host and device.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// An operator's combine() as a function object.
template <class Operator>
struct Combine {
  using T = typename Operator::Type;
  HOST_DEVICE constexpr T operator()(const T& earlier, const T& later) const {
    return Operator::combine(earlier, later);
  }
};

}  // namespace warpview
