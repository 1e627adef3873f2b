// The bounds of a scene: the mesh pipeline reduces the triangles' boxes to these.
#pragma once

#include "gpu/operators/operator.h"
#include "gpu/runtime/vec.h"

namespace warpview {

struct SceneBounds {
  Aabb points;   // union of the boxes: the bounds of every point in them
  Aabb centres;  // bounds of the boxes' centres, the domain of the Morton codes
};

struct UniteBounds {
  using Type = SceneBounds;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr Type identity() { return {Aabb::empty(), Aabb::empty()}; }
  HOST_DEVICE static constexpr Type combine(const Type& a, const Type& b) {
    return {merge(a.points, b.points), merge(a.centres, b.centres)};
  }
};

}  // namespace warpview
