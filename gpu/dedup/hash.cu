// De-duplication by a hash table with linear probing.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4 (linear probing).
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// Every corner goes to the table (linear.h), where the first corner of its kind is found. Three
// passes follow: read each corner's winner back, number the winners by a scan, write.
#include "gpu/dedup/firsts.h"
#include "gpu/dedup/linear.h"
#include "gpu/dedup/number.h"

namespace warpview::WARPVIEW_BACKEND {

// One thread a corner.
__global__ void insert_corners_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, std::uint32_t* table,
                                      std::uint32_t mask, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  if (corner >= *count) return;
  const dedup::CornerWords mine = dedup::words_of(&corners[corner]);
  slot_of[corner] = dedup::find_or_claim(corners, corner, mine, dedup::hash(mine), table, mask);
}

void dedup_hash(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  const std::size_t slots = dedup::slots_for(args.n);
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
