#include "gpu/runtime/recorded_device.h"

#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/recorded_module.h"

namespace warpview {

#if defined(WARPVIEW_BUILT_COUNTED)

namespace {

constexpr SourceModule recorded_module = {.what = "the CPU device that records",
                                          .file = "libwarpview_recorded.so",
                                          .variable = "WARPVIEW_RECORDED_MODULE",
                                          .entry = recorded_module_entry};

const RecordedModule& loaded_module() {
  static const RecordedModule& module = []() -> const RecordedModule& {
    const RecordedModule& it = *reinterpret_cast<RecordedModuleEntry*>(recorded_module.load())();
    it.forward_interruption_points(interruption_point);
    return it;
  }();
  return module;
}

}  // namespace

std::filesystem::path recorded_module_path() { return recorded_module.path(); }

ModuleState recorded_module_state() { return recorded_module.state(); }

std::unique_ptr<Device> open_recorded_device(const CpuOptions& options, unsigned interleave) {
  return loaded_module().open_device(options, interleave);
}

void begin_recording() { loaded_module().begin(); }

Recording take_recording(const std::vector<Region>& regions) {
  return loaded_module().take(regions);
}

void abandon_recording() { loaded_module().abandon(); }

#else

std::filesystem::path recorded_module_path() { return {}; }

ModuleState recorded_module_state() { return ModuleState::never_built; }

std::unique_ptr<Device> open_recorded_device(const CpuOptions&, unsigned) {
  throw UnavailableError("the CPU device that records", "this program was " WARPVIEW_COUNTED_ABSENT,
                         "Build it by GCC without sanitizers");
}

void begin_recording() {}

Recording take_recording(const std::vector<Region>&) { return {}; }

void abandon_recording() {}

#endif

}  // namespace warpview
