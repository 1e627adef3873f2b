// A moving sum without staging: every thread reads all its inputs from global memory.
//
// This is the baseline. It takes 2 r + 1 loads per item, but neighbouring threads load neighbouring
// words that their warp has just loaded, so nearly all hit in L1. Staging does not save memory
// traffic, but the instructions and the latency of those loads.

#include "gpu/primitives/staging/tile.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(256)
    moving_sum_direct_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                             std::uint32_t radius) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const std::uint32_t first = i < radius ? 0 : i - radius;
  const std::uint32_t last = n - 1 - i < radius ? n - 1 : i + radius;
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k <= last - first; ++k) sum += in[first + k];
  out[i] = sum;
}

}  // namespace

void staging_direct(Stream& stream, const StagingArgs& args, Scratch& scratch) {
  staging::check(args);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(moving_sum_direct_kernel), one_thread_each(args.n), args.in, args.out,
         args.n, args.radius);
}

}  // namespace warpview::WARPVIEW_BACKEND
