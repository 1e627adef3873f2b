#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// Blocks put in and take out in turn. A slot holds the number of an item, from 1; 0: empty.
__global__ void queue_wrong_kernel(FaultArgs args) {
  std::uint32_t* const slots = args.first;
  std::uint32_t* const put = args.second;
  std::uint32_t* const taken = args.second + 1;
  if (blockIdx.x % 2 == 0) {
    const std::uint32_t i = blockIdx.x / 2 * blockDim.x + threadIdx.x;
    store_relaxed(&slots[atomicAdd(put, 1U)], i + 1);
    return;
  }
  const std::uint32_t* const slot = &slots[atomicAdd(taken, 1U)];
  const std::uint32_t number = load_relaxed(slot);
  if (number == 0) return;
  args.out[number - 1] = args.items[number - 1];
}

}  // namespace

void queue_wrong(Stream& stream, const FaultArgs& args) {
  launch_concurrent(stream, KERNEL(queue_wrong_kernel), one_thread_each(2 * args.n, 32), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
