// The symbols that the program looks up in the module.
#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/recorded_device.h"
#include "gpu/simt/recorded/recorder.h"

namespace warpview {
namespace {

std::unique_ptr<Device> open_device(const CpuOptions& options, unsigned interleave) {
  simt::recording::set_interleave(interleave);
  return open_cpu_device(options);
}

constexpr RecordedModule module = {open_device,
                                   simt::recording::begin,
                                   simt::recording::take,
                                   simt::recording::abandon,
                                   simt::recording::why_full,
                                   forward_interruption_points,
                                   launch_fault};

}  // namespace
}  // namespace warpview

extern "C" [[gnu::visibility("default")]] const warpview::RecordedModule*
warpview_recorded_module() {
  return &warpview::module;
}
