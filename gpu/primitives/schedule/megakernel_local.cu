// The scheduler of megakernel_local.h on the laboratory's trees.
#include "gpu/primitives/schedule/megakernel_local.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_megakernel_local(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::megakernel_local(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
