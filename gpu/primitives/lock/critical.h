// What the locks guard, and the spin locks' word.
#pragma once

#include "gpu/primitives/lock/lock.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::lock {

// The critical section: plain reads and writes, right only while no other thread is here with the
// same tally.
__device__ inline void add(Tally& tally, std::uint32_t item) {
  ++tally.count;
  if (item > tally.largest) tally.largest = item;
  tally.sum += item;
}

// A spin lock is a word; all of them start free, by one fill with zeros.
inline constexpr std::uint32_t is_free = 0;
inline constexpr std::uint32_t is_taken = 1;

// Takes the lock if it is free; says whether. Of all that try at once one finds it free, since the
// exchange is one step.
__device__ inline bool try_lock(std::uint32_t* lock) {
  if (atomicExch(lock, is_taken) != is_free) return false;
  // Acquire: the exchange alone orders nothing. Without the fence the reads of the critical section
  // could be served before it, or from a cache that holds what was there before the last owner
  // wrote.
  __threadfence();
  return true;
}

__device__ inline void unlock(std::uint32_t* lock) {
  // Release: all that was written in the critical section is there before the lock is free. Else
  // the next owner could read what it is about to be overtaken by.
  __threadfence();
  store_relaxed(lock, is_free);
}

// The host side of the spin locks: one word per tally, all free, and one thread per item.
using SpinKernel = Kernel<LockArgs, std::uint32_t*>;
inline void with_spin_locks(Stream& stream, SpinKernel kernel, const LockArgs& args,
                            Scratch& scratch) {
  auto* locks = scratch.take<std::uint32_t>(args.tally_count, "locks");
  if (scratch.measuring()) return;
  stream.fill(locks, 0, args.tally_count * sizeof(std::uint32_t));
  launch(stream, kernel, one_thread_each(args.n), args, locks);
}

}  // namespace warpview::WARPVIEW_BACKEND::lock
