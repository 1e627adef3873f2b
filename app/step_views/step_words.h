// A step of a recording in words.
#pragma once

#include <string>

#include "gpu/recording/playback.h"

namespace warpview::step_views {

// What the step that was executed last did: "Block 3, warp 1: 32 lanes read input (scan.cu:88)".
std::string step_in_words(const Playback& at);

// What was recorded: "scan lookback, sum_u32, 4096 items, warps of 32, seed 1".
std::string run_in_words(const Recording& recording);

}  // namespace warpview::step_views
