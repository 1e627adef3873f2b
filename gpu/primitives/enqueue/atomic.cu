// One atomic for every item that enters.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// A counter holds the number of items so far; a thread that adds one to it owns the place that the
// addition returns. This is short and correct, and works in any branch of a program. But all items
// of the launch contend for one word of memory, which serves them one by one.
//
// (nvcc helps: it detects lanes that add the same value to the same word, and compiles them to the
// code of active.cu, one atomic for the active lanes. The language does not guarantee that.)
#include "gpu/primitives/enqueue/queue.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void enqueue_atomic_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  if (item < args.below) {
    enqueue::put(args, atomicAdd(&args.counts[0], 1U), item);
    if (args.mode == EnqueueMode::up_to_two && item < args.twice_below)
      enqueue::put(args, atomicAdd(&args.counts[0], 1U), ~item);
  } else if (args.mode == EnqueueMode::split) {
    args.queue[args.n - 1 - atomicAdd(&args.counts[1], 1U)] = item;
  }
}

}  // namespace

void enqueue_atomic(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two, EnqueueMode::split});
  launch(stream, KERNEL(enqueue_atomic_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
