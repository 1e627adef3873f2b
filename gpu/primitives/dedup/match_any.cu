// De-duplication within warps by the hardware's match, then by a hash table; see groups.h.
//
//   CUDA C++ Programming Guide, Warp Match Functions (compute capability 7.0).
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Vertex Deduplication.
//
// __match_any_sync returns to each lane the lanes that hold the same word, in one instruction.
#include "gpu/primitives/dedup/groups.h"

#if defined(WARPVIEW_BACKEND_CUDA)

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per corner.
__global__ void insert_by_match_any_kernel(const Vertex* __restrict__ corners,
                                           const std::uint32_t* __restrict__ count,
                                           std::uint32_t* table, std::uint32_t slots,
                                           std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  const bool real = corner < *count;
  const warp::LaneMask lanes = warp::ballot(warp::all_lanes(), real);
  if (!real) return;
  const dedup::CornerEntry entry(corners, corner, table, slots);
  const warp::LaneMask equal = __match_any_sync(static_cast<unsigned>(lanes), entry.hash);
  slot_of[corner] = dedup::slot_by_group(entry, lanes, equal);
}

}  // namespace

void dedup_match_any(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  dedup::through_table(stream, args, scratch, KERNEL(insert_by_match_any_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
