// The scheduler of megakernel.h on the laboratory's trees.
#include "gpu/primitives/schedule/megakernel.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_megakernel(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::megakernel(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
