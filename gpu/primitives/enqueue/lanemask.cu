// One atomic per warp; the mask of lower lanes comes from a special register.
//
// PTX ISA, Special Registers: %lanemask_lt.
//
// ballot.cu computes the mask of the lanes before this one from the lane's index, by a shift and a
// subtraction. The hardware keeps that mask in a special register, which one instruction of inline
// PTX reads. The rest is ballot.cu.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::cuda {

namespace {

__device__ inline warp::LaneMask lanes_before() {
  std::uint32_t before;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
  return before;
}

__global__ void enqueue_lanemask_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t item = i < args.n ? args.in[i] : 0;
  const bool passes = i < args.n && item < args.below;

  const warp::LaneMask passing = warp::ballot(warp::all_lanes(), passes);
  std::uint32_t begin = 0;
  if (warp::lane() == 0 && passing != 0) begin = atomicAdd(&args.counts[0], warp::count(passing));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);

  const unsigned rank = warp::count(passing & lanes_before());
  if (passes) enqueue::put(args, begin + rank, item);
}

}  // namespace

void enqueue_lanemask(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing});
  launch(stream, KERNEL(enqueue_lanemask_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::cuda

#endif
