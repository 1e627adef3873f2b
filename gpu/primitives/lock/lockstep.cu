// A spin lock for warps in lockstep.
//
//   J. Sanders, E. Kandrot, CUDA by Example, 2010, appendix: the lock, and how it can hang.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Spinlock on GPU.
//
// Where the lanes of a warp share one instruction pointer, a loop that ends when the lock is taken
// hangs: the lane that took it waits behind the loop for the others, and they wait in the loop for
// it. So taking the lock, the critical section and the release stand together in one branch inside
// the loop, and a flag says that a lane has been in: whoever got in has let go before its warp
// comes to the end of the branch. Right on every hardware, and with waves of 64.
//
// A flag that each lane looks at alone would not do. A compiler sees that the branch is always
// followed by the end of the loop and moves it behind the loop, where the hanging program began.
// Here the loop ends for all lanes of the warp at once, by a ballot. A lane comes to it with its
// work done or not, so the critical section lies inside the loop for good.
#include "gpu/primitives/lock/critical.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void tally_lockstep_kernel(LockArgs args, std::uint32_t* locks) {
  const std::uint32_t i = global_thread();
  // Lanes behind the end stay for the ballot, with nothing to do.
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
    // Behind the ballot nobody holds a lock: an owner does not sleep.
    if (!done) spin.back_off();
  }
}

}  // namespace

void lock_lockstep(Stream& stream, const LockArgs& args, Scratch& scratch) {
  lock::with_spin_locks(stream, KERNEL(tally_lockstep_kernel), args, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
