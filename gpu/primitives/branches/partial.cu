// Two branches that meet at a warp's barrier, each from its own line.
//
//   CUDA C++ Programming Guide, Synchronization Functions: __syncwarp.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// From compute capability 7.0 on `__syncwarp(mask)` is a barrier of the lanes that the mask names,
// wherever in the program they are: all of them must come to one with the same mask, and not to the
// same one. So lanes can wait for each other inside of two branches without a flag. Here eight
// lanes do, four of either branch; those of the next eight have another mask and go their own way.
// The barrier orders memory among the lanes that it names: what the partner made can be read.
//
// Where lanes of a warp share an instruction pointer there is no such thing: the lanes of one
// branch pass the barrier before those of the other have begun.

#include "gpu/primitives/branches/ways.h"

#if !defined(WARPVIEW_BACKEND_HIP)

namespace warpview::WARPVIEW_BACKEND {

namespace {

// This lane and the seven that it may be partners with.
__device__ inline warp::LaneMask eight_lanes() {
  return warp::LaneMask{0xff} << warp::lane() / (2 * branch_bit) * (2 * branch_bit);
}

// One line for both branches, as the CPU device wants collectives to be; compiled into either of
// them it is two instructions on a GPU.
__device__ inline void meet(warp::LaneMask lanes) { warp::sync(lanes); }

__global__ void __launch_bounds__(branches::threads) branches_partial_kernel(BranchesArgs args) {
  __shared__ branches::Made made;
  if (branches::goes_b()) {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_b(branches::input(args, k));
      meet(eight_lanes());
    }
  } else {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_a(branches::input(args, k));
      meet(eight_lanes());
    }
  }
  branches::finish(args, made);
}

}  // namespace

void branches_partial(Stream& stream, const BranchesArgs& args, Scratch& scratch) {
  branches::run(stream, args, scratch, KERNEL(branches_partial_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
