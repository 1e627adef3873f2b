// Two dependent stages in one kernel, with the barrier of cooperative groups.
//
//   CUDA C++ Programming Guide, Cooperative Groups, Grid Synchronization; HIP has the same.
//
// The grid as an object: `sync` is what grid_barrier.cu spells out, with a counter that the driver
// provides to cooperative launches.

#include "gpu/runtime/kernel.h"

#if !defined(WARPVIEW_BACKEND_CPU)

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cooperative_groups.h>
#else
#include <hip/hip_cooperative_groups.h>
#endif

#include "gpu/persistent/fused.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct ByGroup {
  static constexpr const char* kernel_name = "fused_by_group_kernel";

  __device__ static void wait(std::uint32_t*) { cooperative_groups::this_grid().sync(); }
};

}  // namespace

void persistent_grid_sync(Stream& stream, const PersistentArgs& args, Workspace& workspace) {
  persistent::fused<ByGroup>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
