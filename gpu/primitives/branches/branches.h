// Two branches of a warp, each of which needs what the other makes.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// Lanes of a warp go two ways, by bit 2 of their number, and each of them has a partner on the
// other: items i and i ^ 4 belong together.
inline constexpr std::uint32_t branch_bit = 4;

// What either branch makes of an item, and both of what they have made.
HOST_DEVICE constexpr std::uint32_t branch_a(std::uint32_t x) { return 5 * x + 1; }
HOST_DEVICE constexpr std::uint32_t branch_b(std::uint32_t x) { return 3 * x + 7; }
HOST_DEVICE constexpr std::uint32_t branch_c(std::uint32_t own, std::uint32_t partners) {
  return 2 * own + partners;
}

// out[i] = branch_c(made[i], made[i ^ branch_bit]), where made[i] is branch_b(in[i]) if i has
// branch_bit and else branch_a(in[i]); all modulo 2^32. Items behind the last one are 0. in and out
// do not overlap.
struct BranchesArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
