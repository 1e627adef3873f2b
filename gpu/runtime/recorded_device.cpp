#include "gpu/runtime/recorded_device.h"

#include "gpu/runtime/source_module.h"

namespace warpview {
namespace {

const RecordedModule& loaded_module() {
  static const auto& module = load_module<RecordedModule>(recording_module);
  return module;
}

}  // namespace

std::unique_ptr<Device> open_recorded_device(const CpuOptions& options, unsigned interleave) {
  return loaded_module().open_device(options, interleave);
}

void begin_recording(const BlockRanges& blocks) { loaded_module().begin(blocks); }

std::string why_recording_is_full() {
  const char* const why = loaded_module().why_full();
  return why == nullptr ? "" : why;
}

Recording take_recording(const std::vector<Region>& regions) {
  return loaded_module().take(regions);
}

void abandon_recording() { loaded_module().abandon(); }

void launch_recorded_fault(Stream& stream, unsigned form, const FaultArgs& args) {
  loaded_module().launch_fault(stream, form, args);
}

}  // namespace warpview
