// An answer of the laboratory in words.
#pragma once

#include <string>

#include "app/common/change.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

// "2.50e+09 operations/s; failed takes 0, refused appends 3", without the rate if nothing was
// timed; empty if the primitive is measured in bytes.
std::string lab_operations(const lab::Answer& answer);

// "from load to load 651 ns": the experiment's own figures; empty if it has none.
std::string lab_facts(const lab::Answer& answer);

// Compares the variant with the library. Empty if either was not timed, and for the library itself.
Change against_library(const lab::Answer& answer);

// The device's name for captions, with a note about emulation.
std::string device_in_plots(const DeviceInfo& device);
inline constexpr const char* native_in_words = "native, not emulated";

}  // namespace warpview
