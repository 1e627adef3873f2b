// What the laboratory tells of an answer in words.
#pragma once

#include <string>

#include "gpu/lab/laboratory.h"

namespace warpview {

// "2.50e+09 operations/s; failed takes 0, refused appends 3", without the rate where nothing was
// timed; empty where bytes are what counts.
std::string lab_operations(const lab::Answer& answer);

// "from load to load 651 ns": what the experiment tells beside it; empty where it tells nothing.
std::string lab_facts(const lab::Answer& answer);

// By how many times the variant takes less time than the library, or more: "1.32 x faster",
// "213 x slower", "as fast". Empty where either was not timed, and of the library itself.
std::string against_library(const lab::Answer& answer);

}  // namespace warpview
