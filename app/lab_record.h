// `warpview lab --record`: what one variant does, in a file.
#pragma once

#include "app/options.h"

namespace warpview {

// Records what the options ask for, one primitive's variant in one form at one size, and writes it.
// Prints what it has become. Returns exit_verify when the result differs from its reference; the
// recording is written nevertheless. ChoiceError when more or less than one run is asked for.
int run_lab_record(const Options& options);

}  // namespace warpview
