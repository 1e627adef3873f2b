// Spatial hash of linked lists.
//
//   J. Yang, J. Hensley, H. Grün, N. Thibieroz, "Real-Time Concurrent Linked List Construction on
//   the GPU", Computer Graphics Forum 29(4), 2010.
//
// A slot holds the index of a particle, the head of its list; a particle holds the index of the
// next one in the same slot. A particle pushes itself to the front by one atomic exchange: the old
// head becomes its next. That is all: no counting, no sort, one launch.
//
// The search pays for it. The next place to read is known only when the one before has arrived, a
// chain of dependent loads, and neighbours in a list lie anywhere in memory. The order of particles
// in a list varies.
#include "gpu/primitives/spatial_hash/in_place.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr std::uint32_t end_of_list = ~std::uint32_t{0};

// One thread per particle. A particle in no cell is in no list.
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
