// The schedulers of hybrid.h on the laboratory's trees.
#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/schedule/hybrid.h"

#include "gpu/primitives/schedule/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_hybrid(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::hybrid(run); });
}
std::unique_ptr<Prepared> schedule_hybrid_mega(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::hybrid_mega(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
