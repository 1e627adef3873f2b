// Finds the equal indices of a batch by one hardware match instruction.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Vertex Deduplication.
//   M. Kenzel, B. Kerbl, W. Tatzgern, E. Ivanchenko, D. Schmalstieg, M. Steinberger, "On-the-fly
//   Vertex Reuse for Massively-Parallel Software Geometry Processing", HPG 2018.
//   CUDA C++ Programming Guide, Warp Match Functions (compute capability 7.0).

#include "gpu/primitives/reuse/batch.h"

#if defined(WARPVIEW_BACKEND_CUDA)

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(reuse::threads) reuse_match_any_kernel(ReuseArgs args) {
  reuse::shade_batch(args, [](warp::LaneMask lanes, std::uint32_t index) {
    return warp::first(__match_any_sync(static_cast<unsigned>(lanes), index));
  });
}

}  // namespace

void reuse_match_any(Stream& stream, const ReuseArgs& args, Scratch& scratch) {
  reuse::run(stream, args, scratch, KERNEL(reuse_match_any_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
