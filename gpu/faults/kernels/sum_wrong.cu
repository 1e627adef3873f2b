#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void sum_wrong_kernel(FaultArgs args) {
  const std::uint32_t i = global_thread();
  if (i < args.n) *args.out += args.items[i];
}

}  // namespace

void sum_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(sum_wrong_kernel), one_thread_each(args.n, 64), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
