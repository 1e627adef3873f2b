// The scan that all variants of the flags share: scan=lookback for sums of words
// (gpu/primitives/scan/lookback.cu).
#pragma once

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND::flags {

using Arrays = scan::Arrays<std::uint32_t>;
using Tile = scan::Tile<SumU32>;

// Shared memory of one call.
struct Storage {
  std::uint32_t ticket;
  Tile::Storage scan;
  std::uint32_t before;
};

// Scans one tile. `States` publishes and reads a tile's sum: the variants differ in nothing else.
template <class States>
__device__ inline void scan_tile(const Arrays& arrays, const States& states, Storage& storage) {
  const std::uint32_t number = block::take_ticket(states.ticket(), storage.ticket);
  Tile tile(arrays, number);
  const std::uint32_t sum = tile.scan(storage.scan);
  if (threadIdx.x == 0) block::publish_sum(states, number, sum);
  if (warp::index() == 0) {
    const std::uint32_t before = block::before_tile<SumU32>(states, number, sum);
    if (warp::lane() == 0) storage.before = before;
  }
  __syncthreads();
  tile.store(storage.before);
}

}  // namespace warpview::WARPVIEW_BACKEND::flags
