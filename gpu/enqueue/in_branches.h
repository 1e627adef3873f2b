// Enqueueing from within branches, where the lanes that are here are those that have something to
// enqueue. active.cu and coalesced.cu differ in how these find together.
#pragma once

#include "gpu/enqueue/queue.h"

namespace warpview::WARPVIEW_BACKEND::enqueue {

// `Places::take(counter)` adds one to the counter for each lane that calls it and gives each the
// place that is its own. It may be called anywhere; all lanes of a warp that call it name the same
// counter.
template <class Places>
__global__ void in_branches_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  if (item < args.below) {
    put(args, Places::take(args.counts), item);
    if (args.mode == EnqueueMode::up_to_two && item < args.twice_below)
      put(args, Places::take(args.counts), ~item);
  }
}

template <class Places>
void in_branches(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two});
  launch(stream, Kernel{&in_branches_kernel<Places>, Places::kernel_name}, one_thread_each(args.n),
         args);
}

}  // namespace warpview::WARPVIEW_BACKEND::enqueue
