#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned threads = 64;

// The mirrored place among the items of the block.
__device__ unsigned mirrored(std::uint32_t n) {
  const std::uint32_t left = n - blockIdx.x * threads;
  return (left < threads ? left : threads) - 1 - threadIdx.x;
}

// Each item travels to the mirrored place, where it is added, and the sum travels back.
__global__ void barrier_in_branch_kernel(FaultArgs args) {
  __shared__ std::uint32_t buffer[threads];
  const std::uint32_t i = global_thread();
  const unsigned t = threadIdx.x;
  std::uint32_t sum = 0;
  if (i < args.n) {
    buffer[t] = args.items[i];
    __syncthreads();
    sum = args.items[i] + buffer[mirrored(args.n)];
  }
  __syncthreads();
  buffer[t] = sum;
  __syncthreads();
  if (i < args.n) args.out[i] = buffer[mirrored(args.n)];
}

__global__ void barrier_in_branch_right_kernel(FaultArgs args) {
  __shared__ std::uint32_t buffer[threads];
  const std::uint32_t i = global_thread();
  const unsigned t = threadIdx.x;
  std::uint32_t sum = 0;
  if (i < args.n) buffer[t] = args.items[i];
  __syncthreads();
  if (i < args.n) sum = args.items[i] + buffer[mirrored(args.n)];
  __syncthreads();
  buffer[t] = sum;
  __syncthreads();
  if (i < args.n) args.out[i] = buffer[mirrored(args.n)];
}

}  // namespace

void barrier_in_branch_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(barrier_in_branch_kernel), one_thread_each(args.n, threads), args);
}
void barrier_in_branch_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(barrier_in_branch_right_kernel), one_thread_each(args.n, threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
