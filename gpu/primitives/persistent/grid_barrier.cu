// Two dependent stages in one kernel, with a barrier for all its blocks made by hand.
//
//   S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010.
//
// A counter in memory says how many blocks have come. What else a barrier must do is memory: a
// number written by one block need not be visible to another just because time has passed.
#include "gpu/primitives/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// No thread returns before all threads of all blocks have come, and then sees what all wrote
// before. *arrived is 0 at first.
//
// One thread speaks for its block. The barriers of the block put the writes of all its threads
// before that thread's fence, and their reads after its other one; a fence covers what its thread
// has seen, so it need not be repeated by each.
//
//   - The first fence (release) puts the block's writes before its arrival in every observer's
//     eyes: who has counted the block may read what it wrote.
//   - The second (acquire) lets no later read be served from before the last arrival was seen,
//     neither by reordering nor from an old line in this multiprocessor's L1. One fence behind the
//     loop does it; the loop itself reads relaxed, as each acquire would empty the cache in vain.
__device__ inline void wait_for_all_blocks(std::uint32_t* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1U);
    for (Spin spin; load_relaxed(arrived) < gridDim.x;) spin.back_off();
    __threadfence();
  }
  __syncthreads();
}

// maxima[gridDim.x] is scratch; *arrived is 0.
__global__ void __launch_bounds__(persistent::threads)
    fused_by_counter_kernel(const float* in, float* out, std::uint32_t n, float* maxima,
                            std::uint32_t* arrived) {
  __shared__ persistent::Storage storage;
  const persistent::Share share(in, n);
  const float largest_here = persistent::block_maximum(share.largest(), storage);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest_here;

  wait_for_all_blocks(arrived);

  share.scale(out, persistent::maximum_of_all(maxima, storage));
}

}  // namespace

void persistent_grid_barrier(Stream& stream, const PersistentArgs& args, Scratch& scratch) {
  persistent::launch_resident(stream, args, scratch, KERNEL(fused_by_counter_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
