// No lock: an atomic for each word.
//
// This is the baseline of the locks. Sums and maxima can be built from single atomics, in any
// order, so the final tallies are the same. What is missing is the lock's promise: a thread that
// reads a tally meanwhile may see an item counted that is not yet in the sum.
#include "gpu/primitives/lock/lock.h"

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void tally_by_atomics_kernel(LockArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.items[i];
  Tally& tally = args.tallies[item % args.tally_count];
  atomicAdd(&tally.count, 1U);
  atomicMax(&tally.largest, item);
  atomicAdd(&tally.sum, std::uint64_t{item});
}

}  // namespace

void lock_atomics(Stream& stream, const LockArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(tally_by_atomics_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
