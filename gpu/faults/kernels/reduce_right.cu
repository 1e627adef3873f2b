#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void reduce_right_kernel(FaultArgs args) {
  constexpr unsigned threads = 128;
  // Lanes without a partner read past the block's words.
  __shared__ std::uint32_t s[threads + warp::max_size / 2];
  const unsigned t = threadIdx.x;
  s[t] = args.items[t];
  if (t < warp::max_size / 2) s[threads + t] = 0;
  __syncthreads();
  for (unsigned half = threads / 2; half >= warp::size(); half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (warp::index() != 0) return;
  for (unsigned half = warp::size() / 2; half > 0; half /= 2) {
    const std::uint32_t sum = s[t] + s[t + half];
    warp::sync(warp::all_lanes());
    s[t] = sum;
    warp::sync(warp::all_lanes());
  }
  if (t == 0) *args.out = s[0];
}

}  // namespace

void reduce_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(reduce_right_kernel), Shape(1, args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
