// Small vector and box types shared by host and device code on every backend.
// They are layout-compatible with glm's vec2/vec3 (asserted in scenes/), which itself does not
// compile in HIP 5.2 device code.
#pragma once

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define WARPVIEW_HD __host__ __device__
#else
#define WARPVIEW_HD
#endif

namespace warpview {

struct Vec2 {
  float x, y;
};

struct Vec3 {
  float x, y, z;
};

WARPVIEW_HD constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
WARPVIEW_HD constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
WARPVIEW_HD constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
WARPVIEW_HD constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WARPVIEW_HD constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Not fminf: with a NaN operand the *second* one is returned, the same on all three compilers.
WARPVIEW_HD constexpr float min_of(float a, float b) { return a < b ? a : b; }
WARPVIEW_HD constexpr float max_of(float a, float b) { return a > b ? a : b; }

WARPVIEW_HD constexpr Vec3 min_of(Vec3 a, Vec3 b) {
  return {min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z)};
}
WARPVIEW_HD constexpr Vec3 max_of(Vec3 a, Vec3 b) {
  return {max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z)};
}

// Axis-aligned box. The empty box (min > max) is the identity of `merge`.
struct Aabb {
  Vec3 min, max;

  WARPVIEW_HD static constexpr Aabb empty() {
    constexpr float big = 3.402823466e38F;  // FLT_MAX: stays finite under every operation we do
    return {{big, big, big}, {-big, -big, -big}};
  }
  WARPVIEW_HD constexpr bool is_empty() const { return min.x > max.x; }
  WARPVIEW_HD constexpr Vec3 centre() const {
    // Halve before adding: min + max could overflow.
    return min * 0.5F + max * 0.5F;
  }
  // Half the surface area; 0 for the empty box and for a point. The usual weight of the SAH.
  WARPVIEW_HD constexpr float half_area() const {
    if (is_empty()) return 0.0F;
    const Vec3 e = max - min;
    return e.x * e.y + e.y * e.z + e.z * e.x;
  }
};

WARPVIEW_HD constexpr Aabb merge(const Aabb& a, const Aabb& b) {
  return {min_of(a.min, b.min), max_of(a.max, b.max)};
}

static_assert(sizeof(Vec2) == 8 && sizeof(Vec3) == 12 && sizeof(Aabb) == 24);

}  // namespace warpview
