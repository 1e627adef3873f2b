// The operator of the bounds reduction: how one box enters the result and how two results merge.
#pragma once

#include "gpu/reduce/bounds.h"
#include "gpu/runtime/vec.h"

namespace warpview {

WARPVIEW_HD constexpr SceneBounds empty_bounds() { return {Aabb::empty(), Aabb::empty()}; }

WARPVIEW_HD constexpr SceneBounds bounds_of(const Aabb& box) {
  if (box.is_empty()) return empty_bounds();
  const Vec3 centre = box.centre();
  return {box, {centre, centre}};
}

struct MergeBounds {
  WARPVIEW_HD constexpr SceneBounds operator()(const SceneBounds& a, const SceneBounds& b) const {
    return {merge(a.points, b.points), merge(a.centres, b.centres)};
  }
};

}  // namespace warpview
