// What the laboratory tells of primitives that are measured by their operations.
#pragma once

#include <string>

#include "gpu/lab/laboratory.h"

namespace warpview {

// "2.50e+09 operations/s; failed takes 0, refused appends 3", without the rate where nothing was
// timed; empty where bytes are what counts.
std::string lab_operations(const lab::Answer& answer);

}  // namespace warpview
