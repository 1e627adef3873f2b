// Finds the equal indices of a batch by shuffles: each lane's index is broadcast, all lanes
// compare.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Vertex Deduplication.
//
// Pure software: one shuffle and one comparison for each lane, whatever the indices are.

#include "gpu/primitives/reuse/batch.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(reuse::threads) reuse_shuffle_kernel(ReuseArgs args) {
  reuse::shade_batch(args, [](warp::LaneMask lanes, std::uint32_t index) {
    unsigned first = warp::lane();
    for (warp::LaneMask left = lanes; left != 0; left &= left - 1) {
      const unsigned other = warp::first(left);
      const bool equal = warp::shuffle(lanes, index, other) == index;
      if (equal && other < first) first = other;
    }
    return first;
  });
}

}  // namespace

void reuse_shuffle(Stream& stream, const ReuseArgs& args, Scratch& scratch) {
  reuse::run(stream, args, scratch, KERNEL(reuse_shuffle_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
