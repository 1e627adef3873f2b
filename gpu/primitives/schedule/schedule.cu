// The schedulers on the laboratory's trees. Each is a header of this folder; dynamic.cu and
// hybrid.cu hold those that launch kernels from kernels.
#include "gpu/primitives/schedule/prepared.h"
#include "gpu/primitives/schedule/schedulers.h"

namespace warpview::WARPVIEW_BACKEND {

std::unique_ptr<Prepared> schedule_run_to_completion(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::run_to_completion(run); });
}
std::unique_ptr<Prepared> schedule_kernel_by_kernel(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::kernel_by_kernel(run); });
}
std::unique_ptr<Prepared> schedule_time_sliced(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::time_sliced(run); });
}
std::unique_ptr<Prepared> schedule_persistent(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::persistent(run); });
}
std::unique_ptr<Prepared> schedule_megakernel(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::megakernel(run); });
}
std::unique_ptr<Prepared> schedule_megakernel_local(Stream& stream, const ScheduleArgs& args) {
  return schedule::prepare(stream, args, [](const auto& run) { schedule::megakernel_local(run); });
}

}  // namespace warpview::WARPVIEW_BACKEND
