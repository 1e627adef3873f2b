// Small vector and box types shared by host and device code on every backend.
// They are layout-compatible with glm's vec2/vec3 (asserted in scenes/), which itself does not
// compile in HIP 5.2 device code.
#pragma once

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

namespace warpview {

struct Vec2 {
  float x, y;
};

struct Vec3 {
  float x, y, z;
};

// Three coordinates and a number that belongs to them: 16 bytes, one load.
struct alignas(16) Vec4 {
  Vec3 xyz;
  float w;
};

HOST_DEVICE constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HOST_DEVICE constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HOST_DEVICE constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
HOST_DEVICE constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HOST_DEVICE constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Not fminf: with a NaN operand the *second* one is returned, the same on all three compilers.
HOST_DEVICE constexpr float min_of(float a, float b) { return a < b ? a : b; }
HOST_DEVICE constexpr float max_of(float a, float b) { return a > b ? a : b; }

HOST_DEVICE constexpr Vec3 min_of(Vec3 a, Vec3 b) {
  return {min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z)};
}
HOST_DEVICE constexpr Vec3 max_of(Vec3 a, Vec3 b) {
  return {max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z)};
}

// Axis-aligned box. The empty box (min > max) is the identity of `merge`.
struct Aabb {
  Vec3 min, max;

  HOST_DEVICE static constexpr Aabb empty() {
    constexpr float big = 3.402823466e38F;  // FLT_MAX: stays finite under every operation used here
    return {{big, big, big}, {-big, -big, -big}};
  }
  HOST_DEVICE constexpr bool is_empty() const { return min.x > max.x; }
  // Returns the box with 0 for -0. The two are equal, and the order decides which of them `merge`
  // takes: boxes that hold 0 alone give the same bits in any order.
  HOST_DEVICE constexpr Aabb with_positive_zeros() const {
    constexpr Vec3 zero{0.0F, 0.0F, 0.0F};
    return {min + zero, max + zero};
  }
  HOST_DEVICE constexpr Vec3 centre() const {
    // Halve before adding: min + max could overflow.
    return min * 0.5F + max * 0.5F;
  }
  // Half the surface area; 0 for the empty box and for a point. The usual weight of the SAH.
  HOST_DEVICE constexpr float half_area() const {
    if (is_empty()) return 0.0F;
    const Vec3 e = max - min;
    return e.x * e.y + e.y * e.z + e.z * e.x;
  }
  // As a number that can be compared: boxes beyond what floats can measure count as the largest.
  HOST_DEVICE constexpr float finite_half_area() const {
    constexpr float most = 3.402823466e38F;
    const float area = half_area();
    return area < most ? area : most;
  }
};

HOST_DEVICE constexpr Aabb merge(const Aabb& a, const Aabb& b) {
  return {min_of(a.min, b.min), max_of(a.max, b.max)};
}

// Have they a point in common? Their rims belong to them.
HOST_DEVICE constexpr bool touch(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}

// A ray from `origin` along `direction`, which need not have length 1.
struct Ray {
  Vec3 origin, direction;
};

static_assert(sizeof(Vec2) == 8 && sizeof(Vec3) == 12 && sizeof(Vec4) == 16 && sizeof(Aabb) == 24);

}  // namespace warpview
