// The scheduler of persistent.h on the laboratory's trees.
#include "gpu/primitives/schedule/persistent.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_persistent(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::persistent(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
