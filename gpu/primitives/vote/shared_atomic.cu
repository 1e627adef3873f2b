// A vote in one word of shared memory, by atomics.
//
// The obvious code without any special instruction: one thread clears the word, the threads whose
// vote matters update it, and all read it. It takes three barriers, and in between up to 256
// threads contend for one word.

#include "gpu/primitives/vote/tiles.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <Vote what>
__global__ void __launch_bounds__(vote::threads) vote_shared_atomic_kernel(VoteArgs args) {
  __shared__ std::uint32_t word;
  vote::answer_tiles<what>(args, [](bool passes) -> std::uint32_t {
    if (threadIdx.x == 0) word = what == Vote::all ? 1 : 0;
    __syncthreads();
    if constexpr (what == Vote::count) {
      if (passes) atomicAdd(&word, 1U);
    } else if constexpr (what == Vote::all) {
      if (!passes) atomicAnd(&word, 0U);
    } else {
      if (passes) atomicOr(&word, 1U);
    }
    __syncthreads();
    const std::uint32_t answer = word;
    __syncthreads();  // all threads have read: the word may be reused
    return answer;
  });
}

}  // namespace

void vote_shared_atomic(Stream& stream, const VoteArgs& args, Scratch& scratch) {
  vote::run(
      stream, args, scratch,
      {KERNEL(vote_shared_atomic_kernel<Vote::count>), KERNEL(vote_shared_atomic_kernel<Vote::all>),
       KERNEL(vote_shared_atomic_kernel<Vote::any>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
