// No reuse: every corner becomes a separate vertex, three for each triangle.

#include "gpu/primitives/reuse/batch.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(reuse::threads) reuse_none_kernel(ReuseArgs args) {
  reuse::shade_batch(args, [](warp::LaneMask, std::uint32_t) { return warp::lane(); });
}

}  // namespace

void reuse_none(Stream& stream, const ReuseArgs& args, Scratch& scratch) {
  reuse::run(stream, args, scratch, KERNEL(reuse_none_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
