// Pseudo-random numbers that depend on their arguments alone.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// The finaliser of MurmurHash3 (A. Appleby): every bit of the argument reaches every bit.
HOST_DEVICE constexpr std::uint32_t scramble(std::uint32_t h) {
  h = (h ^ h >> 16) * 0x85ebca6bU;
  h = (h ^ h >> 13) * 0xc2b2ae35U;
  return h ^ h >> 16;
}

// Uniform from -1 to 1: the `which`-th number of item `item`.
HOST_DEVICE constexpr float random_signed(std::uint32_t item, std::uint32_t which,
                                          std::uint32_t seed) {
  const std::uint32_t h = scramble(item ^ scramble(which ^ scramble(seed)));
  return static_cast<float>(h >> 8) * (2.0F / 16777216.0F) - 1.0F;
}

}  // namespace warpview
