// A vote in one word of shared memory, by atomics.
//
// What one writes without any special instruction: a thread clears the word, those who have
// something to say change it, and all read it. Three barriers, and in between up to 256 threads
// queue for one word.

#include "gpu/vote/tiles.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct BySharedAtomic {
  static constexpr const char* kernel_name = "vote_shared_atomic_kernel";

  template <Vote what>
  __device__ static std::uint32_t answer(bool passes) {
    __shared__ std::uint32_t word;
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
    const std::uint32_t result = word;
    __syncthreads();  // everyone has read: the word may be used again
    return result;
  }
};

}  // namespace

void vote_shared_atomic(Stream& stream, const VoteArgs& args, Workspace& workspace) {
  vote::run<BySharedAtomic>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
