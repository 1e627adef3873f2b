// Sum, minimum, maximum and bitwise operators of numbers (gpu/operators/operator.h defines an
// operator).
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/operators/operator.h"

namespace warpview {

// For integers modulo 2^32 or 2^64, and for floats. The order of a float sum is not fixed; an equal
// order gives equal bits.
template <class T>
struct Sum {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() { return 0; }
  HOST_DEVICE static constexpr T combine(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      // Unsigned numbers wrap around; signed ones must not.
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
  HOST_DEVICE static constexpr T without_last(T sum, T last) requires std::is_unsigned_v<T> {
    return sum - last;
  }
};

template <class T>
struct Min {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() { return std::numeric_limits<T>::max(); }
  HOST_DEVICE static constexpr T combine(T a, T b) { return a < b ? a : b; }
};

// For floats other than NaN, which have no order.
template <class T>
struct Max {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  HOST_DEVICE static constexpr T combine(T a, T b) { return a > b ? a : b; }
};

// For unsigned integers, bit by bit.
template <class T>
struct BitAnd {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() { return std::numeric_limits<T>::max(); }
  HOST_DEVICE static constexpr T combine(T a, T b) { return a & b; }
};
template <class T>
struct BitOr {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() { return 0; }
  HOST_DEVICE static constexpr T combine(T a, T b) { return a | b; }
};
template <class T>
struct BitXor {
  using Type = T;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr T identity() { return 0; }
  HOST_DEVICE static constexpr T combine(T a, T b) { return a ^ b; }
  HOST_DEVICE static constexpr T without_last(T all, T last) { return all ^ last; }
};

using SumU32 = Sum<std::uint32_t>;
using SumI32 = Sum<std::int32_t>;
using SumF32 = Sum<float>;
using SumF64 = Sum<double>;
using MinI32 = Min<std::int32_t>;
using MaxI32 = Max<std::int32_t>;
using MaxU32 = Max<std::uint32_t>;
using MaxF32 = Max<float>;
using AndU32 = BitAnd<std::uint32_t>;
using OrU32 = BitOr<std::uint32_t>;
using XorU32 = BitXor<std::uint32_t>;

}  // namespace warpview
