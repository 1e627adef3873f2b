// Two dependent stages in one kernel, with a hand-written grid barrier.
//
//   S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010.
//
// gpu/block/grid_barrier.h is the barrier: a counter of the blocks that have arrived, between a
// fence that releases what the block wrote and one that acquires what the others wrote.
#include "gpu/block/grid_barrier.h"
#include "gpu/primitives/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// maxima[gridDim.x] is scratch; *arrived is 0.
__global__ void __launch_bounds__(persistent::threads)
    fused_by_counter_kernel(const float* in, float* out, std::uint32_t n, float* maxima,
                            std::uint32_t* arrived) {
  __shared__ persistent::Storage storage;
  const persistent::Share share(in, n);
  const float largest_here = persistent::block_maximum(share.largest(), storage);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest_here;

  block::wait_for_all_blocks(arrived);

  share.scale(out, persistent::maximum_of_all(maxima, storage));
}

}  // namespace

void persistent_grid_barrier(Stream& stream, const PersistentArgs& args, Scratch& scratch) {
  persistent::launch_resident(stream, args, scratch, KERNEL(fused_by_counter_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
