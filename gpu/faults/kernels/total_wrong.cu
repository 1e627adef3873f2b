#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// gpu/primitives/persistent explains how the blocks wait for each other.
__global__ void total_wrong_kernel(FaultArgs args) {
  std::uint32_t* const arrived = args.first;
  std::uint32_t* const total = args.second;
  std::uint32_t sum = 0;
  for (std::uint32_t i = global_thread(); i < args.n; i += gridDim.x * blockDim.x)
    sum += args.items[i];
  atomicAdd(total, sum);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1U);
    for (Spin spin; load_relaxed(arrived) < gridDim.x;) spin.back_off();
    __threadfence();
  }
  __syncthreads();
  for (std::uint32_t i = global_thread(); i < args.n; i += gridDim.x * blockDim.x)
    args.out[i] = args.items[i] + load_relaxed(total);
}

}  // namespace

void total_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(total_wrong_kernel), one_thread_each(args.n, 32), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
