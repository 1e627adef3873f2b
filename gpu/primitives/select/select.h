// Select: keeps the items that pass a test, in their order.
#pragma once

#include "gpu/primitives/select/passing.h"

namespace warpview {

// The items that pass are written contiguously to the front of out; elements after the last one
// written are undefined.
struct SelectArgs : PassingArgs {};

}  // namespace warpview
