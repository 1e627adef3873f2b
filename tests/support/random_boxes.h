// Random boxes, and places and sizes that floats hold badly.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "tests/steps/support.h"

namespace warpview::test {

// Where a point of the unit cube around the origin goes.
using Placement = std::function<Vec3(Vec3)>;
inline Vec3 stays(Vec3 v) { return v; }

inline std::vector<Aabb> random_boxes(std::uint32_t n, std::uint64_t seed,
                                      const Placement& place = stays) {
  Random random(seed);
  std::vector<Aabb> boxes(n);
  for (Aabb& box : boxes) {
    const Vec3 a = random.vector();
    const Vec3 from = place(a);
    const Vec3 to = place(a + random.vector() * 0.1F);
    box = Aabb{min_of(from, to), max_of(from, to)}.with_positive_zeros();
  }
  return boxes;
}

// Flat and equal boxes, the largest and the smallest numbers, and far from the origin.
inline const std::vector<Placement>& hard_placements() {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  static const std::vector<Placement> placements = {
      [](Vec3 v) {
        return Vec3{v.x, 0.5F, v.z};
      },
      [](Vec3) {
        return Vec3{1.0F, -2.0F, 0.0F};
      },
      [](Vec3 v) {
        return Vec3{v.x * 0.9F * most, v.y * 1e30F, v.z};
      },
      [](Vec3 v) {
        return Vec3{v.x > 0.0F ? most : -most, v.y, v.z > 0.5F ? most : 0.0F};
      },
      [](Vec3 v) {
        return Vec3{v.x * 300.0F * least, v.y * 1e-38F, v.z * 3.0F * least};
      },
      [](Vec3 v) {
        return Vec3{1e6F + v.x, 1e7F + v.y, -1e8F + 9.0F * v.z};
      }};
  return placements;
}

}  // namespace warpview::test
