// The operators of a scan. Each is a type with
//
//   Type                     what is combined: trivially copyable, a multiple of 4 bytes
//   identity()               combined with x, on either side, it gives x
//   combine(earlier, later)  associative; `earlier` holds items that stand before those of `later`
//   commutative              may the two be swapped? It spares what keeps items in order.
//
// and, where the operator has an inverse,
//
//   without_last(sum, last)  the sum before `last` was combined with it from the right
#pragma once

#include <cstdint>
#include <stdexcept>

#include "gpu/runtime/affine.h"
#include "gpu/runtime/vec.h"
#include "gpu/scan/scan.h"

namespace warpview {

// Row after row.
struct alignas(16) Matrix2 {
  std::uint64_t m[4];
};
static_assert(sizeof(Matrix2) == 32);

struct SumU32 {
  using Type = std::uint32_t;
  static constexpr bool commutative = true;
  WARPVIEW_HD static constexpr Type identity() { return 0; }
  WARPVIEW_HD static constexpr Type combine(Type a, Type b) { return a + b; }
  WARPVIEW_HD static constexpr Type without_last(Type sum, Type last) { return sum - last; }
};

struct SumF32 {
  using Type = float;
  static constexpr bool commutative = true;
  WARPVIEW_HD static constexpr Type identity() { return 0.0F; }
  WARPVIEW_HD static constexpr Type combine(Type a, Type b) { return a + b; }
};

struct MaxI32 {
  using Type = std::int32_t;
  static constexpr bool commutative = true;
  WARPVIEW_HD static constexpr Type identity() { return INT32_MIN; }
  WARPVIEW_HD static constexpr Type combine(Type a, Type b) { return a < b ? b : a; }
};

// The map that applies `earlier` first.
struct ComposeAffine {
  using Type = Affine;
  static constexpr bool commutative = false;
  WARPVIEW_HD static constexpr Type identity() { return {1, 0}; }
  WARPVIEW_HD static constexpr Type combine(Type earlier, Type later) {
    return {later.factor * earlier.factor, later.factor * earlier.offset + later.offset};
  }
};

struct ProductMatrix2 {
  using Type = Matrix2;
  static constexpr bool commutative = false;
  WARPVIEW_HD static constexpr Type identity() { return {{1, 0, 0, 1}}; }
  WARPVIEW_HD static constexpr Type combine(const Type& x, const Type& y) {
    return {{x.m[0] * y.m[0] + x.m[1] * y.m[2], x.m[0] * y.m[1] + x.m[1] * y.m[3],
             x.m[2] * y.m[0] + x.m[3] * y.m[2], x.m[2] * y.m[1] + x.m[3] * y.m[3]}};
  }
};

// Operator::combine as an object, for the vendors' libraries.
template <class Operator>
struct CombineObject {
  using T = typename Operator::Type;
  WARPVIEW_HD constexpr T operator()(const T& earlier, const T& later) const {
    return Operator::combine(earlier, later);
  }
};

// Calls function(Operator()) with the operator that is asked for.
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
