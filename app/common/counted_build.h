// The module of the CPU device that counts (gpu/runtime/counted_device.h) takes two minutes to
// compile, and most users never ask for counters. So the program has it built when it is first
// needed.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace warpview {

// Has the build tree that the program lies in build the module, where that is missing or of other
// sources, and waits. `tell` gets the progress in words. Does nothing where the module is ready,
// where the program lies in no build tree, and where WARPVIEW_COUNTED_MODULE names a module.
// Interrupted when `cancelled` is set; Error with the end of the compiler's output where it cannot
// be built.
void build_counted_module(const std::function<void(const std::string&)>& tell,
                          const std::atomic<bool>* cancelled = nullptr);

// "[3/20] Building ..." of ninja as words for the user. Empty where the line is nothing else.
std::string counted_build_progress(std::string_view line);

}  // namespace warpview
