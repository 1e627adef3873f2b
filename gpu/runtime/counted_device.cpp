#include "gpu/runtime/counted_device.h"

#include "gpu/runtime/counted_module.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"

namespace warpview {

#if defined(WARPVIEW_BUILT_COUNTED)

namespace {

constexpr SourceModule counted_module = {.what = "the CPU device that counts",
                                         .file = "libwarpview_counted.so",
                                         .variable = "WARPVIEW_COUNTED_MODULE",
                                         .entry = counted_module_entry};

const CountedModule& load_module() {
  const CountedModule& module = *reinterpret_cast<CountedModuleEntry*>(counted_module.load())();
  module.forward_interruption_points(interruption_point);
  return module;
}

// Null until a device is opened.
const CountedModule* loaded = nullptr;

}  // namespace

std::filesystem::path counted_module_path() { return counted_module.path(); }

CountedModuleState counted_module_state() { return counted_module.state(); }

std::unique_ptr<Device> open_counted_device(const CpuOptions& options, unsigned banks) {
  static const CountedModule& module = load_module();
  loaded = &module;
  return module.open_device(options, banks);
}

std::vector<KernelCounters> take_counters() {
  return loaded ? loaded->take_counters() : std::vector<KernelCounters>();
}

#else

std::filesystem::path counted_module_path() { return {}; }

CountedModuleState counted_module_state() { return CountedModuleState::never_built; }

std::unique_ptr<Device> open_counted_device(const CpuOptions&, unsigned) {
  throw UnavailableError("the CPU device that counts", "this program was " WARPVIEW_COUNTED_ABSENT,
                         "Build it by GCC without sanitizers");
}

std::vector<KernelCounters> take_counters() { return {}; }

#endif

}  // namespace warpview
