#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// Each item travels to the mirrored place, where it is added, and the sum travels back.
__global__ void mirror_wrong_kernel(FaultArgs args) {
  constexpr unsigned threads = 64;
  __shared__ std::uint32_t buffer[threads];
  const std::uint32_t i = global_thread();
  const unsigned t = threadIdx.x;
  const std::uint32_t left = args.n - blockIdx.x * threads;
  const unsigned mirrored = (left < threads ? left : threads) - 1 - t;  // in the block
  std::uint32_t sum = 0;
  if (i < args.n) {
    buffer[t] = args.items[i];
    __syncthreads();
    sum = args.items[i] + buffer[mirrored];
  }
  __syncthreads();
  buffer[t] = sum;
  __syncthreads();
  if (i < args.n) args.out[i] = buffer[mirrored];
}

}  // namespace

void mirror_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(mirror_wrong_kernel), one_thread_each(args.n, 64), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
