// The plain spin lock, which needs independent thread scheduling.
//
//   NVIDIA Tesla V100 GPU Architecture, 2017: Independent Thread Scheduling.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Spinlock on GPU.
//
// Spin until the lock is taken, do the work, release it. Since compute capability 7.0 each lane has
// its own instruction pointer, and a waiting lane does not keep another lane of its warp from
// leaving the loop. On lockstep hardware this hangs as soon as two lanes of a warp want one lock:
// the owner waits after the loop for the lanes in it. lockstep.cu runs there, too.
#include "gpu/primitives/lock/critical.h"

namespace warpview::WARPVIEW_BACKEND {

#if !defined(WARPVIEW_BACKEND_HIP)

namespace {

__global__ void tally_independent_kernel(LockArgs args, std::uint32_t* locks) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.items[i];
  const std::uint32_t t = item % args.tally_count;

  for (Spin spin; !lock::try_lock(&locks[t]);) spin.back_off();
  lock::add(args.tallies[t], item);
  lock::unlock(&locks[t]);
}

}  // namespace

void lock_independent(Stream& stream, const LockArgs& args, Scratch& scratch) {
  lock::with_spin_locks(stream, KERNEL(tally_independent_kernel), args, scratch);
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
