// The scheduler of dynamic.h on the laboratory's trees.
#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/schedule/dynamic.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_dynamic(Stream& stream, const ScheduleArgs& args) {
  const auto room = std::make_shared<schedule::RoomForLaunches>(stream);
  return schedule::prepare(stream, args, [room](const auto& run) { schedule::dynamic(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
