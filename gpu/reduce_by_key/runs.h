// The operator behind reduce by key and run-length encoding: a scan that starts anew at each run.
#pragma once

#include <stdexcept>

#include "gpu/reduce_by_key/reduce_by_key.h"
#include "gpu/runtime/kernel.h"
#include "gpu/scan/operators.h"

namespace warpview::WARPVIEW_BACKEND::runs {

// Of a stretch of items: how many runs begin in it, and the sum of the values in the last of these
// or, where none begins, of them all.
template <class Value>
struct alignas(8) Stretch {
  std::uint32_t heads;
  Value sum;
};

// Values of a type of 4 bytes are added up by `Sum`. Associative, but the order matters.
template <class Sum>
struct Combine {
  using Type = Stretch<typename Sum::Type>;
  static constexpr bool commutative = false;
  WARPVIEW_HD static constexpr Type identity() { return {0, Sum::identity()}; }
  WARPVIEW_HD static constexpr Type combine(Type earlier, Type later) {
    return {earlier.heads + later.heads,
            later.heads > 0 ? later.sum : Sum::combine(earlier.sum, later.sum)};
  }
};

// Calls function(Sum()) with the sum that is asked for.
template <class Function>
void with_sum(RunSum sum, Function&& function) {
  switch (sum) {
    case RunSum::sum_u32:
      return function(SumU32());
    case RunSum::sum_f32:
      return function(SumF32());
  }
  throw std::logic_error("no such sum");
}

}  // namespace warpview::WARPVIEW_BACKEND::runs
