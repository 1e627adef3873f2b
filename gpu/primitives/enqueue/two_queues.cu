// Two queues by one ballot and one atomic.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// Every item goes into one of two queues: for example, rays that hit and rays that miss. The lanes
// that do not pass are the complement of those that do, so one ballot ranks both. The queues share
// one array of n places, one growing from its front and one from its back, so neither needs room
// for the worst case. The two counters are the halves of one 64-bit word: one atomic moves both.
// Neither exceeds n, so no carry runs from the lower into the upper.
#include "gpu/primitives/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void enqueue_two_queues_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t item = i < args.n ? args.in[i] : 0;
  const bool passes = i < args.n && item < args.below;

  // The whole warp votes, but lanes beyond the last item are in neither queue.
  const warp::LaneMask present = warp::ballot(warp::all_lanes(), i < args.n);
  const warp::LaneMask front = warp::ballot(warp::all_lanes(), passes);
  const warp::LaneMask back = present & ~front;

  std::uint64_t begin = 0;
  if (warp::lane() == 0 && present != 0)
    begin = atomicAdd(reinterpret_cast<std::uint64_t*>(args.counts),
                      std::uint64_t{warp::count(back)} << 32 | warp::count(front));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);

  if (i >= args.n) return;
  const std::uint32_t rank = warp::count((passes ? front : back) & warp::lanes_before());
  const auto front_begin = static_cast<std::uint32_t>(begin);
  const auto back_begin = static_cast<std::uint32_t>(begin >> 32);
  args.queue[passes ? front_begin + rank : args.n - 1 - (back_begin + rank)] = item;
}

}  // namespace

void enqueue_two_queues(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::split});
  launch(stream, KERNEL(enqueue_two_queues_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
