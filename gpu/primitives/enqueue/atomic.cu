// One atomic for every item that enters.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// A counter holds the number of items so far; whoever adds one to it owns the place that the
// counter stood at. Short, right, and it works anywhere in a program, in any branch. But every item
// of the launch meets every other at one word of memory, which serves them one by one.
//
// (nvcc helps: it sees lanes that add the same to the same word, and makes of them what active.cu
// writes out, one atomic for the lanes that are here. That is its choice, not the language's.)
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
