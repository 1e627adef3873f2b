// What the variants that sort share: the key of every particle's cell, and the steps after the
// sort.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010: building the grid using sorting.
#pragma once

#include <bit>

#include "gpu/primitives/spatial_hash/cells.h"

namespace warpview::WARPVIEW_BACKEND::spatial {

inline constexpr unsigned block_size = tile_extent(256, 64);

// The key of a particle's cell. A particle in no cell needs some key: its index spreads such
// particles over all slots, so that they crowd none. They are near no other particle.
template <CellKind kind>
__device__ std::uint32_t key_of_particle(const Cells& cells, const Vec4* positions,
                                         std::uint32_t i) {
  const Vec4 position = positions[i];  // 16 bytes: one load
  const GridCell cell = cell_of(position.xyz, cells.per_unit);
  return is_nowhere(cell) ? i & (cells.slots - 1) : key_of<kind>(cell, cells.slots);
}

// One thread per place: fetches the particle that belongs there. Where its key differs from the one
// before, a range ends and the next begins. Neighbouring threads hold neighbouring keys, so the
// previous key comes from shared memory; the first thread reads one more.
//
// The gather dominates the time. Particles that were sorted a frame ago have moved little, so a
// warp's 16-byte reads are near each other.
static __global__ void __launch_bounds__(block_size)
    ranges_kernel(const std::uint32_t* __restrict__ keys, const std::uint32_t* __restrict__ order,
                  const Vec4* __restrict__ positions, const Vec4* __restrict__ payload,
                  std::uint32_t n, CellRange* __restrict__ ranges,
                  Vec4* __restrict__ sorted_positions, Vec4* __restrict__ sorted_payload) {
  __shared__ std::uint32_t keys_here[block_size + 1];  // from the place before the block's first on
  const std::uint32_t place = global_thread();
  std::uint32_t key = 0;
  if (place < n) {
    key = keys[place];
    keys_here[threadIdx.x + 1] = key;
    if (threadIdx.x == 0 && place > 0) keys_here[0] = keys[place - 1];
  }
  __syncthreads();
  if (place >= n) return;

  const std::uint32_t before = keys_here[threadIdx.x];
  if (place == 0) {
    ranges[key].begin = place;
  } else if (before != key) {
    ranges[key].begin = place;
    ranges[before].end = place;
  }
  if (place == n - 1) ranges[key].end = n;

  const std::uint32_t particle = order[place];
  sorted_positions[place] = positions[particle];
  if (payload) sorted_payload[place] = payload[particle];
}

// keys[n]: the key of every particle's cell.
inline void queue_ranges(Stream& stream, const SpatialHashArgs& args, const Cells& cells,
                         const std::uint32_t* sorted_keys) {
  stream.fill(cells.table.ranges, 0, std::size_t{cells.slots} * sizeof(CellRange));
  launch(stream, KERNEL(ranges_kernel), one_thread_each(cells.n, block_size), sorted_keys,
         args.order, args.positions, args.payload, cells.n, cells.table.ranges,
         args.sorted_positions, args.sorted_payload);
}

// Keys are less than the number of slots: a sort need not read more bits.
inline int key_bits(const Cells& cells) { return std::countr_zero(cells.slots); }

}  // namespace warpview::WARPVIEW_BACKEND::spatial
