#include "gpu/faults/kernels/launch.h"
#include "gpu/primitives/lock/critical.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void locked_sums_right_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t sum = item % 2;
  bool is_done = false;
  for (Spin spin;;) {
    if (!is_done && lock::try_lock(&args.first[sum])) {
      args.out[sum] += item;
      lock::unlock(&args.first[sum]);
      is_done = true;
    }
    if (!warp::any(warp::all_lanes(), !is_done)) return;
    if (!is_done) spin.back_off();
  }
}

}  // namespace

void locked_sums_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(locked_sums_right_kernel), Shape(1, args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
