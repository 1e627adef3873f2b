// What the scans in several passes share: one block scans one tile.
#pragma once

#include "gpu/block/scan.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::scan::tile {

inline constexpr unsigned threads = 256;
inline constexpr unsigned items_each = 8;
inline constexpr std::uint32_t size = threads * items_each;

// Scans tile blockIdx.x of n items, starting from `carry`. Every thread gets carry plus the tile's
// sum. `in` may be `out`.
__device__ inline std::uint32_t scan_from(const std::uint32_t* in, std::uint32_t* out,
                                          std::uint32_t n, bool inclusive, std::uint32_t carry) {
  __shared__ block::ScanStorage<threads> storage;
  const std::uint32_t begin = blockIdx.x * size;
  // A row of `threads` consecutive items at a time, so that loads and stores are coalesced.
  for (unsigned row = 0; row < items_each; ++row) {
    const std::uint32_t i = begin + row * threads + threadIdx.x;
    const std::uint32_t value = i < n ? in[i] : 0;
    std::uint32_t row_sum;
    const std::uint32_t before = block::exclusive_sum(value, storage, row_sum);
    if (i < n) out[i] = carry + before + (inclusive ? value : 0);
    carry += row_sum;
    __syncthreads();  // the storage is used again
  }
  return carry;
}

}  // namespace warpview::WARPVIEW_BACKEND::scan::tile
