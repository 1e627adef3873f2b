// De-duplication by a hash table with linear probing.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4 (linear probing).
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// A slot holds the number of a corner, and stands for all corners equal to it; corners themselves
// are compared in the input array, so a slot is one word and changes by one atomic. The first
// corner of a kind to come claims the slot, and later ones lower the number to the smallest: which
// corner wins does not depend on the order in which threads run. Three passes follow: read each
// corner's winner back, number the winners by a scan, write.
#include <bit>
#include <cstddef>

#include "gpu/dedup/corner.h"
#include "gpu/dedup/firsts.h"
#include "gpu/dedup/number.h"

namespace warpview::WARPVIEW_BACKEND {

inline constexpr std::uint32_t empty_slot = 0xffffffffU;

// At most half of the slots are ever taken: n corners, at least 2 n slots. At that load a probe for
// an absent key reads 2.5 slots on average and for a present one 1.5; meshes, whose corners share
// vertices about six to one, fill a twelfth.
inline std::size_t slots_for(std::uint32_t n) { return std::bit_ceil(2 * std::size_t{n}); }

// One thread a corner: finds or claims its kind's slot and keeps its number, so that nothing probes
// again. table[mask + 1] is empty.
//
// A slot goes from empty to a corner's number once and keeps to numbers of equal corners from then
// on. A number says all there is to know, as corners do not change, so relaxed loads do and no
// fence is needed; a load that misses another thread's claim or lowering is put right by the
// atomic. The loop ends because half of the table stays empty; it waits for nobody.
__global__ void insert_corners_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, std::uint32_t* table,
                                      std::uint32_t mask, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  if (corner >= *count) return;
  const dedup::CornerWords mine = dedup::words_of(&corners[corner]);

  for (std::uint32_t slot = dedup::hash(mine) & mask;; slot = (slot + 1) & mask) {
    std::uint32_t holder = load_relaxed(&table[slot]);
    if (holder == empty_slot) holder = atomicCAS(&table[slot], empty_slot, corner);
    const bool claimed = holder == empty_slot;
    if (claimed || dedup::equal(mine, dedup::words_of(&corners[holder]))) {
      if (!claimed && corner < holder) atomicMin(&table[slot], corner);
      slot_of[corner] = slot;
      return;
    }
  }
}

void dedup_hash(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  const std::size_t slots = slots_for(args.n);
  auto* table = workspace.take<std::uint32_t>(slots);
  auto* first = workspace.take<std::uint32_t>(args.n);
  auto* rank = workspace.take<std::uint32_t>(args.n);

  if (!workspace.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_corners_kernel), one_thread_each(args.n), args.corners, args.count,
           table, static_cast<std::uint32_t>(slots - 1), first);
    launch(stream, KERNEL(dedup::find_firsts_kernel<std::uint32_t>), one_thread_each(args.n),
           args.count, args.n, table, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
