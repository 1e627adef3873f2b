// What the laboratory tells of an answer in words.
#pragma once

#include <string>

#include "app/common/change.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

// "2.50e+09 operations/s; failed takes 0, refused appends 3", without the rate where nothing was
// timed; empty where bytes are what counts.
std::string lab_operations(const lab::Answer& answer);

// "from load to load 651 ns": what the experiment tells beside it; empty where it tells nothing.
std::string lab_facts(const lab::Answer& answer);

// From the library to the variant. Empty where either was not timed, and of the library itself.
Change against_library(const lab::Answer& answer);

// On the cpu device the library's variant is native code, and all others are emulated.
bool is_native(VariantId variant, Backend backend);
// The device as captions of times name it, with that.
std::string device_in_plots(const DeviceInfo& device);
inline constexpr const char* native_in_words = "native, not emulated";

}  // namespace warpview
