// The first two kernels of the textbook form: every item gets the number of its run.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::runs {

// numbers[i] becomes the number of runs begun up to item i: the number of its run, from 1.
// *count is written only for n == 0. Allowed in a measuring Scratch, where pointers are null.
void number(Stream& stream, const std::uint32_t* keys, std::uint32_t n, std::uint32_t* numbers,
            std::uint32_t* count, Scratch& scratch);

}  // namespace warpview::WARPVIEW_BACKEND::runs
