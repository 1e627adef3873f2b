// De-duplication within warps by the hardware's match, then by a hash table; see groups.h.
//
//   CUDA C++ Programming Guide, Warp Match Functions (compute capability 7.0).
//   Eurographics 2021 tutorial, newer CUDA features.
//
// __match_any_sync tells each lane which others hold the same word, in one instruction.
#include "gpu/dedup/groups.h"

#if defined(WARPVIEW_BACKEND_CUDA)

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct MatchAny {
  __device__ static warp::LaneMask equal(warp::LaneMask lanes, std::uint32_t hash) {
    return __match_any_sync(static_cast<unsigned>(lanes), hash);
  }
};

}  // namespace

void dedup_match_any(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  dedup::by_groups<MatchAny>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
