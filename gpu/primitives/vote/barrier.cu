// A vote at the barrier.
//
// CUDA C++ Programming Guide, Synchronization Functions: __syncthreads_count, __syncthreads_and,
// __syncthreads_or.
//
// Every thread of the block passes the barrier, so the barrier can take a bit from each and return
// the sum, the conjunction or the disjunction to all. This needs no shared memory, and one barrier
// where the other variants need two or three: no thread can read the answer too late.

#include "gpu/primitives/vote/tiles.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <Vote what>
__global__ void __launch_bounds__(vote::threads) vote_barrier_kernel(VoteArgs args) {
  vote::answer_tiles<what>(args, [](bool passes) -> std::uint32_t {
    if constexpr (what == Vote::count)
      return static_cast<std::uint32_t>(__syncthreads_count(passes));
    if constexpr (what == Vote::all) return __syncthreads_and(passes) != 0;
    return __syncthreads_or(passes) != 0;
  });
}

}  // namespace

void vote_barrier(Stream& stream, const VoteArgs& args, Scratch& scratch) {
  vote::run(stream, args, scratch,
            {KERNEL(vote_barrier_kernel<Vote::count>), KERNEL(vote_barrier_kernel<Vote::all>),
             KERNEL(vote_barrier_kernel<Vote::any>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
