// A tile staged by memcpy_async: the hardware copies, a barrier signals completion.
//
//   CUDA C++ Programming Guide, Asynchronous Data Copies; libcu++, cuda::barrier.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is registers.cu without a register for each word in flight; the threads wait at a barrier
// that counts the copies as well. There is one tile per block, so the block still idles while its
// copy is in flight. In memcpy_async_pipeline.cu it has work meanwhile.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/staging/copy_async.h"

namespace warpview::cuda {

namespace {

// One block per tile.
__global__ void __launch_bounds__(staging::threads)
    moving_sum_memcpy_async_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                                   std::uint32_t radius, bool aligned) {
  __shared__ alignas(16) std::uint32_t staged[staging::largest_stage];
  // `init` constructs a barrier in memory that exists already.
  __shared__ alignas(staging::Barrier) unsigned char barrier_memory[sizeof(staging::Barrier)];
  auto& arrived = *reinterpret_cast<staging::Barrier*>(barrier_memory);
  if (threadIdx.x == 0) init(&arrived, staging::threads);
  staging::hand_over_to_copies();

  const std::uint32_t tile = blockIdx.x;
  const staging::Stage stage(tile, radius);
  staging::start_copy(staged, stage, in, n, aligned, arrived);
  arrived.arrive_and_wait();
  staging::add_up(staged, stage, tile, radius, n, out);
}

}  // namespace

void staging_memcpy_async(Stream& stream, const StagingArgs& args, Scratch& scratch) {
  staging::check(args);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(moving_sum_memcpy_async_kernel),
         Shape(staging::tiles_of(args.n), staging::threads), args.in, args.out, args.n, args.radius,
         staging::is_aligned(args.in));
}

}  // namespace warpview::cuda

#endif
