#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// Each thread clears another's word, as kernels do that pad a tile with zeros.
__global__ void scan_right_kernel(FaultArgs args) {
  constexpr unsigned tile = 128;
  __shared__ std::uint32_t sums[tile];
  const unsigned t = threadIdx.x;
  sums[tile - 1 - t] = 0;
  __syncthreads();
  sums[t] = args.items[t];
  __syncthreads();
  for (unsigned step = 1; step < tile; step *= 2) {
    std::uint32_t sum = sums[t];
    if (t >= step) sum += sums[t - step];
    __syncthreads();
    sums[t] = sum;
    __syncthreads();
  }
  args.out[t] = sums[t];
}

}  // namespace

void scan_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(scan_right_kernel), Shape(1, args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
