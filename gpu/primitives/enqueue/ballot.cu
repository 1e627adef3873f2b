// One atomic per warp.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// A ballot gives every lane the mask of the lanes whose item passes. Its population count is the
// number of places the warp needs: the first lane takes them with one atomic and broadcasts where
// they begin. A lane's offset is its rank, the number of passing lanes before it: the count of the
// mask's bits below its own. Only the counter and the queue are in memory.
#include "gpu/primitives/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void enqueue_ballot_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  // Lanes beyond the last item stay: the ballot names the whole warp.
  const std::uint32_t item = i < args.n ? args.in[i] : 0;
  const bool passes = i < args.n && item < args.below;

  const warp::LaneMask passing = warp::ballot(warp::all_lanes(), passes);
  std::uint32_t begin = 0;
  if (warp::lane() == 0 && passing != 0) begin = atomicAdd(&args.counts[0], warp::count(passing));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);

  const unsigned rank = warp::count(passing & warp::lanes_before());
  if (passes) enqueue::put(args, begin + rank, item);
}

}  // namespace

void enqueue_ballot(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing});
  launch(stream, KERNEL(enqueue_ballot_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
