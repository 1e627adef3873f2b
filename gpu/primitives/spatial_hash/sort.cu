// Spatial hash by sorting: a radix sort brings the particles of a cell together.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010: building the grid using sorting.
//   M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross, "Optimized Spatial Hashing
//   for Collision Detection of Deformable Objects", VMV 2003: the hash of a cell.
//
//   1. keys    the hash of each particle's cell;
//   2. sort    the keys, each with the index of its particle: any sort of the catalogue;
//   3. ranges  where neighbouring keys differ, one cell ends and the next begins; the particles
//              themselves move to their places.
//
// No particle waits for another, and there are no atomics, however crowded a cell is. The price is
// the sort's passes: one for every 8 bits of the table's size. The sort is stable, so the particles
// of a cell keep their order, and every run gives the same bits.
#include "gpu/primitives/spatial_hash/keyed.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// One thread per particle.
__global__ void hashed_keys_kernel(Cells cells, const Vec4* __restrict__ positions,
                                   std::uint32_t* __restrict__ keys) {
  const std::uint32_t i = global_thread();
  if (i < cells.n) keys[i] = spatial::key_of_particle<CellKind::hashed>(cells, positions, i);
}

}  // namespace

void spatial_hash_sort(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const Cells cells = cells_of(args, CellKind::hashed);
  auto* keys = scratch.take<std::uint32_t>(args.n, "keys");
  auto* sorted_keys = scratch.take<std::uint32_t>(args.n, "sorted_keys");

  if (!scratch.measuring())
    launch(stream, KERNEL(hashed_keys_kernel), one_thread_each(args.n), cells, args.positions,
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
