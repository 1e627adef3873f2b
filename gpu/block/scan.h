// Prefix sums over a block of threads.
#pragma once

#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Shared memory of one call; a barrier must stand between two uses.
template <unsigned threads>
struct ScanStorage {
  std::uint32_t warp_sums[threads / warp::min_size];
};

// Each of `threads` threads (a one-dimensional block) gives a value and gets the sum of the values
// of the threads before it; `total` is the sum of all. One barrier.
template <unsigned threads>
__device__ inline std::uint32_t exclusive_sum(std::uint32_t value, ScanStorage<threads>& storage,
                                              std::uint32_t& total) {
  static_assert(threads % warp::max_size == 0, "warps are full");
  const std::uint32_t inclusive = warp::inclusive_sum(value);
  if (warp::lane() == warp::size() - 1) storage.warp_sums[warp::index()] = inclusive;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (unsigned w = 0; w < threads / warp::size(); ++w) {
    if (w == warp::index()) before = total;
    total += storage.warp_sums[w];
  }
  return before + inclusive - value;
}

}  // namespace warpview::WARPVIEW_BACKEND::block
