// The scheduler of kernel_by_kernel.h on the laboratory's trees.
#include "gpu/primitives/schedule/kernel_by_kernel.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_kernel_by_kernel(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::kernel_by_kernel(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
