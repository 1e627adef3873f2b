// Spatial hash of linked lists.
//
//   J. Yang, J. Hensley, H. Grün, N. Thibieroz, "Real-Time Concurrent Linked List Construction on
//   the GPU", Computer Graphics Forum 29(4), 2010.
//
// A slot has the number of a particle, the head of its list, and a particle the number of the next
// in the same slot. A particle puts itself in front by one atomic exchange: what was the head is
// its next. That is all: no counting, no sort, one launch.
//
// The search pays for it. The next place to look at is known only when the one before has arrived,
// one wait for memory after the other, and neighbours in a list lie anywhere in memory. In which
// order a list holds its particles is left to chance.
#include "gpu/primitives/spatial_hash/in_place.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr std::uint32_t end_of_list = ~std::uint32_t{0};

// One thread per particle. A particle that is nowhere is in no list.
__global__ void link_kernel(Cells cells, SpatialHashArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const Vec4 position = spatial::keep_in_place(args, i);
  const GridCell cell = spatial::cell_of(position.xyz, cells.per_unit);
  std::uint32_t next = end_of_list;
  if (!spatial::is_nowhere(cell)) {
    const std::uint32_t key = spatial::key_of<CellKind::lists>(cell, cells.slots);
    next = atomicExch(&cells.table.heads[key], i);
  }
  cells.table.next[i] = next;
}

}  // namespace

void spatial_hash_lists(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const Cells cells = cells_of(args, CellKind::lists);
  if (scratch.measuring()) return;
  stream.fill(cells.table.heads, 0xff, std::size_t{cells.slots} * sizeof(std::uint32_t));
  launch(stream, KERNEL(link_kernel), one_thread_each(args.n), cells, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
