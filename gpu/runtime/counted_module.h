// The file of the CPU device that counts (gpu/runtime/counted_device.h), which is built apart from
// the program.
#pragma once

#include <filesystem>

namespace warpview {

// Is there a module to load? `never_built`: this program's build has none.
enum class CountedModuleState { ready, missing, of_other_sources, never_built };
CountedModuleState counted_module_state();
// Where it is looked for.
std::filesystem::path counted_module_path();

// The program and its module both hold this text, which differs between states of their sources.
extern const char counted_sources[];

}  // namespace warpview
