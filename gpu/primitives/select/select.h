// Select: the items that pass a test, in their order.
#pragma once

#include "gpu/primitives/select/passing.h"

namespace warpview {

// The items that pass are written to out, one behind the other; what lies behind the last one
// written is undefined.
struct SelectArgs : PassingArgs {};

}  // namespace warpview
