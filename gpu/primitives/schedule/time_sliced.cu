// The scheduler of time_sliced.h on the laboratory's trees.
#include "gpu/primitives/schedule/time_sliced.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_time_sliced(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::time_sliced(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
