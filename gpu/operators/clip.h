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

// A triangle in units of its own size, seen from one of its corners: what lies far from the origin,
// or is very large or very small, is clipped as well as anything else. Finite corners.
class TriangleToClip {
 public:
  __device__ TriangleToClip(const Vec3& a, const Vec3& b, const Vec3& c) : origin_(a * 0.5F) {
    const Vec3 to_b = b * 0.5F - origin_;
    const Vec3 to_c = c * 0.5F - origin_;
    half_size_ = max_of(largest_part(to_b), largest_part(to_c));
    if (half_size_ > 0.0F) whole_ = {{Vec3{}, scaled(to_b), scaled(to_c)}, 3};
  }

  __device__ double area() const { return in_square_units(whole_.area()); }
  // The area of its part in the box, whose rim counts as inside.
  __device__ double area_inside(const Aabb& box) const {
    if (!(half_size_ > 0.0F)) return 0.0;
    const Vec3 min = scaled(box.min * 0.5F - origin_);
    const Vec3 max = scaled(box.max * 0.5F - origin_);
    ClippedPolygon polygon = whole_;
    polygon = polygon.inside([&](const Vec3& p) { return p.x - min.x; });
    polygon = polygon.inside([&](const Vec3& p) { return max.x - p.x; });
    polygon = polygon.inside([&](const Vec3& p) { return p.y - min.y; });
    polygon = polygon.inside([&](const Vec3& p) { return max.y - p.y; });
    polygon = polygon.inside([&](const Vec3& p) { return p.z - min.z; });
    polygon = polygon.inside([&](const Vec3& p) { return max.z - p.z; });
    return in_square_units(polygon.area());
  }

 private:
  __device__ static float largest_part(const Vec3& v) {
    return max_of(fabsf(v.x), max_of(fabsf(v.y), fabsf(v.z)));
  }
  // Divided, not multiplied by an inverse, which would be infinite for the smallest sizes.
  __device__ Vec3 scaled(const Vec3& v) const {
    return {v.x / half_size_, v.y / half_size_, v.z / half_size_};
  }
  __device__ double in_square_units(float area) const {
    const double size = 2.0 * half_size_;
    return size * size * area;
  }

  Vec3 origin_;  // half of it: differences of halves do not overflow
  float half_size_ = 0.0F;
  ClippedPolygon whole_;
};

}  // namespace warpview::WARPVIEW_BACKEND
