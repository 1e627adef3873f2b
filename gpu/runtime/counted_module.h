// The file of the CPU device that counts (gpu/runtime/counted_device.h), which is built separately
// from the program.
#pragma once

#include <filesystem>

#include "gpu/runtime/source_module.h"

namespace warpview {

using CountedModuleState = ModuleState;
CountedModuleState counted_module_state();
// Where the program looks for it.
std::filesystem::path counted_module_path();

}  // namespace warpview
