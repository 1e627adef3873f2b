// The source lines of recorded places.
#pragma once

#include <string>

#include "gpu/recording/recording.h"

namespace warpview {

// Gives each place of the recording its source line and its inlined calls, by addr2line of binutils
// and the module's debug information. If either is missing, places unknown to the executor stay
// without lines, and the reason is returned; otherwise the result is empty.
std::string find_lines(Recording& recording);

}  // namespace warpview
