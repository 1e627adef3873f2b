// Tiles staged by memcpy_async in two alternating stages: the next tile arrives while the block
// works on this one.
//
//   CUDA C++ Programming Guide, Asynchronous Data Copies; libcu++, cuda::barrier.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The grid has as many blocks as the device holds, and each takes tiles round-robin. A block starts
// the copy of its next tile into the stage that it has just finished with, and only then waits for
// the other stage, whose copy was started one tile ago. Each stage has a separate barrier, so that
// waiting for one does not wait for the other. Through registers this would take a register for
// every word in flight.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <algorithm>

#include "gpu/primitives/staging/copy_async.h"

namespace warpview::cuda {

namespace {

// Any number of blocks.
__global__ void __launch_bounds__(staging::threads)
    moving_sum_pipeline_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                               std::uint32_t radius, bool aligned, std::uint32_t tiles) {
  __shared__ alignas(16) std::uint32_t staged[2][staging::largest_stage];
  // `init` constructs barriers in memory that exists already.
  __shared__ alignas(staging::Barrier) unsigned char barrier_memory[2 * sizeof(staging::Barrier)];
  auto* const arrived = reinterpret_cast<staging::Barrier*>(barrier_memory);
  if (threadIdx.x == 0) {
    init(&arrived[0], staging::threads);
    init(&arrived[1], staging::threads);
  }
  staging::hand_over_to_copies();

  unsigned turn = 0;
  if (blockIdx.x < tiles)
    staging::start_copy(staged[0], staging::Stage(blockIdx.x, radius), in, n, aligned, arrived[0]);
  for (std::uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint32_t next = tile + gridDim.x;
    if (next < tiles)
      staging::start_copy(staged[1 - turn], staging::Stage(next, radius), in, n, aligned,
                          arrived[1 - turn]);
    arrived[turn].arrive_and_wait();
    staging::add_up(staged[turn], staging::Stage(tile, radius), tile, radius, n, out);
    // The next round starts a copy into this stage.
    staging::hand_over_to_copies();
    turn = 1 - turn;
  }
}

}  // namespace

void staging_memcpy_async_pipeline(Stream& stream, const StagingArgs& args, Scratch& scratch) {
  staging::check(args);
  if (scratch.measuring()) return;
  const std::uint32_t tiles = staging::tiles_of(args.n);
  const std::uint32_t blocks =
      std::min(tiles, concurrent_blocks(stream, &moving_sum_pipeline_kernel, staging::threads));
  launch(stream, KERNEL(moving_sum_pipeline_kernel), Shape(blocks, staging::threads), args.in,
         args.out, args.n, args.radius, staging::is_aligned(args.in), tiles);
}

}  // namespace warpview::cuda

#endif
