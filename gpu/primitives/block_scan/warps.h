// What block scans by warps share.
#pragma once

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block_scan {

// Threads for a tile with one thread per item: collectives need full warps, so a small tile has
// threads without an item.
inline unsigned in_full_warps(std::uint32_t tile) { return std::max(tile, warp::max_size); }

// The number of the tile's items that this warp has, in its lowest lanes.
__device__ inline unsigned items_of_warp(std::uint32_t tile) {
  const unsigned first = warp::index() * warp::size();
  if (first >= tile) return 0;
  return tile - first < warp::size() ? tile - first : warp::size();
}

// Inclusive scan over the lowest `count` lanes of a full warp, a power of two, by Kogge and Stone:
// log(count) steps, count (log(count) - 1) + 1 applications. No barrier and no shared memory; in
// each step a lane passes its sum to the lane `step` further on.
template <class Operator>
__device__ inline typename Operator::Type scan_warp(typename Operator::Type value, unsigned count) {
  for (unsigned step = 1; step < count; step *= 2) {
    const auto before = warp::shuffle_up(warp::all_lanes(), value, step);
    if (warp::lane() >= step && warp::lane() < count) value = Operator::combine(before, value);
  }
  return value;
}

// Replaces the sum of each warp, which the threads have just written, by the inclusive prefix of
// that warp. The whole block calls it; two barriers. For W warps: log W steps and
// W (log W - 1) + 1 applications, by the first warp.
template <class Operator>
__device__ inline void scan_warp_sums(typename Operator::Type* warp_sums, std::uint32_t tile) {
  __syncthreads();
  const unsigned warps = tile > warp::size() ? tile / warp::size() : 1;
  if (warp::index() == 0) {
    const bool mine = warp::lane() < warps;
    const auto sum =
        scan_warp<Operator>(mine ? warp_sums[warp::lane()] : Operator::identity(), warps);
    if (mine) warp_sums[warp::lane()] = sum;
  }
  __syncthreads();
}

}  // namespace warpview::WARPVIEW_BACKEND::block_scan
