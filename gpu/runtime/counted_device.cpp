#include "gpu/runtime/counted_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "gpu/runtime/counted_module.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/module_path.h"

namespace warpview {

#if defined(WARPVIEW_BUILT_COUNTED)

namespace {

// Reads the module as a file: one of other sources must not be loaded, since its classes may
// differ.
bool is_of_these_sources(const std::filesystem::path& module) {
  std::ifstream in(module, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::string_view wanted = counted_sources;
  return std::search(bytes.begin(), bytes.end(),
                     std::boyer_moore_horspool_searcher(wanted.begin(), wanted.end())) !=
         bytes.end();
}

const CountedModule& load_module() {
  const auto path = counted_module_path();
  if (counted_module_state() == CountedModuleState::of_other_sources)
    throw UnavailableError("the CPU device that counts",
                           path.string() + " is not built from this program's sources",
                           "Build both again: ./run --all");
  // Never unloaded: its devices and its code live as long as the program.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    throw UnavailableError("the CPU device that counts", dlerror(),
                           "Keep the module beside the program, or build it: ./run --all");
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

std::filesystem::path counted_module_path() {
  return module_path("libwarpview_counted.so", "WARPVIEW_COUNTED_MODULE");
}

CountedModuleState counted_module_state() {
  const auto path = counted_module_path();
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable)) return CountedModuleState::missing;
  return is_of_these_sources(path) ? CountedModuleState::ready
                                   : CountedModuleState::of_other_sources;
}

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
