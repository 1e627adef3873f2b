// One atomic for all lanes that happen to be here, as a group.
//
// CUDA C++ Programming Guide, Cooperative Groups: coalesced_threads.
//
// What active.cu does with masks, in the words of cooperative groups: the lanes that are here are
// an object with a size, a rank for each member and a shuffle. The kernel is in in_branches.h.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>

#include "gpu/enqueue/in_branches.h"

namespace warpview::cuda {

namespace {

struct AmongGroup {
  static constexpr const char* kernel_name = "enqueue_coalesced_kernel";

  __device__ static std::uint32_t take(std::uint32_t* counter) {
    const auto here = cooperative_groups::coalesced_threads();
    std::uint32_t begin = 0;
    if (here.thread_rank() == 0)
      begin = atomicAdd(counter, static_cast<std::uint32_t>(here.num_threads()));
    return here.shfl(begin, 0) + static_cast<std::uint32_t>(here.thread_rank());
  }
};

}  // namespace

void enqueue_coalesced(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  enqueue::in_branches<AmongGroup>(stream, args, workspace);
}

}  // namespace warpview::cuda

#endif
