// Spaceships by schedulers that launch kernels from kernels, on cuda alone: ships_dynamic.cu.
#pragma once

#include "gpu/applications/ships_procedures.h"
#include "gpu/primitives/schedule/queues.h"

namespace warpview::WARPVIEW_BACKEND::ships {

void run_from_kernels(Scheduler scheduler, const schedule::Run<Application>& run);

}  // namespace warpview::WARPVIEW_BACKEND::ships
