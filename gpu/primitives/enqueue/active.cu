// One atomic for all active lanes.
//
//   A. Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Aggregate
//   Atomics in Warp.
//   CUDA C++ Programming Guide, Warp Vote Functions: __activemask.
//
// ballot.cu needs the whole warp, so it must be called before lanes diverge. Here the call is
// inside the branch, in place of a plain atomicAdd: the calling lanes find out which lanes are
// active, the first of them takes places for all, and a shuffle among them distributes the places.
// This is opportunistic: lanes that arrive separately make two atomics instead of one, and the
// result is still correct. Nothing may be concluded from an absent lane. Two queues with two
// counters cannot be filled this way: lanes bound for different counters might be active together.
#include "gpu/primitives/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Adds one to the counter for each lane that calls it and returns each lane's place. All calling
// lanes of a warp must name the same counter.
__device__ inline std::uint32_t take_place(std::uint32_t* counter) {
  const warp::LaneMask here = warp::active();
  const unsigned leader = warp::first(here);
  std::uint32_t begin = 0;
  if (warp::lane() == leader) begin = atomicAdd(counter, warp::count(here));
  // The leader rejoins the others before any goes on: the shuffle names them all.
  begin = warp::shuffle(here, begin, leader);
  return begin + warp::count(here & warp::lanes_before());
}

__global__ void enqueue_active_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  if (item < args.below) {
    enqueue::put(args, take_place(args.counts), item);
    if (args.mode == EnqueueMode::up_to_two && item < args.twice_below)
      enqueue::put(args, take_place(args.counts), ~item);
  }
}

}  // namespace

void enqueue_active(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two});
  launch(stream, KERNEL(enqueue_active_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
