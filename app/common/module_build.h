// The CPU device's counting and recording modules take minutes to compile, and most users never
// need them. The program therefore builds a module when it is first needed.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "gpu/runtime/source_module.h"

namespace warpview {

// Builds the module in the program's build tree if it is missing or outdated, and waits. `tell`
// gets the progress in words. Does nothing if the module is up to date, if the program is not in a
// build tree, or if the environment names a module. Throws Interrupted once `cancelled` is set, and
// Error with the end of the compiler's output if the build fails.
void build_module(const SourceModule& module, const std::function<void(const std::string&)>& tell,
                  const std::atomic<bool>* cancelled = nullptr);

// Turns ninja's "[3/20] Building ..." into words for the user. Empty for other lines.
std::string module_build_progress(std::string_view line, std::string_view name);

}  // namespace warpview
