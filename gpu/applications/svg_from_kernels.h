// Filled paths by schedulers that launch kernels from kernels, on cuda alone: svg_dynamic.cu.
#pragma once

#include "gpu/applications/svg_procedures.h"
#include "gpu/primitives/schedule/queues.h"

namespace warpview::WARPVIEW_BACKEND::svg {

void run_from_kernels(Scheduler scheduler, const schedule::Run<Application>& run);

}  // namespace warpview::WARPVIEW_BACKEND::svg
