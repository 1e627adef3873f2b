// Both branches end before either result is needed.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// Nothing waits inside a branch. The lanes of both synchronize after the branches, at one line that
// all of them reach; results written before it are read after it. This runs on every GPU, and is
// the recommended form where it is possible. The synchronization is still needed: that one lane has
// left a branch says nothing about the others.

#include "gpu/primitives/branches/ways.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(branches::threads) branches_together_kernel(BranchesArgs args) {
  __shared__ branches::Made made;
  for (unsigned k = 0; k < branches::rounds; ++k) {
    const std::uint32_t x = branches::input(args, k);
    if (branches::goes_b())
      made[k][threadIdx.x] = branch_b(x);
    else
      made[k][threadIdx.x] = branch_a(x);
    warp::sync(warp::all_lanes());
  }
  branches::finish(args, made);
}

}  // namespace

void branches_together(Stream& stream, const BranchesArgs& args, Scratch& scratch) {
  branches::run(stream, args, scratch, KERNEL(branches_together_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
