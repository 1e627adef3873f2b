// All schedulers under one name, for applications that let their users choose.
//
// Each is a separate header, which can be read on its own. On cuda an application that calls
// `run_by` also has a line in a kernel file for kernels that launch kernels
// (launching_schedulers.h).
#pragma once

#include "gpu/primitives/schedule/kernel_by_kernel.h"
#include "gpu/primitives/schedule/megakernel.h"
#include "gpu/primitives/schedule/megakernel_local.h"
#include "gpu/primitives/schedule/persistent.h"
#include "gpu/primitives/schedule/run_to_completion.h"
#include "gpu/primitives/schedule/time_sliced.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Runs a scheduler that launches kernels from kernels: launching_schedulers.h defines it.
template <class Application>
void run_from_kernels(Scheduler scheduler, const Run<Application>& run);

template <class Application>
void run_by(Scheduler scheduler, const Run<Application>& run) {
  switch (scheduler) {
    case Scheduler::run_to_completion:
      return run_to_completion(run);
    case Scheduler::kernel_by_kernel:
      return kernel_by_kernel(run);
    case Scheduler::time_sliced:
      return time_sliced(run);
    case Scheduler::persistent:
      return persistent(run);
    case Scheduler::megakernel:
      return megakernel(run);
    case Scheduler::megakernel_local:
      return megakernel_local(run);
    case Scheduler::dynamic:
    case Scheduler::hybrid:
    case Scheduler::hybrid_mega:
#if defined(WARPVIEW_BACKEND_CUDA)
      return run_from_kernels(scheduler, run);
#else
      break;
#endif
  }
  throw Error("a scheduler that launches kernels from kernels", "only cuda has it",
              "Choose another scheduler");
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
