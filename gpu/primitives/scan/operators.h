// The operators that a scan offers.
#pragma once

#include <stdexcept>

#include "gpu/operators/affine.h"
#include "gpu/operators/matrix2.h"
#include "gpu/operators/numbers.h"
#include "gpu/primitives/scan/scan.h"

namespace warpview {

// Calls function(Operator()) with the operator of `combine`.
template <class Function>
void with_operator(ScanOperator combine, Function&& function) {
  switch (combine) {
    case ScanOperator::sum_u32:
      return function(SumU32());
    case ScanOperator::sum_f32:
      return function(SumF32());
    case ScanOperator::max_i32:
      return function(MaxI32());
    case ScanOperator::affine_u32:
      return function(ComposeAffine());
    case ScanOperator::matrix_u64:
      return function(ProductMatrix2());
  }
  throw std::logic_error("no such scan operator");
}

}  // namespace warpview
