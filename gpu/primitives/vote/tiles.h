// What the variants of the vote share: a block has one thread for each item of a tile. They differ
// in how the threads reach a common answer; see barrier.cu.
#pragma once

#include "gpu/primitives/vote/vote.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::vote {

inline constexpr unsigned threads = vote_tile_size;
// The number of loads in flight while a block votes.
inline constexpr unsigned tiles_each = tile_extent(4, 2);

// Answers for several tiles. The whole block calls `vote(passes)`, one tile at a time; it returns
// the answer to each thread, and may be called again at once.
template <Vote what, class VoteOnTile>
__device__ inline void answer_tiles(const VoteArgs& args, VoteOnTile vote) {
  const std::uint32_t first = blockIdx.x * tiles_each;
  bool passes[tiles_each];
  UNROLL
  for (unsigned k = 0; k < tiles_each; ++k) {
    const std::uint32_t i = (first + k) * threads + threadIdx.x;
    // A missing item changes no answer.
    passes[k] = i < args.n ? args.in[i] < args.limit : what == Vote::all;
  }
  UNROLL
  for (unsigned k = 0; k < tiles_each; ++k) {
    const std::uint32_t answer = vote(passes[k]);
    if (threadIdx.x == 0 && first + k < ceil_div(args.n, threads)) args.out[first + k] = answer;
  }
}

// The kernel of a variant for each question.
struct Kernels {
  Kernel<VoteArgs> count;
  Kernel<VoteArgs> all;
  Kernel<VoteArgs> any;
};

// The host function.
inline void run(Stream& stream, const VoteArgs& args, const Scratch& scratch,
                const Kernels& kernels) {
  if (scratch.measuring()) return;
  const Shape shape(ceil_div(args.n, threads * tiles_each), threads);
  switch (args.vote) {
    case Vote::count:
      return launch(stream, kernels.count, shape, args);
    case Vote::all:
      return launch(stream, kernels.all, shape, args);
    case Vote::any:
      return launch(stream, kernels.any, shape, args);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::vote
