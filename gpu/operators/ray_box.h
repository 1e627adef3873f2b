// Rays and boxes: the slab test of every walk down a tree, with the same bits on every backend and
// in the reference. Files that include it are compiled without contraction (gpu/CMakeLists.txt).
//
//   T. Kay, J. Kajiya, Ray Tracing Complex Scenes, 1986 (slabs).
//   T. Ize, Robust BVH Ray Traversal, 2013 (how far rounding can move an exit).
#pragma once

#include <cmath>
#include <limits>

#include "gpu/runtime/vec.h"

namespace warpview {

// The points origin + t * direction with tmin <= t <= tmax; 32 bytes, two 16-byte loads. The
// direction need not have length 1. tmin is at least 0, tmax may be infinite.
struct alignas(16) BoundedRay {
  Vec3 origin{};
  float tmin = 0.0F;
  Vec3 direction{};
  float tmax = std::numeric_limits<float>::infinity();
};
static_assert(sizeof(BoundedRay) == 32);

// Is there anything that the ray could hit? Not if a component is NaN or infinite (tmax may be
// infinite), if it has no direction, or if it ends before it begins.
HOST_DEVICE inline bool can_hit(const BoundedRay& ray) {
  constexpr float most = std::numeric_limits<float>::max();
  const auto is_finite = [](float x) { return x >= -most && x <= most; };
  const auto all_finite = [&](Vec3 v) {
    return is_finite(v.x) && is_finite(v.y) && is_finite(v.z);
  };
  return all_finite(ray.origin) && all_finite(ray.direction) &&
         (ray.direction.x != 0.0F || ray.direction.y != 0.0F || ray.direction.z != 0.0F) &&
         ray.tmin >= 0.0F && ray.tmin <= most && ray.tmax >= ray.tmin;
}

// The second operand where the first one is NaN. One instruction on GPUs and on the CPU.
HOST_DEVICE inline float smaller_of(float a, float b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}
HOST_DEVICE inline float larger_of(float a, float b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

// A ray in the form that boxes are tested against. `ray` can hit something.
class RaySlabs {
 public:
  // Where a ray enters a box that it misses: beyond every distance.
  static constexpr float misses = std::numeric_limits<float>::infinity();

  RaySlabs() = default;
  HOST_DEVICE explicit RaySlabs(const BoundedRay& ray)
      : origin_(ray.origin),
        inverse_{1.0F / ray.direction.x, 1.0F / ray.direction.y, 1.0F / ray.direction.z},
        tmin_(ray.tmin),
        tmax_(smaller_of(ray.tmax, std::numeric_limits<float>::max())) {}

  // The t at which the ray enters the box, which holds no NaN; tmin where it begins inside;
  // `misses` where it does not meet the box.
  //
  // Monotone: a box inside another is not entered before it, to the bit, since each step below
  // keeps the order of its operands. A walk may thus skip a node that is entered behind the best
  // hit so far, and finds the hit that testing all triangles finds. The exit is moved back by more
  // than the rounding of three operations can have moved it forward: no triangle in a box is
  // missed.
  HOST_DEVICE float enter(Vec3 min, Vec3 max) const {
    float first, last;
    cut(min, max, first, last);
    return entered(first, last);
  }
  // The same, of a box whose sides are known by the ray's direction (downwards()): those that the
  // ray comes to first, and those that it comes to last.
  HOST_DEVICE float enter_sides(Vec3 near, Vec3 far) const {
    float first, last;
    cut_sides(near, far, first, last);
    return entered(first, last);
  }

  // The part of the ray in the box, as computed; none if first > last.
  HOST_DEVICE void cut(Vec3 min, Vec3 max, float& first, float& last) const {
    const bool up_x = inverse_.x > 0.0F;
    const bool up_y = inverse_.y > 0.0F;
    const bool up_z = inverse_.z > 0.0F;
    cut_sides({up_x ? min.x : max.x, up_y ? min.y : max.y, up_z ? min.z : max.z},
              {up_x ? max.x : min.x, up_y ? max.y : min.y, up_z ? max.z : min.z}, first, last);
  }

  // The axes along which the ray runs downwards: bit 0 for x, 1 for y, 2 for z.
  HOST_DEVICE unsigned downwards() const {
    return (inverse_.x > 0.0F ? 0U : 1U) | (inverse_.y > 0.0F ? 0U : 2U) |
           (inverse_.z > 0.0F ? 0U : 4U);
  }
  HOST_DEVICE float tmin() const { return tmin_; }
  HOST_DEVICE float tmax() const { return tmax_; }  // finite

 private:
  // Where the ray enters a box between whose sides it is from `first` to `last`.
  HOST_DEVICE static float entered(float first, float last) {
    constexpr float padding = 1.00000048F;  // 4 units in the last place
    if (first <= last * padding) return first;
    return misses;
  }

  HOST_DEVICE void cut_sides(Vec3 near, Vec3 far, float& first, float& last) const {
    first = tmin_;
    last = tmax_;
    cut_axis(near.x, far.x, origin_.x, inverse_.x, first, last);
    cut_axis(near.y, far.y, origin_.y, inverse_.y, first, last);
    cut_axis(near.z, far.z, origin_.z, inverse_.z, first, last);
  }

  // Across an axis along which the ray does not move the inverse is infinite: so are the products,
  // or NaN where the ray lies in a plane. A NaN cuts nothing off, and such a ray counts as inside.
  HOST_DEVICE static void cut_axis(float near, float far, float origin, float inverse, float& first,
                                   float& last) {
    first = larger_of((near - origin) * inverse, first);
    last = smaller_of((far - origin) * inverse, last);
  }

  Vec3 origin_{}, inverse_{};
  float tmin_ = 0.0F, tmax_ = 0.0F;
};

}  // namespace warpview
