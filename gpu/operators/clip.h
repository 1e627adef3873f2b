// How much of a triangle lies in a box.
//
//   I. Sutherland, G. Hodgman, Reentrant Polygon Clipping, 1974: a convex polygon is clipped by one
//   plane after another.
#pragma once

#include <cmath>

#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vec.h"

namespace warpview::WARPVIEW_BACKEND {

// A convex polygon. Each of a box's six sides adds at most one corner to the triangle's three.
struct ClippedPolygon {
  static constexpr unsigned most_corners = 9;
  Vec3 corners[most_corners];
  unsigned count = 0;

  __device__ void add(const Vec3& corner) {
    if (count < most_corners) corners[count++] = corner;
  }
  // What lies on the side of the plane where distance(corner) is not negative.
  template <class Distance>
  __device__ ClippedPolygon inside(Distance&& distance) const {
    ClippedPolygon kept;
    for (unsigned i = 0; i < count; ++i) {
      const Vec3& from = corners[i];
      const Vec3& to = corners[i + 1 < count ? i + 1 : 0];
      const float a = distance(from);
      const float b = distance(to);
      if (a >= 0.0F) kept.add(from);
      if ((a < 0.0F) != (b < 0.0F)) kept.add(from + (to - from) * (a / (a - b)));
    }
    return kept;
  }
  __device__ float area() const {
    Vec3 sum{};
    for (unsigned i = 2; i < count; ++i)
      sum = sum + cross(corners[i - 1] - corners[0], corners[i] - corners[0]);
    return 0.5F * sqrtf(dot(sum, sum));
  }
};

// The area of the triangle's part in the box; its rim counts as inside. Finite corners.
__device__ inline float area_inside(const Vec3& a, const Vec3& b, const Vec3& c, const Aabb& box) {
  ClippedPolygon polygon{{a, b, c}, 3};
  polygon = polygon.inside([&](const Vec3& p) { return p.x - box.min.x; });
  polygon = polygon.inside([&](const Vec3& p) { return box.max.x - p.x; });
  polygon = polygon.inside([&](const Vec3& p) { return p.y - box.min.y; });
  polygon = polygon.inside([&](const Vec3& p) { return box.max.y - p.y; });
  polygon = polygon.inside([&](const Vec3& p) { return p.z - box.min.z; });
  polygon = polygon.inside([&](const Vec3& p) { return box.max.z - p.z; });
  return polygon.area();
}

}  // namespace warpview::WARPVIEW_BACKEND
