// A vote at the barrier.
//
// CUDA C++ Programming Guide, Synchronization Functions: __syncthreads_count, __syncthreads_and,
// __syncthreads_or.
//
// A barrier sees every thread of the block come by, so it can as well take a bit from each and hand
// all of them the sum, the conjunction or the disjunction when they leave. No shared memory, and
// one barrier where the other variants need two or three: nobody can come late to read the answer.

#include "gpu/vote/tiles.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct AtBarrier {
  static constexpr const char* kernel_name = "vote_barrier_kernel";

  template <Vote what>
  __device__ static std::uint32_t answer(bool passes) {
    if constexpr (what == Vote::count)
      return static_cast<std::uint32_t>(__syncthreads_count(passes));
    if constexpr (what == Vote::all) return __syncthreads_and(passes) != 0;
    return __syncthreads_or(passes) != 0;
  }
};

}  // namespace

void vote_barrier(Stream& stream, const VoteArgs& args, Workspace& workspace) {
  vote::run<AtBarrier>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
