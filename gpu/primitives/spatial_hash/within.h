// Whether two particles are neighbours: the one measure for all searches, in kernels and on the
// host.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// The vector from one particle to another, and the square of its length; NaN or infinite where a
// coordinate is not finite.
struct Separation {
  Vec3 way;
  float distance2;
};

// GPU compilers contract x * y + z to one rounding, others round twice. Particles that touch are
// exactly at the limit, and the result must not depend on the compiler or on which of the two
// searches. Every operation here therefore rounds separately, and the result has the same bits
// everywhere and for both particles. (GCC has no syntax for that; cmake/options.cmake sets a flag.)
HOST_DEVICE inline Separation separation(Vec3 from, Vec3 to) {
#if defined(__CUDA_ARCH__)
  const float x = __fsub_rn(to.x, from.x);
  const float y = __fsub_rn(to.y, from.y);
  const float z = __fsub_rn(to.z, from.z);
  const float xx_yy = __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y));
  return {{x, y, z}, __fadd_rn(xx_yy, __fmul_rn(z, z))};
#else
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const float x = to.x - from.x;
  const float y = to.y - from.y;
  const float z = to.z - from.z;
  const float xx_yy = x * x + y * y;
  return {{x, y, z}, xx_yy + z * z};
#endif
}

// Whether the distance is at most the radius. `radius2` is its square.
HOST_DEVICE inline bool within(const Separation& apart, float radius2) {
  return apart.distance2 <= radius2;
}
HOST_DEVICE inline bool within(Vec3 a, Vec3 b, float radius2) {
  return within(separation(a, b), radius2);
}

}  // namespace warpview
