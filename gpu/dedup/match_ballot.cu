// De-duplication within warps by ballots, then by a hash table; see groups.h.
//
//   A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022:
//   equal digits of a warp by one ballot a bit.
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// Where the hardware has no match, lanes vote on each bit of the hash in turn. Those that answered
// as this one did, 32 times, have its hash.
#include "gpu/dedup/groups.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct MatchBallot {
  __device__ static warp::LaneMask equal(warp::LaneMask lanes, std::uint32_t hash) {
    return warp::match(lanes, hash, 32);
  }
};

}  // namespace

void dedup_match_ballot(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  dedup::by_groups<MatchBallot>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
