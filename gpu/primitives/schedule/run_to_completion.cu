// The scheduler of run_to_completion.h on the laboratory's trees.
#include "gpu/primitives/schedule/run_to_completion.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_run_to_completion(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::run_to_completion(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
