// The file of the CPU device that records (gpu/runtime/recorded_device.h), which is built
// separately from the program.
#pragma once

#include <filesystem>

#include "gpu/runtime/source_module.h"

namespace warpview {

ModuleState recorded_module_state();
// Where the program looks for it.
std::filesystem::path recorded_module_path();

}  // namespace warpview
