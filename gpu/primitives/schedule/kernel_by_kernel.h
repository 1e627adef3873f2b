// One procedure after another, each as a separate kernel: kernel by kernel.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is the obvious approach. Each kernel is shaped for its procedure, has the registers and the
// shared memory that it needs, and as many blocks as there is work. The host has to read that
// amount, and so it waits before each launch: the device is idle from the end of one kernel until
// the host has read a number and launched the next. Spawned work is executed in later rounds, until
// one finds nothing.
#pragma once

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <class Application>
void kernel_by_kernel(const Run<Application>& run) {
  const Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  launch_begin(run, queues);
  Levels<Application> levels(run, queues);
  for (bool found = true; found;) {
    found = false;
    for_each(typename Application::Procedures{}, [&]<class P>(P) {
      levels.template look_at<P>();
      const std::uint32_t blocks = levels.template batches<P>();
      if (blocks == 0) return;
      launch_procedure<P>(run.stream, run, queues, blocks);
      found = true;
    });
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
