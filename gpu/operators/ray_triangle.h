// Rays and triangles, watertight: a ray that passes between two triangles with a common edge hits
// one of them. The result has the same bits on every backend and in the reference. Files that
// include it are compiled without contraction (gpu/CMakeLists.txt).
//
//   S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, 2013.
#pragma once

#include "gpu/operators/ray_box.h"

namespace warpview {

struct TriangleHit {
  float t;     // hit point: origin + t * direction
  float u, v;  // barycentric coordinates of the second and the third corner
};

// A ray in the form that triangles are tested against. In its space, which permutes and shears the
// axes, the ray runs along z from the origin: a hit is a matter of three 2D edges around the
// origin. An edge function of two corners only changes its sign when the corners are swapped, to
// the bit, so that neighbours agree about which side of their edge the ray passes. `ray` can hit
// something.
class RayShear {
 public:
  RayShear() = default;
  HOST_DEVICE explicit RayShear(const BoundedRay& ray)
      : origin_(ray.origin), tmin_(ray.tmin), tmax_(ray.tmax), along_(longest(ray.direction)) {
    const Vec3 d = permuted(ray.direction);
    shear_ = {d.x / d.z, d.y / d.z, 1.0F / d.z};
  }

  // Does the ray hit the triangle, from either side? Triangles without area are not hit, nor those
  // with a coordinate that is NaN or infinite.
  HOST_DEVICE bool meets(Vec3 a, Vec3 b, Vec3 c, TriangleHit& hit) const {
    const Vec3 pa = sheared(a);
    const Vec3 pb = sheared(b);
    const Vec3 pc = sheared(c);
    float of_a = edge(pc, pb);
    float of_b = edge(pa, pc);
    float of_c = edge(pb, pa);
    // On an edge by rounding, or truly: products of two floats are exact in double.
    if (of_a == 0.0F || of_b == 0.0F || of_c == 0.0F) {
      of_a = exact_edge(pc, pb);
      of_b = exact_edge(pa, pc);
      of_c = exact_edge(pb, pa);
    }
    const bool any_negative = of_a < 0.0F || of_b < 0.0F || of_c < 0.0F;
    const bool any_positive = of_a > 0.0F || of_b > 0.0F || of_c > 0.0F;
    if (any_negative && any_positive) return false;
    const float all = of_a + of_b + of_c;
    if (all == 0.0F) return false;
    const float scale = 1.0F / all;
    const float t = (of_a * pa.z + of_b * pb.z + of_c * pc.z) * scale;
    if (!(t >= tmin_ && t <= tmax_)) return false;
    hit = {t, of_b * scale, of_c * scale};
    return true;
  }

 private:
  // The axis along which the direction is longest becomes z.
  HOST_DEVICE static int longest(Vec3 d) {
    const float x = size(d.x);
    const float y = size(d.y);
    const float z = size(d.z);
    if (x > y) return x > z ? 0 : 2;
    return y > z ? 1 : 2;
  }
  HOST_DEVICE static float size(float x) { return x < 0.0F ? -x : x; }
  HOST_DEVICE Vec3 permuted(Vec3 v) const {
    if (along_ == 0) return {v.y, v.z, v.x};
    if (along_ == 1) return {v.z, v.x, v.y};
    return v;
  }
  HOST_DEVICE Vec3 sheared(Vec3 corner) const {
    const Vec3 p = permuted(corner - origin_);
    return {p.x - shear_.x * p.z, p.y - shear_.y * p.z, shear_.z * p.z};
  }
  HOST_DEVICE static float edge(Vec3 p, Vec3 q) { return p.x * q.y - p.y * q.x; }
  HOST_DEVICE static float exact_edge(Vec3 p, Vec3 q) {
    const double first = static_cast<double>(p.x) * static_cast<double>(q.y);
    const double second = static_cast<double>(p.y) * static_cast<double>(q.x);
    return static_cast<float>(first - second);
  }

  Vec3 origin_{}, shear_{};
  float tmin_ = 0.0F, tmax_ = 0.0F;
  int along_ = 2;
};

}  // namespace warpview
