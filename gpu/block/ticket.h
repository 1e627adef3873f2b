// Numbers blocks in the order in which they start.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Blocks may start in any order, whatever their index. A ticket, taken from a counter that is 0
// before the launch, numbers them in the order in which they start running. A block that waits for
// lower numbers therefore waits only for blocks that have started. `shared` is shared memory. One
// barrier.
__device__ inline std::uint32_t take_ticket(std::uint32_t* counter, std::uint32_t& shared) {
  if (threadIdx.x == 0) shared = atomicAdd(counter, 1U);
  __syncthreads();
  return shared;
}

}  // namespace warpview::WARPVIEW_BACKEND::block
