// The schedulers that launch kernels from kernels, on each application.
#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/applications/reyes_procedures.h"
#include "gpu/applications/ships_procedures.h"
#include "gpu/applications/subdivision_procedures.h"
#include "gpu/applications/svg_procedures.h"
#include "gpu/primitives/schedule/launching_schedulers.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template void run_from_kernels(Scheduler, const Run<reyes::Application>&);
template void run_from_kernels(Scheduler, const Run<ships::Application>&);
template void run_from_kernels(Scheduler, const Run<subdivision::Application>&);
template void run_from_kernels(Scheduler, const Run<svg::Application>&);

}  // namespace warpview::WARPVIEW_BACKEND::schedule

#endif
