// The two stages that all variants share: each block finds the largest magnitude of its share; once
// all blocks have, each scales its share by the largest of these.
#pragma once

#include <cmath>

#include "gpu/block/reduce.h"
#include "gpu/block/strided.h"
#include "gpu/operators/numbers.h"
#include "gpu/primitives/persistent/persistent.h"

namespace warpview::WARPVIEW_BACKEND::persistent {

inline constexpr unsigned threads = tile_extent(256, 64);
inline constexpr unsigned fewest_each =
    tile_extent(4, 2);  // numbers per thread, before the grid grows

// Shared memory of one call of the functions below; a barrier must stand between two uses.
using Storage = block::ReduceStorage<float, threads>;

// The largest of the block's values, for every thread. One barrier.
__device__ inline float block_maximum(float value, Storage& storage) {
  return block::reduce_to_all<MaxF32>(value, storage);
}

// The largest of all blocks' results, for every thread. One barrier.
__device__ inline float maximum_of_all(const float* maxima, Storage& storage) {
  float largest = 0.0F;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) largest = max_of(largest, maxima[b]);
  return block_maximum(largest, storage);
}

// The number of loads that a thread keeps in flight.
inline constexpr unsigned ahead = 8;

// The largest magnitude of this thread's numbers: `first` and every `stride`-th after it.
__device__ inline float largest_of_mine(const float* in, std::uint32_t n, std::uint32_t first,
                                        std::uint32_t stride) {
  float largest = 0.0F;
  block::visit_strided<ahead>(in, n, first, stride, 0.0F, [&](std::uint32_t, float number) {
    largest = max_of(largest, std::fabs(number));
  });
  return largest;
}

__device__ inline float scaled(float number, float largest) {
  return largest > 0.0F ? number / largest : number;
}

// Scales this thread's numbers: `first` and every `stride`-th after it.
__device__ inline void scale_mine(const float* in, float* out, std::uint32_t n, std::uint32_t first,
                                  std::uint32_t stride, float largest) {
  block::visit_strided<ahead>(in, n, first, stride, 0.0F, [&](std::uint32_t i, float number) {
    if (i < n) out[i] = scaled(number, largest);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::persistent
