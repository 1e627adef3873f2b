// The symbols that the program looks up in the module.
#include "gpu/runtime/counted_device.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/simt/counted/recorder.h"

namespace warpview {
namespace {

std::unique_ptr<Device> open_device(const CpuOptions& options, unsigned banks) {
  simt::counting::set_banks(banks);
  CpuOptions in_order = options;
  in_order.workers = 1;
  return open_cpu_device(in_order);
}

constexpr CountedModule module = {open_device, simt::counting::take, forward_interruption_points};

}  // namespace
}  // namespace warpview

extern "C" [[gnu::visibility("default")]] const warpview::CountedModule* warpview_counted_module() {
  return &warpview::module;
}
