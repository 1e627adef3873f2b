// Spatial hash by sorting, with the cells in Morton order.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010: building the grid using sorting.
//   M. Ihmsen, N. Akinci, M. Becker, M. Teschner, "A Parallel SPH Implementation on Multi-Core
//   CPUs", Computer Graphics Forum 30(1), 2011: particles along a Z-curve, for cache locality.
//
// This is sort.cu with another key: the Morton code of the cell instead of a hash. Cells that are
// near in space then lie near in memory at every scale, so the particles of a warp or of a block
// read largely the same data, from the cache.
//
// Only the code's lowest bits are kept, as many as the slots' indices have: beyond some 2^(bits /
// 3) cells per axis the grid repeats. That hardly matters to particles that fill a volume evenly.
// Along a thin line of them, with equal y and z, most slots stay empty and the others are crowded.
#include "gpu/primitives/spatial_hash/keyed.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// One thread per particle.
__global__ void morton_keys_kernel(Cells cells, const Vec4* __restrict__ positions,
                                   std::uint32_t* __restrict__ keys) {
  const std::uint32_t i = global_thread();
  if (i < cells.n) keys[i] = spatial::key_of_particle<CellKind::morton>(cells, positions, i);
}

}  // namespace

void spatial_hash_sort_morton(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const Cells cells = cells_of(args, CellKind::morton);
  auto* keys = scratch.take<std::uint32_t>(args.n, "keys");
  auto* sorted_keys = scratch.take<std::uint32_t>(args.n, "sorted_keys");

  if (!scratch.measuring())
    launch(stream, KERNEL(morton_keys_kernel), one_thread_each(args.n), cells, args.positions,
           keys);
  args.sort(stream,
            {.keys_in = keys,
             .keys_out = sorted_keys,
             .values_out = args.order,
             .n = args.n,
             .end_bit = spatial::key_bits(cells)},
            scratch);
  if (!scratch.measuring()) spatial::queue_ranges(stream, args, cells, sorted_keys);
}

}  // namespace warpview::WARPVIEW_BACKEND
