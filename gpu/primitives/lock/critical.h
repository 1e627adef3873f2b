// What the locks guard, and the word of a spin lock.
#pragma once

#include "gpu/primitives/lock/lock.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::lock {

// The critical section: plain reads and writes, correct only while no other thread is in it with
// the same tally.
__device__ inline void add(Tally& tally, std::uint32_t item) {
  ++tally.count;
  if (item > tally.largest) tally.largest = item;
  tally.sum += item;
}

// A spin lock is one word; a fill with zeros makes all of them free.
inline constexpr std::uint32_t is_free = 0;
inline constexpr std::uint32_t is_taken = 1;

// Takes the lock if it is free; returns whether it did. The exchange is atomic, so that only one of
// all concurrent tries finds the lock free.
__device__ inline bool try_lock(std::uint32_t* lock) {
  if (atomicExch(lock, is_taken) != is_free) return false;
  // Acquire: the exchange alone orders nothing. Without the fence, reads of the critical section
  // could be served before it, or from a cache that holds the values from before the last owner's
  // writes.
  __threadfence();
  return true;
}

__device__ inline void unlock(std::uint32_t* lock) {
  // Release: all writes of the critical section become visible before the lock is free. Otherwise
  // the next owner could read values that are about to be overwritten.
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
