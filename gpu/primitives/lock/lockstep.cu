// A spin lock for warps in lockstep.
//
//   J. Sanders, E. Kandrot, CUDA by Example, 2010, appendix: the lock, and how it can hang.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Spinlock on GPU.
//
// Where the lanes of a warp share one instruction pointer, a loop that ends when the lock is taken
// hangs: the lane that took it waits after the loop for the others, and they wait in the loop for
// it. Therefore acquire, critical section and release are together in one branch inside the loop,
// and a flag records that a lane is done: a lane that got the lock has released it before its warp
// reaches the end of the branch. This is correct on all hardware, and with warps of 64 lanes.
//
// A flag that each lane tests alone is not enough. A compiler sees that the end of the loop always
// follows the branch and moves the branch behind the loop, which is the program that hangs. Here
// the loop ends for all lanes of the warp at once, by a ballot. A lane reaches it with its work
// done or not, so the critical section stays inside the loop.
#include "gpu/primitives/lock/critical.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void tally_lockstep_kernel(LockArgs args, std::uint32_t* locks) {
  const std::uint32_t i = global_thread();
  // Lanes beyond the last item stay for the ballot, with nothing to do.
  bool done = i >= args.n;
  const std::uint32_t item = done ? 0 : args.items[i];
  const std::uint32_t t = item % args.tally_count;

  for (Spin spin;;) {
    if (!done && lock::try_lock(&locks[t])) {
      lock::add(args.tallies[t], item);
      lock::unlock(&locks[t]);
      done = true;
    }
    if (!warp::any(warp::all_lanes(), !done)) return;
    // After the ballot no lane holds a lock: an owner never sleeps.
    if (!done) spin.back_off();
  }
}

}  // namespace

void lock_lockstep(Stream& stream, const LockArgs& args, Scratch& scratch) {
  lock::with_spin_locks(stream, KERNEL(tally_lockstep_kernel), args, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
