// A run without a window: pictures, reports and checks for scripts, tests and the benchmark.
#pragma once

#include "app/model.h"
#include "app/options.h"

namespace warpview {

// Opens the options' scene, runs their frames at a fixed step of 1/60 s, and writes what they ask
// for. Returns exit_success or, after a message, exit_verify. InputError when the scene cannot be
// opened; UnavailableError and UsageError as open_device(); Error when the device fails or an
// output cannot be written.
int run_headless(Model& model, const Options& options);

}  // namespace warpview
