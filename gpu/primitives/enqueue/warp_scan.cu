// One atomic per warp, where a lane may have several items.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// A ballot counts at most one item per lane. A lane that walks a tree may have no, one or two
// children to enqueue, so ranks are sums instead of bit counts: a prefix sum over the warp by
// shuffles, in five or six steps. The last lane's inclusive sum is the warp's total; that lane
// takes the places.
#include "gpu/primitives/enqueue/queue.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void enqueue_warp_scan_kernel(EnqueueArgs args) {
  const std::uint32_t i = global_thread();
  // Lanes beyond the last item stay, with no item: the scan is over the whole warp.
  const std::uint32_t item = i < args.n ? args.in[i] : 0;
  const std::uint32_t items = i < args.n ? enqueue::items_of(args, item) : 0;

  const std::uint32_t upto = warp::inclusive_sum(items);
  const unsigned last = warp::size() - 1;
  std::uint32_t begin = 0;
  if (warp::lane() == last && upto > 0) begin = atomicAdd(&args.counts[0], upto);
  begin = warp::shuffle(warp::all_lanes(), begin, last);

  if (items > 0) enqueue::put_items(args, begin + upto - items, item);
}

}  // namespace

void enqueue_warp_scan(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two});
  launch(stream, KERNEL(enqueue_warp_scan_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
