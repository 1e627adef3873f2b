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

__device__ inline float scaled(float number, float largest) {
  return largest > 0.0F ? number / largest : number;
}

}  // namespace warpview::WARPVIEW_BACKEND::persistent
