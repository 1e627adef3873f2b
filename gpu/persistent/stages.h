// The two stages, as all variants have them: each block finds the largest magnitude of its share,
// and once all have, scales its share by the largest of these.
#pragma once

#include <cmath>

#include "gpu/persistent/persistent.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::persistent {

inline constexpr unsigned threads = 256;
inline constexpr unsigned fewest_each = 4;  // numbers a thread, before there are more blocks

// Shared memory of one call of `block_maximum`; a barrier must stand between two uses.
struct Storage {
  float of_warps[threads / warp::min_size];
};

// The largest of the block's values, for every thread. One barrier.
__device__ inline float block_maximum(float value, Storage& storage) {
  value = warp::reduce(value, [](float a, float b) { return max_of(a, b); });
  if (warp::lane() == 0) storage.of_warps[warp::index()] = value;
  __syncthreads();
  float largest = 0.0F;
  for (unsigned w = 0; w < threads / warp::size(); ++w)
    largest = max_of(largest, storage.of_warps[w]);
  return largest;
}

// The largest of what the blocks found, for every thread. One barrier.
__device__ inline float maximum_of_all(const float* maxima, Storage& storage) {
  float largest = 0.0F;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) largest = max_of(largest, maxima[b]);
  return block_maximum(largest, storage);
}

// Numbers of which a thread has the loads under way at a time: one load after the other would leave
// the memory idle.
inline constexpr unsigned ahead = 8;

// Asks for numbers `first`, `first + stride`, ... of in[n]; what lies behind the end is 0.
__device__ inline void load_ahead(const float* in, std::uint32_t n, std::uint32_t first,
                                  std::uint32_t stride, float (&numbers)[ahead]) {
  UNROLL
  for (unsigned k = 0; k < ahead; ++k) {
    const std::uint32_t i = first + k * stride;
    numbers[k] = i < n ? in[i] : 0.0F;
  }
}

// The largest magnitude of this thread's numbers: `first` and every `stride`-th after it.
__device__ inline float largest_of_mine(const float* in, std::uint32_t n, std::uint32_t first,
                                        std::uint32_t stride) {
  float largest = 0.0F;
  for (; first < n; first += ahead * stride) {
    float numbers[ahead];
    load_ahead(in, n, first, stride, numbers);
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) largest = max_of(largest, std::fabs(numbers[k]));
  }
  return largest;
}

__device__ inline float scaled(float number, float largest) {
  return largest > 0.0F ? number / largest : number;
}

// Scales this thread's numbers: `first` and every `stride`-th after it.
__device__ inline void scale_mine(const float* in, float* out, std::uint32_t n, std::uint32_t first,
                                  std::uint32_t stride, float largest) {
  for (; first < n; first += ahead * stride) {
    float numbers[ahead];
    load_ahead(in, n, first, stride, numbers);
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) {
      const std::uint32_t i = first + k * stride;
      if (i < n) out[i] = scaled(numbers[k], largest);
    }
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::persistent
