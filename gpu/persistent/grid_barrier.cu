// Two dependent stages in one kernel, with a barrier for all its blocks made by hand.
//
//   S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010.
//
// A counter in memory says how many blocks have come. What else a barrier must do is memory: a
// number written by one block need not be visible to another just because time has passed.
#include "gpu/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread speaks for its block. The barriers of the block put the writes of all its threads
// before that thread's fence, and their reads after its other one; a fence covers what its thread
// has seen, so it need not be repeated by each.
//
//   - The first fence (release) puts the block's writes before its arrival in every observer's
//     eyes: who has counted the block may read what it wrote.
//   - The second (acquire) lets no later read be served from before the last arrival was seen,
//     neither by reordering nor from an old line in this multiprocessor's L1. One fence behind the
//     loop does it; the loop itself reads relaxed, as each acquire would empty the cache in vain.
struct ByCounter {
  static constexpr const char* kernel_name = "fused_by_counter_kernel";

  __device__ static void wait(std::uint32_t* arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1U);
      while (load_relaxed(arrived) < gridDim.x) backoff();
      __threadfence();
    }
    __syncthreads();
  }
};

}  // namespace

void persistent_grid_barrier(Stream& stream, const PersistentArgs& args, Workspace& workspace) {
  persistent::fused<ByCounter>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
