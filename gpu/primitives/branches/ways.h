// What the variants of the branches share: everything except how a branch waits for the other.
#pragma once

#include "gpu/primitives/branches/branches.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::branches {

inline constexpr unsigned threads = tile_extent(256, 64);
// Words per thread, one after another: the branches need each other repeatedly.
inline constexpr unsigned rounds = 2;

// What this block's threads have computed from their words, round by round.
using Made = std::uint32_t[rounds][threads];

// Blocks are multiples of a warp, so this is the same bit of the lane's index, and of its words'.
__device__ inline bool goes_b() { return (threadIdx.x & branch_bit) != 0; }
// The thread that takes the other way.
__device__ inline unsigned partner() { return threadIdx.x ^ branch_bit; }

// Index of this thread's word in a round.
__device__ inline std::uint32_t word(unsigned round) {
  return (blockIdx.x * rounds + round) * threads + threadIdx.x;
}
// This thread's word. A lane without one stays: its partner may have one.
__device__ inline std::uint32_t input(const BranchesArgs& args, unsigned round) {
  return word(round) < args.n ? args.in[word(round)] : 0;
}

// After the branches: combines the results of both.
__device__ inline void finish(const BranchesArgs& args, const Made& made) {
  UNROLL
  for (unsigned k = 0; k < rounds; ++k)
    if (word(k) < args.n) args.out[word(k)] = branch_c(made[k][threadIdx.x], made[k][partner()]);
}

// The host function: full warps.
inline void run(Stream& stream, const BranchesArgs& args, const Scratch& scratch,
                Kernel<BranchesArgs> kernel) {
  if (scratch.measuring()) return;
  launch(stream, kernel, Shape(ceil_div(args.n, threads * rounds), threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND::branches
