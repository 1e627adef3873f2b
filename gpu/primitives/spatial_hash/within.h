// Are two particles neighbours? The one measure that every search takes, in kernels and on the
// host.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// The way from one particle to another, and the square of its length; NaN or infinite where a
// coordinate is not finite.
struct Separation {
  Vec3 way;
  float distance2;
};

// Compilers for GPUs contract x * y + z to one rounding, others round twice. Particles that touch
// are exactly at the limit, and whether they count must not depend on the compiler or on who asks
// for whom: so every operation here rounds by itself, and the answer has the same bits everywhere,
// and for both of them. (GCC has no word for that in the source; cmake/options.cmake tells it.)
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

// Is the distance at most the radius? `radius2` is its square.
HOST_DEVICE inline bool within(const Separation& apart, float radius2) {
  return apart.distance2 <= radius2;
}
HOST_DEVICE inline bool within(Vec3 a, Vec3 b, float radius2) {
  return within(separation(a, b), radius2);
}

}  // namespace warpview
