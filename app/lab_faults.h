// `warpview lab faults`: kernels that are wrong on purpose, and what shows it.
#pragma once

#include "app/options.h"

namespace warpview {

// Lists the faults; or, given one by its name or --variant, runs it with many seeds under the
// schedule of a recording, and prints in how many of them each check shows it. --record writes the
// first run that shows it, and draws it where it shows the fault. Returns exit_verify when a fault
// is not shown, or its right twin is not right. ChoiceError when more than one is asked for, or
// what faults do not have.
int run_lab_faults(const Options& options);

}  // namespace warpview
