// Composition of affine maps of integers: the smallest items whose order matters when they are
// combined.
#pragma once

#include <cstdint>

#include "gpu/operators/operator.h"

namespace warpview {

// x -> factor * x + offset, modulo 2^32.
struct alignas(8) Affine {
  std::uint32_t factor, offset;
};

// The map that applies `earlier` first.
struct ComposeAffine {
  using Type = Affine;
  static constexpr bool commutative = false;
  HOST_DEVICE static constexpr Type identity() { return {1, 0}; }
  HOST_DEVICE static constexpr Type combine(Type earlier, Type later) {
    return {later.factor * earlier.factor, later.factor * earlier.offset + later.offset};
  }
};

// Composition of maps x -> a x + b modulo 2^16 in one word: `a` in its lower half, `b` in the
// upper.
struct ComposeMaps {
  using Type = std::uint32_t;
  static constexpr bool commutative = false;
  HOST_DEVICE static constexpr Type identity() { return 1; }
  HOST_DEVICE static constexpr Type combine(Type earlier, Type later) {
    const Type a = (earlier & 0xffffU) * (later & 0xffffU);
    const Type b = (earlier >> 16) * (later & 0xffffU) + (later >> 16);
    return (a & 0xffffU) | b << 16;
  }
};

}  // namespace warpview
