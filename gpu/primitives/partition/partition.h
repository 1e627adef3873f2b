// Partition: the items that pass a test to the front, the others to the back.
#pragma once

#include "gpu/primitives/select/passing.h"

namespace warpview {

// The items that pass are written from the front of out on, in their order. The others are written
// from its end backwards, so that they come out in reverse order: where the front ends is known to
// nobody before all items have been seen.
struct PartitionArgs : PassingArgs {};

}  // namespace warpview
