// Modules of the CPU device that count and that record take minutes to compile, and most users
// never ask for them. So the program has one built when it is first needed.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "gpu/runtime/source_module.h"

namespace warpview {

// Has the build tree that the program lies in build the module, where that is missing or of other
// sources, and waits. `tell` gets the progress in words. Does nothing where the module is ready,
// where the program lies in no build tree, and where the environment names a module. Interrupted
// when `cancelled` is set; Error with the end of the compiler's output where it cannot be built.
void build_module(const SourceModule& module, const std::function<void(const std::string&)>& tell,
                  const std::atomic<bool>* cancelled = nullptr);

// "[3/20] Building ..." of ninja as words for the user. Empty where the line is nothing else.
std::string module_build_progress(std::string_view line, std::string_view name);

}  // namespace warpview
