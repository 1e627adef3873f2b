#include "gpu/faults/kernels/launch.h"
#include "gpu/primitives/lock/critical.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void locked_sums_wrong_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t sum = item % 2;
  for (Spin spin; !lock::try_lock(&args.first[sum]);) spin.back_off();
  args.out[sum] += item;
  lock::unlock(&args.first[sum]);
}

}  // namespace

void locked_sums_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(locked_sums_wrong_kernel), Shape(1, args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
