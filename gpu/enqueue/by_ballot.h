// A warp enqueues by one ballot and one atomic. See ballot.cu; lanemask.cu differs in where a lane
// learns which lanes come before it.
#pragma once

#include "gpu/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::enqueue {

// `LanesBefore::mask()` has a bit for every lane before this one.
template <class LanesBefore>
__global__ void ballot_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  // Lanes behind the end stay: the ballot names the whole warp.
  const std::uint32_t item = i < args.n ? args.in[i] : 0;
  const bool passes = i < args.n && item < args.below;

  const warp::LaneMask passing = warp::ballot(warp::all_lanes(), passes);
  std::uint32_t begin = 0;
  if (warp::lane() == 0 && passing != 0) begin = atomicAdd(&args.counts[0], warp::count(passing));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);

  if (passes) put(args, begin + warp::count(passing & LanesBefore::mask()), item);
}

template <class LanesBefore>
void by_ballot(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  start(stream, args, {EnqueueMode::passing});
  launch(stream, Kernel{&ballot_kernel<LanesBefore>, LanesBefore::kernel_name},
         one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND::enqueue
