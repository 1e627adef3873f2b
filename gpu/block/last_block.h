// Which block of a launch finishes last: it can go on with what all of them found, and spares a
// second launch.
//
// CUDA sample threadFenceReduction.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Called by all threads of each block, once its thread 0 has written what the block found. True in
// the block that comes last, whose threads then see what every block's thread 0 wrote. *finished is
// 0 before the launch; `last` is shared memory. One barrier.
__device__ inline bool is_last(std::uint32_t* finished, bool& last) {
  if (threadIdx.x == 0) {
    // Release: whoever sees the counter go up must see this block's result too.
    __threadfence();
    last = atomicAdd(finished, 1U) == gridDim.x - 1;
    // Acquire: the results of the other blocks, read next by the whole block, are those from before
    // their increments.
    __threadfence();
  }
  __syncthreads();
  return last;
}

}  // namespace warpview::WARPVIEW_BACKEND::block
