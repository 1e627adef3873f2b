// A bicubic Bézier patch.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// Control points row by row; u runs along a row, v from row to row.
struct BezierPatch {
  Vec3 points[16];
};

}  // namespace warpview
