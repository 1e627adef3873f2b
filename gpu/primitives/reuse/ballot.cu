// Finds the equal indices of a batch by ballots, one for each bit.
//
//   Ballots as in A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort
//   for GPUs", 2022.
//
// Lanes vote on each bit of the index in turn. The lanes that voted like this one in all 32 ballots
// have its index.

#include "gpu/primitives/reuse/batch.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(reuse::threads) reuse_ballot_kernel(ReuseArgs args) {
  reuse::shade_batch(args, [](warp::LaneMask lanes, std::uint32_t index) {
    return warp::first(warp::match<32>(lanes, index));
  });
}

}  // namespace

void reuse_ballot(Stream& stream, const ReuseArgs& args, Scratch& scratch) {
  reuse::run(stream, args, scratch, KERNEL(reuse_ballot_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
