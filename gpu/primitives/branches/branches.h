// Two branches of a warp, each of which needs the other's results.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// The lanes of a warp take two ways, by bit 2 of their index. Each lane has a partner on the other
// way: items i and i ^ 4 belong together.
inline constexpr std::uint32_t branch_bit = 4;

// Computed from an item by either branch, and from both results after the branches.
HOST_DEVICE constexpr std::uint32_t branch_a(std::uint32_t x) { return 5 * x + 1; }
HOST_DEVICE constexpr std::uint32_t branch_b(std::uint32_t x) { return 3 * x + 7; }
HOST_DEVICE constexpr std::uint32_t branch_c(std::uint32_t own, std::uint32_t partners) {
  return 2 * own + partners;
}

// out[i] = branch_c(made[i], made[i ^ branch_bit]), where made[i] is branch_b(in[i]) if i has
// branch_bit and else branch_a(in[i]); all modulo 2^32. Items beyond the last one count as 0. in
// and out do not overlap.
struct BranchesArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
