// The host reads all queues and launches a kernel for each that has work, concurrently, and repeats
// this when all have ended: time-sliced kernels.
//
//   S. Laine, T. Karras, T. Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs",
//   High Performance Graphics 2013.
//
// This is kernel by kernel, except that one look serves all procedures, and their kernels run
// concurrently, each in a separate stream. Blocks do not diverge, and each kernel has the occupancy
// that its procedure permits. The price: while one kernel runs long, the others' SM slots stay
// empty until the next look, and the host is in the loop.
#pragma once

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <class Application>
void time_sliced(const Run<Application>& run) {
  const Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  launch_begin(run, queues);
  Levels<Application> levels(run, queues);
  for (;;) {
    levels.look();
    std::size_t streams = 0;
    for_each(typename Application::Procedures{}, [&]<class P>(P) {
      const std::uint32_t blocks = levels.template batches<P>();
      if (blocks == 0) return;
      // The look has waited for the stream's earlier work.
      launch_procedure<P>(run.host->stream(streams++), run, queues, blocks);
    });
    if (streams == 0) break;
    for (std::size_t i = 0; i < streams; ++i) run.host->stream(i).synchronize();
    if (run.settings.report)
      run.settings.report->synchronisations += static_cast<std::uint32_t>(streams);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
