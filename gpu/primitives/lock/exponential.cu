// A spin lock with exponential back-off.
//
//   T. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
//   IEEE Transactions on Parallel and Distributed Systems 1(1), 1990.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// Every try is an exchange on the lock's word, and the owner's release queues at the same cache
// line as the tries of all waiters: the more there are, the longer the lock is held. After each
// failed try a waiter waits twice as long, up to a limit. Tries thus stay few while many threads
// wait, and a free lock is taken at once. The loop is that of lockstep.cu, for the reasons given
// there.
#include "gpu/primitives/lock/critical.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned longest_wait = 64;  // back-offs: several microseconds

__global__ void tally_exponential_kernel(LockArgs args, std::uint32_t* locks) {
  const std::uint32_t i = global_thread();
  bool done = i >= args.n;
  const std::uint32_t item = done ? 0 : args.items[i];
  const std::uint32_t t = item % args.tally_count;

  unsigned wait = 1;
  for (Spin spin;;) {
    if (!done && lock::try_lock(&locks[t])) {
      lock::add(args.tallies[t], item);
      lock::unlock(&locks[t]);
      done = true;
    }
    if (!warp::any(warp::all_lanes(), !done)) return;
    if (!done) {
      for (unsigned k = 0; k < wait; ++k) spin.back_off();
      if (wait < longest_wait) wait *= 2;
    }
  }
}

}  // namespace

void lock_exponential(Stream& stream, const LockArgs& args, Scratch& scratch) {
  lock::with_spin_locks(stream, KERNEL(tally_exponential_kernel), args, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
