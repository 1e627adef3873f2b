// Are two particles neighbours? The one test that every search makes, in kernels and on the host.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// Is the distance between a and b at most the radius? `radius2` is its square. False where a
// coordinate is not finite.
//
// Compilers for GPUs contract x * y + z to one rounding, others round twice. Particles that touch
// are exactly at the limit, and whether they count must not depend on the compiler or on who asks
// for whom: so every operation here rounds by itself, and the answer has the same bits everywhere.
// (GCC has no word for that in the source; cmake/options.cmake tells it.)
HOST_DEVICE inline bool within(Vec3 a, Vec3 b, float radius2) {
#if defined(__CUDA_ARCH__)
  const float x = __fsub_rn(a.x, b.x);
  const float y = __fsub_rn(a.y, b.y);
  const float z = __fsub_rn(a.z, b.z);
  const float xx_yy = __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y));
  return __fadd_rn(xx_yy, __fmul_rn(z, z)) <= radius2;
#else
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const float x = a.x - b.x;
  const float y = a.y - b.y;
  const float z = a.z - b.z;
  const float xx_yy = x * x + y * y;
  return xx_yy + z * z <= radius2;
#endif
}

}  // namespace warpview
