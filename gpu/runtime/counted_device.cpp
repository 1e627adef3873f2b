#include "gpu/runtime/counted_device.h"

#include <dlfcn.h>

#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/module_path.h"

namespace warpview {

#if defined(WARPVIEW_BUILT_COUNTED)

namespace {

const CountedModule& load_module() {
  const auto path = module_path("libwarpview_counted.so", "WARPVIEW_COUNTED_MODULE");
  // Never unloaded: its devices and its code live as long as the program.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    throw UnavailableError("the CPU device that counts", dlerror(),
                           "Keep the module beside the program, or build it: target "
                           "warpview_counted");
  const auto entry = reinterpret_cast<CountedModuleEntry*>(dlsym(module, counted_module_entry));
  if (!entry)
    throw UnavailableError("the CPU device that counts",
                           path.string() + " is not Warpview's module for it",
                           "Unset WARPVIEW_COUNTED_MODULE, or build again");
  const CountedModule& loaded_module = *entry();
  loaded_module.forward_interruption_points(interruption_point);
  return loaded_module;
}

// Null until a device is opened.
const CountedModule* loaded = nullptr;

}  // namespace

std::unique_ptr<Device> open_counted_device(const CpuOptions& options, unsigned banks) {
  static const CountedModule& module = load_module();
  loaded = &module;
  return module.open_device(options, banks);
}

std::vector<KernelCounters> take_counters() {
  return loaded ? loaded->take_counters() : std::vector<KernelCounters>();
}

#else

std::unique_ptr<Device> open_counted_device(const CpuOptions&, unsigned) {
  throw UnavailableError("the CPU device that counts", "this program was " WARPVIEW_COUNTED_ABSENT,
                         "Build it by GCC without sanitizers");
}

std::vector<KernelCounters> take_counters() { return {}; }

#endif

}  // namespace warpview
