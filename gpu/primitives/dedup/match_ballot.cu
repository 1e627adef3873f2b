// De-duplication within warps by ballots, then by a hash table; see groups.h.
//
//   A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022:
//   equal digits of a warp by one ballot per bit.
//
// For hardware without a match instruction: lanes vote on each bit of the hash in turn. The lanes
// that voted like this one in all 32 ballots have its hash.
#include "gpu/primitives/dedup/groups.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per corner.
__global__ void insert_by_ballots_kernel(const Vertex* __restrict__ corners,
                                         const std::uint32_t* __restrict__ count,
                                         std::uint32_t* table, std::uint32_t slots,
                                         std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  const bool real = corner < *count;
  const warp::LaneMask lanes = warp::ballot(warp::all_lanes(), real);
  if (!real) return;
  const dedup::CornerEntry entry(corners, corner, table, slots);
  const warp::LaneMask equal = warp::match<32>(lanes, entry.hash);
  slot_of[corner] = dedup::slot_by_group(entry, lanes, equal);
}

}  // namespace

void dedup_match_ballot(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  dedup::through_table(stream, args, scratch, KERNEL(insert_by_ballots_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
