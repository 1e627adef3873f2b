// Two branches that wait for each other, by flags.
//
//   NVIDIA Tesla V100 GPU Architecture, 2017: Independent Thread Scheduling.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// A lane computes its part, sets its flag, and waits inside its branch for the flag of its partner,
// which is in the other branch; then it does the same for its next word. With independent thread
// scheduling the hardware alternates between the branches, and each reaches the point that the
// other waits for. A warp with one instruction pointer runs one branch to its end before it begins
// the other: the wait in the first never ends.
//
// The flag is released and acquired, so that the partner's result is visible once its flag is set.
// The guard of the waiting loop (Spin) gives the other branch its turn.

#include "gpu/primitives/branches/ways.h"

#if !defined(WARPVIEW_BACKEND_HIP)

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(branches::threads) branches_flags_kernel(BranchesArgs args) {
  __shared__ branches::Made made;
  __shared__ std::uint32_t flags[branches::threads];  // the rounds that a lane has finished
  flags[threadIdx.x] = 0;
  warp::sync(warp::all_lanes());  // all flags of the warp are clear

  if (branches::goes_b()) {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_b(branches::input(args, k));
      store_release(&flags[threadIdx.x], k + 1);
      for (Spin spin; load_acquire(&flags[branches::partner()]) <= k;) spin.back_off();
    }
  } else {
    for (unsigned k = 0; k < branches::rounds; ++k) {
      made[k][threadIdx.x] = branch_a(branches::input(args, k));
      store_release(&flags[threadIdx.x], k + 1);
      for (Spin spin; load_acquire(&flags[branches::partner()]) <= k;) spin.back_off();
    }
  }
  branches::finish(args, made);
}

}  // namespace

void branches_flags(Stream& stream, const BranchesArgs& args, Scratch& scratch) {
  branches::run(stream, args, scratch, KERNEL(branches_flags_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
