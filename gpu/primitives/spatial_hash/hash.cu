// Spatial hash by counting sort, over a hash table of the occupied cells.
//
//   M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross, "Optimized Spatial Hashing
//   for Collision Detection of Deformable Objects", VMV 2003: an unbounded grid in a table.
//   D. Knuth, The Art of Computer Programming 3, section 6.4 (linear probing).
//   R. Hoetzlein, "Fast Fixed-Radius Nearest Neighbors: Interactive Million-Particle Fluids", GPU
//   Technology Conference 2014: counting, scan and scatter.
//
//   1. claim    every particle finds its cell in the table, or inserts it, and takes a rank at the
//               slot's counter;
//   2. scan     the counters, over the slots: where each slot's particles begin;
//   3. scatter  every particle to the beginning of its slot + its rank.
//
// The table holds the cells themselves, not only a hash of them: a slot belongs to one cell, and a
// search visits no particles of distant cells. Memory grows with the number of particles, not with
// the world. The price: a search must look up 27 cells, most of which may be absent. The higher the
// load factor, the longer the run of slots up to the free one that shows a cell to be absent.
#include "gpu/primitives/spatial_hash/cells.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// One thread per particle. The counter after those of the slots is for particles in no cell.
__global__ void claim_kernel(Cells cells, const Vec4* __restrict__ positions, std::uint64_t* codes,
                             std::uint32_t* counts, std::uint32_t* __restrict__ slot_of,
                             std::uint32_t* __restrict__ rank) {
  const std::uint32_t i = global_thread();
  if (i >= cells.n) return;
  const Vec4 position = positions[i];  // 16 bytes: one load
  const GridCell cell = spatial::cell_of(position.xyz, cells.per_unit);
  // There are more slots than particles, so there is always room.
  std::uint32_t slot = cells.slots;
  if (!spatial::is_nowhere(cell))
    slot = hash::find_or_claim(spatial::CellEntry{codes, cells.slots, spatial::code_of(cell), true})
               .slot;
  slot_of[i] = slot;
  rank[i] = atomicAdd(&counts[slot], 1U);
}

// One thread per particle.
__global__ void scatter_by_slot_kernel(
    const Vec4* __restrict__ positions, const Vec4* __restrict__ payload, std::uint32_t n,
    const std::uint32_t* __restrict__ begins, const std::uint32_t* __restrict__ slot_of,
    const std::uint32_t* __restrict__ rank, std::uint32_t* __restrict__ order,
    Vec4* __restrict__ sorted_positions, Vec4* __restrict__ sorted_payload) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const std::uint32_t place = begins[slot_of[i]] + rank[i];
  order[place] = i;
  sorted_positions[place] = positions[i];
  if (payload) sorted_payload[place] = payload[i];
}

}  // namespace

void spatial_hash_hash(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const Cells cells = cells_of(args, CellKind::table);
  std::uint32_t* const begins = cells.table.begins;  // the counts, at the start
  auto* slot_of = scratch.take<std::uint32_t>(args.n, "slot_of");
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring()) {
    // A code of 0 is a free slot, so one fill clears both codes and counts.
    stream.fill(args.table, 0, cell_table_bytes(args, CellKind::table));
    launch(stream, KERNEL(claim_kernel), one_thread_each(args.n), cells, args.positions,
           cells.table.codes, begins, slot_of, rank);
  }
  args.scan(stream, {.in = begins, .out = begins, .n = args.slots + 1, .inclusive = false},
            scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(scatter_by_slot_kernel), one_thread_each(args.n), args.positions,
           args.payload, args.n, begins, slot_of, rank, args.order, args.sorted_positions,
           args.sorted_payload);
}

}  // namespace warpview::WARPVIEW_BACKEND
