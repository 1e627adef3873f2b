// Rays through a tree over boxes.
#pragma once

#include <cstdint>

#include "gpu/primitives/trace/trace.h"

namespace warpview {

// For each of n rays the nearest hit of a leaf's box between tmin and tmax: where the ray enters
// it or, from within, leaves it. Of equally near boxes the one with the smallest number; u and v
// are 0. The tree must be fitted.
struct TraceBoxesArgs {
  const BoundedRay* rays = nullptr;
  std::uint32_t n = 0;
  const std::uint32_t* count = nullptr;  // boxes, device memory
  Bvh bvh;
  RayHit* hits = nullptr;       // `triangle` is the box
  TraceSteps* steps = nullptr;  // null: not wanted
};

}  // namespace warpview
