// The schedulers that launch kernels from kernels under one name, for separate kernel files.
//
// An application calls schedule::run_by (schedulers.h), which calls `run_from_kernels`; another
// kernel file instantiates it (gpu/applications/dynamic.cu):
//
//     template void schedule::run_from_kernels(Scheduler, const Run<Reyes>&);
//
// Pending launches need room (cudaLimitDevRuntimePendingLaunchCount): RoomForLaunches
// (from_kernels.h) gives `dynamic` more than the default here, so that it returns to the host less
// often.
#pragma once

#include <optional>

#include "gpu/primitives/schedule/dynamic.h"
#include "gpu/primitives/schedule/hybrid.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <class Application>
void run_from_kernels(Scheduler scheduler, const Run<Application>& run) {
  switch (scheduler) {
    case Scheduler::dynamic: {
      std::optional<RoomForLaunches> room;
      if (!run.scratch.measuring()) room.emplace(run.stream);
      return dynamic(run);
    }
    case Scheduler::hybrid:
      return hybrid(run);
    case Scheduler::hybrid_mega:
      return hybrid_mega(run);
    default:
      throw Error("a scheduler that launches no kernels from kernels", "it is one of schedulers.h",
                  "Call schedule::run_by");
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
