// A tile staged through registers: load, store to shared memory, barrier, work.
//
// CUDA C++ Programming Guide, Shared Memory.
//
// The copy takes two instructions per word, with a register in between: the word loaded from global
// memory waits there until the store to shared memory. The block can do nothing else until the
// barrier has made the whole tile visible. Only other blocks on the SM hide that latency.

#include "gpu/primitives/staging/tile.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One block per tile.
__global__ void __launch_bounds__(staging::threads)
    moving_sum_registers_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                                std::uint32_t radius) {
  __shared__ std::uint32_t staged[staging::largest_stage];
  const std::uint32_t tile = blockIdx.x;
  const staging::Stage stage(tile, radius);

  for (std::uint32_t w = threadIdx.x; w < stage.words; w += staging::threads) {
    const std::int64_t i = stage.first + w;
    staged[w] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();
  staging::add_up(staged, stage, tile, radius, n, out);
}

}  // namespace

void staging_registers(Stream& stream, const StagingArgs& args, Scratch& scratch) {
  staging::check(args);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(moving_sum_registers_kernel),
         Shape(staging::tiles_of(args.n), staging::threads), args.in, args.out, args.n,
         args.radius);
}

}  // namespace warpview::WARPVIEW_BACKEND
