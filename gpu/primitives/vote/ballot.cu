// A vote by warps: a ballot in each, and shared memory combines the warps' results.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Warp-level primitives.
//
// A ballot gives every lane of a warp the votes of all lanes as the bits of one word; one
// instruction counts them. Only one word per warp is left to combine, and each thread does that
// redundantly.

#include "gpu/primitives/vote/tiles.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <Vote what>
__global__ void __launch_bounds__(vote::threads) vote_ballot_kernel(VoteArgs args) {
  __shared__ std::uint32_t of_warps[vote::threads / warp::min_size];
  vote::answer_tiles<what>(args, [](bool passes) -> std::uint32_t {
    const warp::LaneMask votes = warp::ballot(warp::all_lanes(), passes);
    if (warp::lane() == 0) {
      if constexpr (what == Vote::count) of_warps[warp::index()] = warp::count(votes);
      if constexpr (what == Vote::all) of_warps[warp::index()] = votes == warp::all_lanes();
      if constexpr (what == Vote::any) of_warps[warp::index()] = votes != 0;
    }
    __syncthreads();
    std::uint32_t answer = of_warps[0];
    for (unsigned w = 1; w < vote::threads / warp::size(); ++w) {
      if constexpr (what == Vote::count) answer += of_warps[w];
      if constexpr (what == Vote::all) answer &= of_warps[w];
      if constexpr (what == Vote::any) answer |= of_warps[w];
    }
    __syncthreads();  // all threads have read: of_warps may be reused
    return answer;
  });
}

}  // namespace

void vote_ballot(Stream& stream, const VoteArgs& args, Scratch& scratch) {
  vote::run(stream, args, scratch,
            {KERNEL(vote_ballot_kernel<Vote::count>), KERNEL(vote_ballot_kernel<Vote::all>),
             KERNEL(vote_ballot_kernel<Vote::any>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
