// Loads a struct with one instruction for each 16 bytes.
#pragma once

#include <cstddef>
#include <cstring>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

// Loads all of *from, even where not all of it is used: nvcc would load the used words one by one,
// and again in each branch that uses them in another order. Neighbouring lanes, 16 bytes or more
// apart, would then use a quarter of the banks, several times. No thread may write *from during the
// launch.
template <class T>
__device__ inline T load_whole(const T* from) {
  static_assert(alignof(T) == 16 && sizeof(T) % 16 == 0);
#if defined(__CUDA_ARCH__)
  float4 rows[sizeof(T) / 16];
#pragma unroll
  for (std::size_t i = 0; i < sizeof(T) / 16; ++i)
    rows[i] = __ldg(reinterpret_cast<const float4*>(from) + i);
  T whole;
  std::memcpy(&whole, rows, sizeof(T));
  return whole;
#else
  return *from;
#endif
}

}  // namespace warpview::WARPVIEW_BACKEND
