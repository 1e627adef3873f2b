// The bounds of a scene: what the mesh pipeline reduces the triangles' boxes to.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

struct SceneBounds {
  Aabb points;   // union of the boxes: the bounds of every point in them
  Aabb centres;  // bounds of the boxes' centres, the domain of the Morton codes
};

}  // namespace warpview
