// `warpview lab`: variants side by side, without a window.
#pragma once

#include "app/options.h"

namespace warpview {

// Runs what the options ask for and prints it on stdout, progress on stderr. Returns exit_verify
// when a result differs from its reference, else exit_success. ChoiceError when a form that was
// named exists in none of the primitives; UnavailableError when the device is not there; Error when
// results are to be verified alone and none could be computed.
int run_lab(const Options& options);

}  // namespace warpview
