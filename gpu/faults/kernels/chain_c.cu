#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void chain_c_kernel(FaultArgs args) {
  constexpr unsigned threads = 32;  // and items of a tile
  std::uint32_t* const flags = args.first + 1;
  std::uint32_t* const sums = args.second;
  __shared__ std::uint32_t items[threads];
  const std::uint32_t tile = blockIdx.x;
  items[threadIdx.x] = args.items[tile * threads + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;

  std::uint32_t sum = 0;
  for (const std::uint32_t item : items) sum += item;
  if (tile > 0) {
    for (Spin spin; load_relaxed(&flags[tile - 1]) == 0;) spin.back_off();
    __threadfence();
    sum += sums[tile - 1];
  }
  sums[tile] = sum;
  __threadfence();
  store_relaxed(&flags[tile], 1U);
  args.out[tile] = sum;
}

}  // namespace

void chain_c(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(chain_c_kernel), one_thread_each(args.n, 32), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
