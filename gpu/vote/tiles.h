// What the variants of the vote share: a block has a thread for each item of a tile. How its
// threads come to a common answer is left to the variant; see barrier.cu.
#pragma once

#include "gpu/runtime/kernel.h"
#include "gpu/vote/vote.h"

namespace warpview::WARPVIEW_BACKEND::vote {

inline constexpr unsigned threads = vote_tile_size;
inline constexpr unsigned tiles_each = 4;  // so many loads are under way while a block votes

// `Ask::answer<what>(passes)` is called by the whole block and gives each of its threads the
// answer; it may be called again at once.
template <Vote what, class Ask>
__global__ void __launch_bounds__(threads)
    vote_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t limit, std::uint32_t* out) {
  const std::uint32_t first = blockIdx.x * tiles_each;
  bool passes[tiles_each];
  UNROLL
  for (unsigned k = 0; k < tiles_each; ++k) {
    const std::uint32_t i = (first + k) * threads + threadIdx.x;
    // An item that is not there changes no answer.
    passes[k] = i < n ? in[i] < limit : what == Vote::all;
  }
  UNROLL
  for (unsigned k = 0; k < tiles_each; ++k) {
    const std::uint32_t answer = Ask::template answer<what>(passes[k]);
    if (threadIdx.x == 0 && first + k < ceil_div(n, threads)) out[first + k] = answer;
  }
}

template <class Ask>
void run(Stream& stream, const VoteArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  const auto by = [&](auto* kernel) {
    launch(stream, Kernel{kernel, Ask::kernel_name},
           Shape(ceil_div(args.n, threads * tiles_each), threads), args.in, args.n, args.limit,
           args.out);
  };
  switch (args.vote) {
    case Vote::count:
      return by(&vote_kernel<Vote::count, Ask>);
    case Vote::all:
      return by(&vote_kernel<Vote::all, Ask>);
    case Vote::any:
      return by(&vote_kernel<Vote::any, Ask>);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::vote
