// Partition: items that pass a test go to the front, the others to the back.
#pragma once

#include "gpu/primitives/select/passing.h"

namespace warpview {

// The items that pass are written from the front of `out`, in their order. The others are written
// backwards from its end and so come out in reverse order: where the front part ends is unknown
// until all items have been seen.
struct PartitionArgs : PassingArgs {};

}  // namespace warpview
