// A lock of the standard's atomic: exchange, wait, store, notify.
//
//   CUDA C++ Core Libraries, libcu++: cuda::atomic, wait and notify_one.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// What C++20 made of the spin lock: a thread that finds the lock taken waits until its word differs
// from `is_taken`, and whoever lets go notifies one that waits. On a CPU the operating system puts
// the waiter to sleep; a GPU has nobody who would wake it, so the library's wait looks at the word
// again and again, sleeping longer each time, and notify does nothing. What stays is that waiting
// reads, and tries to take the lock only when it has been seen free. The orders stand beside the
// operations: acquire on the exchange, release on the store.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/atomic>

#include "gpu/primitives/lock/critical.h"

namespace warpview::cuda {

namespace {

using Word = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;

__global__ void tally_wait_notify_kernel(LockArgs args, std::uint32_t* locks) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.items[i];
  const std::uint32_t t = item % args.tally_count;

  const Word word(locks[t]);
  while (word.exchange(lock::is_taken, ::cuda::memory_order_acquire) != lock::is_free)
    word.wait(lock::is_taken, ::cuda::memory_order_relaxed);
  lock::add(args.tallies[t], item);
  word.store(lock::is_free, ::cuda::memory_order_release);
  word.notify_one();
}

}  // namespace

void lock_wait_notify(Stream& stream, const LockArgs& args, Scratch& scratch) {
  lock::with_spin_locks(stream, KERNEL(tally_wait_notify_kernel), args, scratch);
}

}  // namespace warpview::cuda

#endif
