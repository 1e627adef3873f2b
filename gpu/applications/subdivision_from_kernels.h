// Subdivision by schedulers that launch kernels from kernels, on cuda alone:
// subdivision_dynamic.cu.
#pragma once

#include "gpu/applications/subdivision_procedures.h"
#include "gpu/primitives/schedule/queues.h"

namespace warpview::WARPVIEW_BACKEND::subdivision {

void run_from_kernels(Scheduler scheduler, const schedule::Run<Application>& run);

}  // namespace warpview::WARPVIEW_BACKEND::subdivision
