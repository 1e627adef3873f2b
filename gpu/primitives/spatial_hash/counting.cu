// Spatial hash by counting sort, over a box of cells.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010: building the grid using atomic
//   operations, with one counter per cell.
//   R. Hoetzlein, "Fast Fixed-Radius Nearest Neighbors: Interactive Million-Particle Fluids", GPU
//   Technology Conference 2014: the counters are scanned, which is a counting sort.
//
//   1. count    one atomic per particle on its cell's counter: the old value is the particle's rank
//               in its cell;
//   2. scan     the counters: where each cell begins;
//   3. scatter  every particle to the beginning of its cell + its rank.
//
// Particles are read twice and written once, whatever the number of cells: nothing sorts faster.
// The price is memory in proportion to the box, full or empty. Cells along x are neighbours in
// memory, so a search reads 9 ranges of 3 cells. Ranks depend on the order of arrival, so the order
// within a cell varies from run to run. Where thousands of particles are in one cell, they contend
// for its counter.
#include "gpu/primitives/spatial_hash/cells.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// The counter of a particle's cell. The last counter, after those of the box, is for particles in
// no cell: they get places after all others.
__device__ std::uint32_t counter_of(const Cells& cells, Vec3 position) {
  const GridCell cell = spatial::cell_of(position, cells.per_unit);
  return spatial::is_nowhere(cell)
             ? spatial::cells_in(cells.box)
             : spatial::number_of(spatial::clamped(cell, cells.box), cells.box);
}

// One thread per particle. rank[i]: the number of particles of its cell that came before it.
__global__ void count_cells_kernel(Cells cells, const Vec4* __restrict__ positions,
                                   std::uint32_t* counts, std::uint32_t* __restrict__ rank) {
  const std::uint32_t i = global_thread();
  if (i >= cells.n) return;
  const Vec4 position = positions[i];  // 16 bytes: one load
  rank[i] = atomicAdd(&counts[counter_of(cells, position.xyz)], 1U);
}

// One thread per particle. Computing its cell again is cheaper than storing and reading it.
__global__ void scatter_kernel(Cells cells, const Vec4* __restrict__ positions,
                               const Vec4* __restrict__ payload,
                               const std::uint32_t* __restrict__ begins,
                               const std::uint32_t* __restrict__ rank,
                               std::uint32_t* __restrict__ order,
                               Vec4* __restrict__ sorted_positions,
                               Vec4* __restrict__ sorted_payload) {
  const std::uint32_t i = global_thread();
  if (i >= cells.n) return;
  // All sequential loads are in flight before the place is known.
  const Vec4 position = positions[i];
  const Vec4 carried = payload ? payload[i] : Vec4{};
  const std::uint32_t rank_in_cell = rank[i];
  const std::uint32_t place = begins[counter_of(cells, position.xyz)] + rank_in_cell;
  order[place] = i;
  sorted_positions[place] = position;
  if (payload) sorted_payload[place] = carried;
}

}  // namespace

void spatial_hash_counting(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const Cells cells = cells_of(args, CellKind::box);
  const auto counters =
      static_cast<std::uint32_t>(cell_table_bytes(args, CellKind::box) / sizeof(std::uint32_t));
  std::uint32_t* const begins = cells.table.begins;  // the counts, at the start
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring()) {
    stream.fill(begins, 0, counters * sizeof(std::uint32_t));
    launch(stream, KERNEL(count_cells_kernel), one_thread_each(args.n), cells, args.positions,
           begins, rank);
  }
  args.scan(stream, {.in = begins, .out = begins, .n = counters, .inclusive = false}, scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(scatter_kernel), one_thread_each(args.n), cells, args.positions,
           args.payload, begins, rank, args.order, args.sorted_positions, args.sorted_payload);
}

}  // namespace warpview::WARPVIEW_BACKEND
