// The schedulers that launch kernels from kernels, on filled paths.
#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/applications/svg_from_kernels.h"
#include "gpu/primitives/schedule/launching_schedulers.h"

namespace warpview::WARPVIEW_BACKEND::svg {

void run_from_kernels(Scheduler scheduler, const schedule::Run<Application>& run) {
  schedule::run_from_kernels(scheduler, run);
}

}  // namespace warpview::WARPVIEW_BACKEND::svg

#endif
