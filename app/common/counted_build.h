// Builds the module of the CPU device that counts (gpu/runtime/counted_device.h) when it is first
// needed.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace warpview {

// As build_module (app/common/module_build.h).
void build_counted_module(const std::function<void(const std::string&)>& tell,
                          const std::atomic<bool>* cancelled = nullptr);

// "[3/20] Building ..." of ninja as words for the user. Empty where the line is nothing else.
std::string counted_build_progress(std::string_view line);

}  // namespace warpview
