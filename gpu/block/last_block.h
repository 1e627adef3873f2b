// Finds the block of a launch that finishes last: it can continue with the results of all blocks,
// which saves a second launch.
//
// CUDA sample threadFenceReduction.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Called by all threads of each block, after its thread 0 has written the block's result. Returns
// true in the block that finishes last, whose threads then see what thread 0 of every block wrote.
// *finished is 0 before the launch; `last` is shared memory. One barrier.
__device__ inline bool is_last(std::uint32_t* finished, bool& last) {
  if (threadIdx.x == 0) {
    // Release: a block that sees the counter go up must see this block's result too.
    __threadfence();
    last = atomicAdd(finished, 1U) == gridDim.x - 1;
    // Acquire: the whole block next reads the other blocks' results, as written before their
    // increments.
    __threadfence();
  }
  __syncthreads();
  return last;
}

}  // namespace warpview::WARPVIEW_BACKEND::block
