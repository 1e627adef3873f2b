// A barrier for all blocks of a grid that are co-resident (launch_concurrent).
//
//   S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010.
//
// A counter in memory holds the number of blocks that have arrived. A barrier must also order
// memory: time alone does not make a number written by one block visible to another.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// No thread returns before all threads of all blocks have arrived; each then sees what all wrote
// before. *arrived starts at 0 and counts on: `barriers` is the number of this barrier, from 1. A
// grid has at most (2^32 - 1) / gridDim.x of them.
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
__device__ inline void wait_for_all_blocks(std::uint32_t* arrived, std::uint32_t barriers = 1) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1U);
    for (Spin spin; load_relaxed(arrived) < gridDim.x * barriers;) spin.back_off();
    __threadfence();
  }
  __syncthreads();
}

}  // namespace warpview::WARPVIEW_BACKEND::block
