// A vote by warps: a ballot in each, and the warps' results through shared memory.
//
// Lecture Warp Intrinsics, "GPU Programming Primitives for Computer Graphics", SIGGRAPH Asia 2023.
//
// A ballot gives every lane of a warp the votes of all as the bits of one word; counting them is
// one instruction. Only one word a warp is left to combine, and each thread does that for itself.

#include "gpu/vote/tiles.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct ByBallot {
  static constexpr const char* kernel_name = "vote_ballot_kernel";

  template <Vote what>
  __device__ static std::uint32_t answer(bool passes) {
    __shared__ std::uint32_t of_warps[vote::threads / warp::min_size];
    const warp::LaneMask votes = warp::ballot(warp::all_lanes(), passes);
    if (warp::lane() == 0) {
      if constexpr (what == Vote::count) of_warps[warp::index()] = warp::count(votes);
      if constexpr (what == Vote::all) of_warps[warp::index()] = votes == warp::all_lanes();
      if constexpr (what == Vote::any) of_warps[warp::index()] = votes != 0;
    }
    __syncthreads();
    std::uint32_t all = of_warps[0];
    for (unsigned w = 1; w < vote::threads / warp::size(); ++w) {
      if constexpr (what == Vote::count) all += of_warps[w];
      if constexpr (what == Vote::all) all &= of_warps[w];
      if constexpr (what == Vote::any) all |= of_warps[w];
    }
    __syncthreads();  // everyone has read: of_warps may be used again
    return all;
  }
};

}  // namespace

void vote_ballot(Stream& stream, const VoteArgs& args, Workspace& workspace) {
  vote::run<ByBallot>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
