// De-duplication by a hash table with linear probing.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4 (linear probing).
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Linear probing.
//
// Every corner probes the table (linear.h) for the first corner equal to it. Three passes follow:
// read back each corner's first, number the firsts by a scan, write.
#include "gpu/primitives/dedup/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per corner.
__global__ void insert_corners_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, std::uint32_t* table,
                                      std::uint32_t slots, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  if (corner >= *count) return;
  slot_of[corner] = dedup::slot_of_kind(dedup::CornerEntry(corners, corner, table, slots));
}

}  // namespace

void dedup_hash(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  dedup::through_table(stream, args, scratch, KERNEL(insert_corners_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
