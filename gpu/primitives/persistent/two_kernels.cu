// Two dependent stages as two kernels, the simplest way: the end of a launch is a barrier for all
// its blocks, and the next launch sees all that they wrote.
//
// It costs a second launch, and the time in which the device drains at the end of the first kernel
// and fills again. Registers are lost: the second kernel reads the numbers again, from the L2 cache
// where they fit into it.
#include <algorithm>

#include "gpu/primitives/persistent/stages.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(persistent::threads)
    maximum_kernel(const float* in, std::uint32_t n, float* maxima) {
  __shared__ persistent::Storage storage;
  float largest =
      persistent::largest_of_mine(in, n, global_thread(), gridDim.x * persistent::threads);
  largest = persistent::block_maximum(largest, storage);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest;
}

// As many blocks as in `maximum_kernel`.
__global__ void __launch_bounds__(persistent::threads)
    scale_kernel(const float* in, float* out, std::uint32_t n, const float* maxima) {
  __shared__ persistent::Storage storage;
  const float largest = persistent::maximum_of_all(maxima, storage);
  persistent::scale_mine(in, out, n, global_thread(), gridDim.x * persistent::threads, largest);
}

}  // namespace

void persistent_two_kernels(Stream& stream, const PersistentArgs& args, Scratch& scratch) {
  // Each block of the second kernel reads the results of all blocks of the first, so there are only
  // as many as fill the device.
  const auto filling = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  const std::uint32_t blocks =
      std::min(ceil_div(args.n, persistent::threads * persistent::fewest_each), filling);
  auto* maxima = scratch.take<float>(blocks, "maxima");
  if (scratch.measuring()) return;
  launch(stream, KERNEL(maximum_kernel), Shape(blocks, persistent::threads), args.in, args.n,
         maxima);
  launch(stream, KERNEL(scale_kernel), Shape(blocks, persistent::threads), args.in, args.out,
         args.n, maxima);
}

}  // namespace warpview::WARPVIEW_BACKEND
