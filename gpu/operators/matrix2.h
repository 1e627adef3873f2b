// Product of 2 by 2 matrices: large items whose order matters.
#pragma once

#include <cstdint>

#include "gpu/operators/operator.h"

namespace warpview {

// Row-major, modulo 2^64.
struct alignas(16) Matrix2 {
  std::uint64_t m[4];
};
static_assert(sizeof(Matrix2) == 32);

// From left to right.
struct ProductMatrix2 {
  using Type = Matrix2;
  static constexpr bool commutative = false;
  HOST_DEVICE static constexpr Type identity() { return {{1, 0, 0, 1}}; }
  HOST_DEVICE static constexpr Type combine(const Type& x, const Type& y) {
    return {{x.m[0] * y.m[0] + x.m[1] * y.m[2], x.m[0] * y.m[1] + x.m[1] * y.m[3],
             x.m[2] * y.m[0] + x.m[3] * y.m[2], x.m[2] * y.m[1] + x.m[3] * y.m[3]}};
  }
};

}  // namespace warpview
