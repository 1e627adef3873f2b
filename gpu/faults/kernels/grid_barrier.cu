#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned threads = 32;

// gpu/primitives/persistent/grid_barrier.cu explains the barrier. It is right in both forms: what
// differs is the launch.
__global__ void grid_barrier_kernel(FaultArgs args) {
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

void grid_barrier_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(grid_barrier_kernel), one_thread_each(args.n, threads), args);
}
void grid_barrier_right(Stream& stream, const FaultArgs& args) {
  const unsigned blocks = concurrent_blocks(stream, &grid_barrier_kernel, threads);
  launch_concurrent(stream, KERNEL(grid_barrier_kernel), Shape(blocks, threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
