// One atomic for all active lanes, as a group.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Opportunistic
//   Group Creation.
//   CUDA C++ Programming Guide, Cooperative Groups: coalesced_threads.
//
// This is active.cu in terms of cooperative groups instead of masks: the active lanes are an object
// with a size, a rank for each member and a shuffle.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>

#include "gpu/primitives/enqueue/queue.h"

namespace warpview::cuda {

namespace {

// As in active.cu.
__device__ inline std::uint32_t take_coalesced_place(std::uint32_t* counter) {
  const auto here = cooperative_groups::coalesced_threads();
  std::uint32_t begin = 0;
  if (here.thread_rank() == 0)
    begin = atomicAdd(counter, static_cast<std::uint32_t>(here.num_threads()));
  return here.shfl(begin, 0) + static_cast<std::uint32_t>(here.thread_rank());
}

__global__ void enqueue_coalesced_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  if (item < args.below) {
    enqueue::put(args, take_coalesced_place(args.counts), item);
    if (args.mode == EnqueueMode::up_to_two && item < args.twice_below)
      enqueue::put(args, take_coalesced_place(args.counts), ~item);
  }
}

}  // namespace

void enqueue_coalesced(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two});
  launch(stream, KERNEL(enqueue_coalesced_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::cuda

#endif
