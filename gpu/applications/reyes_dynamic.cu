// The schedulers that launch kernels from kernels, on Reyes.
#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/applications/reyes_from_kernels.h"
#include "gpu/primitives/schedule/launching_schedulers.h"

namespace warpview::WARPVIEW_BACKEND::reyes {

void run_from_kernels(Scheduler scheduler, const schedule::Run<Application>& run) {
  schedule::run_from_kernels(scheduler, run);
}

}  // namespace warpview::WARPVIEW_BACKEND::reyes

#endif
