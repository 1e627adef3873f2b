#include "gpu/runtime/counted_device.h"

#include "gpu/runtime/source_module.h"

namespace warpview {
namespace {

// Null until a device is opened.
const CountedModule* loaded = nullptr;

}  // namespace

std::unique_ptr<Device> open_counted_device(const CpuOptions& options, unsigned banks) {
  static const auto& module = load_module<CountedModule>(counting_module);
  loaded = &module;
  return module.open_device(options, banks);
}

std::vector<KernelCounters> take_counters() {
  return loaded ? loaded->take_counters() : std::vector<KernelCounters>();
}

}  // namespace warpview
