// Steps that search for neighbours: gpu/steps/neighbours.h says what each of them does.
#include "gpu/steps/neighbours.h"

#include "gpu/primitives/spatial_hash/neighbours.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

using spatial::Stencil;

constexpr unsigned search_block_size = 128;

// One thread per place: threads of a warp search around particles of the same cell or of adjacent
// ones, and read the same candidates.
template <CellKind kind>
__global__ void count_neighbours_kernel(Cells cells, std::uint32_t* __restrict__ counts,
                                        std::uint64_t* __restrict__ marks) {
  const std::uint32_t place = global_thread();
  if (place >= cells.n) return;
  std::uint32_t count = 0;
  std::uint64_t mark = 0;
  const Vec4 here = cells.positions[place];
  spatial::for_each_neighbour<kind>(cells, here.xyz, place,
                                    [&](std::uint32_t other, const Separation&) {
                                      ++count;
                                      mark += neighbour_mark(cells.order[other]);
                                    });
  counts[place] = count;
  marks[place] = mark;
}

template <CellKind kind>
__global__ void list_neighbours_kernel(Cells cells, NeighbourPair* __restrict__ pairs,
                                       std::uint32_t capacity, std::uint32_t* pair_count) {
  const std::uint32_t place = global_thread();
  if (place >= cells.n) return;
  const Vec4 here = cells.positions[place];
  const std::uint32_t mine = cells.order[place];
  spatial::for_each_neighbour<kind, Stencil::half>(
      cells, here.xyz, place, [&](std::uint32_t other, const Separation&) {
        const std::uint32_t theirs = cells.order[other];
        const std::uint32_t at = atomicAdd(pair_count, 1U);
        if (at >= capacity) return;
        pairs[at] = mine < theirs ? NeighbourPair{mine, theirs} : NeighbourPair{theirs, mine};
      });
}

}  // namespace

void count_neighbours(Stream& stream, const CountNeighboursArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  spatial::with_kind(args.cells.kind, [&](auto kind) {
    launch(stream, KERNEL(count_neighbours_kernel<kind.value>),
           one_thread_each(args.cells.n, search_block_size), args.cells, args.counts, args.marks);
  });
}

void list_neighbours(Stream& stream, const ListNeighboursArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.count, 0, sizeof(std::uint32_t));
  spatial::with_kind(args.cells.kind, [&](auto kind) {
    launch(stream, KERNEL(list_neighbours_kernel<kind.value>),
           one_thread_each(args.cells.n, search_block_size), args.cells, args.pairs, args.capacity,
           args.count);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
