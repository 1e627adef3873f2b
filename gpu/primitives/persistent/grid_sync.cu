// Two dependent stages in one kernel, with the barrier of cooperative groups.
//
//   CUDA C++ Programming Guide, Cooperative Groups, Grid Synchronization; HIP has the same.
//
// The grid is an object: its `sync` does what grid_barrier.cu spells out, with a counter that the
// driver provides to cooperative launches.

#include "gpu/runtime/kernel.h"

#if !defined(WARPVIEW_BACKEND_CPU)

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cooperative_groups.h>
#else
#include <hip/hip_cooperative_groups.h>
#endif

#include "gpu/primitives/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// maxima[gridDim.x] is scratch.
__global__ void __launch_bounds__(persistent::threads)
    fused_by_group_kernel(const float* in, float* out, std::uint32_t n, float* maxima,
                          std::uint32_t*) {
  __shared__ persistent::Storage storage;
  const persistent::Share share(in, n);
  const float largest_here = persistent::block_maximum(share.largest(), storage);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest_here;

  cooperative_groups::this_grid().sync();

  share.scale(out, persistent::maximum_of_all(maxima, storage));
}

}  // namespace

void persistent_grid_sync(Stream& stream, const PersistentArgs& args, Scratch& scratch) {
  persistent::launch_resident(stream, args, scratch, KERNEL(fused_by_group_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
