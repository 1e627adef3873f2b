// Lines of the sources that recorded places come from.
#pragma once

#include <string>

#include "gpu/recording/recording.h"

namespace warpview {

// Gives each place of the recording the line of its code and the calls that were inlined, by
// addr2line of binutils and the module's debug information. Where either is missing, places that
// the executor did not know stay without lines, and the reason is returned; else empty.
std::string find_lines(Recording& recording);

}  // namespace warpview
