// The sums that reduce by key offers.
#pragma once

#include <stdexcept>

#include "gpu/operators/numbers.h"
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::runs {

// Calls function(Operator()) with the operator of `sum`.
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
