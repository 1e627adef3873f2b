// A lock from the standard's atomic: exchange, wait, store, notify.
//
//   CUDA C++ Core Libraries, libcu++: cuda::atomic, wait and notify_one.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is the spin lock of C++20: a thread that finds the lock taken waits until its word differs
// from `is_taken`, and the owner that releases it notifies one waiter. On a CPU the operating
// system puts the waiter to sleep. On a GPU no scheduler wakes a thread: the library's wait polls
// the word, with longer and longer sleeps, and notify does nothing. Waiters thus only read, and try
// to take the lock only after they have seen it free. The memory orders are written at the
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
