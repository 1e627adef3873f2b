// Two branches that synchronize at a warp barrier, each at its own call.
//
//   CUDA C++ Programming Guide, Synchronization Functions: __syncwarp.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// From compute capability 7.0 on `__syncwarp(mask)` is a barrier of the lanes that the mask names,
// wherever in the program they are: all of them must reach a __syncwarp with the same mask, but not
// the same one. Lanes inside two branches can thus wait for each other without a flag. Here eight
// lanes do, four of each branch; the next eight have another mask and proceed independently. The
// barrier orders memory among the lanes that it names, so the partner's result can be read.
//
// This does not work where the lanes of a warp share an instruction pointer: the lanes of one
// branch pass the barrier before those of the other have begun.

#include "gpu/primitives/branches/ways.h"

#if !defined(WARPVIEW_BACKEND_HIP)

namespace warpview::WARPVIEW_BACKEND {

namespace {

// This lane and the seven that may be its partners.
__device__ inline warp::LaneMask eight_lanes() {
  return warp::LaneMask{0xff} << warp::lane() / (2 * branch_bit) * (2 * branch_bit);
}

// One call for both branches, because the CPU device requires collectives to share a source line. A
// GPU compiles it into both branches, as two instructions.
__device__ inline void sync_lanes(warp::LaneMask lanes) { warp::sync(lanes); }

__global__ void __launch_bounds__(branches::threads) branches_partial_kernel(BranchesArgs args) {
  __shared__ branches::Made made;
  if (branches::goes_b()) {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_b(branches::input(args, k));
      sync_lanes(eight_lanes());
    }
  } else {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_a(branches::input(args, k));
      sync_lanes(eight_lanes());
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
