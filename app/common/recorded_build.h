// Builds the module of the CPU device that records (gpu/runtime/recorded_device.h) when it is first
// needed, and finds the lines of the sources that its code came from.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "gpu/recording/recording.h"

namespace warpview {

// As build_module (app/common/module_build.h).
void build_recorded_module(const std::function<void(const std::string&)>& tell,
                           const std::atomic<bool>* cancelled = nullptr);

// Gives each place of the recording the line of its code and the calls that were inlined, by
// addr2line of binutils and the module's debug information. Where either is missing, places that
// the executor did not know stay without lines, and the reason is returned; else empty.
std::string find_lines(Recording& recording);

}  // namespace warpview
