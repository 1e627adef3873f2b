// Two dependent stages in one kernel, with a hand-written grid barrier.
//
//   S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010.
//
// A counter in memory holds the number of blocks that have arrived. A barrier must also order
// memory: time alone does not make a number written by one block visible to another.
#include "gpu/primitives/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// No thread returns before all threads of all blocks have arrived; each then sees what all wrote
// before. *arrived starts at 0.
//
// One thread represents its block. The block barriers order the writes of all its threads before
// that thread's first fence, and their reads after its second one. A fence covers everything that
// its thread has observed, so the other threads need none.
//
//   - The first fence (release) orders the block's writes before its arrival for every observer: a
//     thread that has counted the block may read what it wrote.
//   - The second (acquire) keeps every later read from being served from before the last arrival,
//     by reordering or from a stale line in this SM's L1. One fence after the loop suffices. The
//     loop itself reads relaxed, because each acquire would invalidate the cache.
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
