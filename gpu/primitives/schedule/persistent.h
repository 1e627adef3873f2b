// Resident blocks that take work of one kind from a queue: persistent threads.
//
//   T. Aila, S. Laine, "Understanding the Efficiency of Ray Traversal on GPUs", High Performance
//   Graphics 2009.
//
// The grid has as many blocks as the device holds at a time. Each takes the next batch when it has
// finished one, so that no block waits for one with more work: the load balances itself. With a
// counter over a fixed list that ends at the end of the list. With a queue, newly spawned work of
// the same kind is taken too, and a block leaves when none is pending.
//
// A kernel executes one kind of work. If there are several, the host launches one after another,
// and reads in between which procedures have work.
#pragma once

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <class Application>
void persistent(const Run<Application>& run) {
  Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  // Each procedure has its own count, because its kernel ends with its work.
  for (unsigned p = 0; p < queues.procedures; ++p)
    queues.counted_by[p] = static_cast<unsigned char>(p);
  launch_begin(run, queues);
  Levels<Application> levels(run, queues);
  for (bool found = true; found;) {
    found = false;
    for_each(typename Application::Procedures{}, [&]<class P>(P) {
      levels.template look_at<P>();
      if (levels.template batches<P>() == 0) return;
      const auto kernel = &procedure_kernel<Application, P>;
      const std::uint32_t blocks =
          at_most(run, resident(run, kernel, block_of<P>, queues.template number<P>));
      launch(run.stream, Kernel{kernel, P::name}, Shape(blocks, block_of<P>), run.application,
             queues, true);
      count_launch(run);
      found = true;
    });
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
