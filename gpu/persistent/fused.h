// Both stages in one kernel of persistent threads; the variants differ in how its blocks wait for
// each other.
//
//   K. Gupta, J. Stuart, J. Owens, A Study of Persistent Threads Style GPU Programming for GPGPU
//   Workloads, InPar 2012.
//   Lecture Persistent Threads, course GPU programming primitives, SIGGRAPH Asia 2023.
//
// There are as many blocks as the device holds at a time, no more, and they stay until all is done,
// each thread taking number after number. What is gained is a launch, and that a thread still knows
// in the second stage what it read in the first.
//
// Why no more blocks than fit: a block leaves its multiprocessor when it ends, never before. One
// that waits for a block that has not started, because all places are taken by waiting blocks,
// waits for ever. So the grid is what the occupancy query allows, and the launch is a cooperative
// one, which the driver refuses if it could not make all blocks resident at once.
#pragma once

#include <algorithm>

#include "gpu/persistent/stages.h"

namespace warpview::WARPVIEW_BACKEND::persistent {

inline constexpr unsigned kept_each = 16;  // numbers that a thread keeps in registers

// `Barrier::wait(arrived)` is called by all threads of all blocks: no thread returns before all
// have come, and then sees what all wrote before. maxima[gridDim.x] is scratch; *arrived is 0.
template <class Barrier>
__global__ void __launch_bounds__(threads)
    fused_kernel(const float* in, float* out, std::uint32_t n, float* maxima,
                 std::uint32_t* arrived) {
  __shared__ Storage storage;
  const std::uint32_t stride = gridDim.x * threads;
  const std::uint32_t beyond = global_thread() + kept_each * stride;

  float kept[kept_each];
  UNROLL
  for (unsigned k = 0; k < kept_each; ++k) {
    const std::uint32_t i = global_thread() + k * stride;
    kept[k] = i < n ? in[i] : 0.0F;
  }
  float largest = largest_of_mine(in, n, beyond, stride);
  UNROLL
  for (unsigned k = 0; k < kept_each; ++k) largest = max_of(largest, std::fabs(kept[k]));
  largest = block_maximum(largest, storage);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest;

  Barrier::wait(arrived);

  largest = maximum_of_all(maxima, storage);
  UNROLL
  for (unsigned k = 0; k < kept_each; ++k) {
    const std::uint32_t i = global_thread() + k * stride;
    if (i < n) out[i] = scaled(kept[k], largest);
  }
  scale_mine(in, out, n, beyond, stride, largest);
}

template <class Barrier>
void fused(Stream& stream, const PersistentArgs& args, Workspace& workspace) {
  const Kernel kernel{&fused_kernel<Barrier>, Barrier::kernel_name};
  const std::uint32_t resident = concurrent_blocks(stream, kernel.function, threads);
  const std::uint32_t blocks = std::min(ceil_div(args.n, threads * fewest_each), resident);
  auto* maxima = workspace.take<float>(blocks);
  auto* arrived = workspace.take<std::uint32_t>(1);
  if (workspace.measuring() || args.n == 0) return;
  stream.fill(arrived, 0, sizeof *arrived);
  launch_concurrent(stream, kernel, Shape(blocks, threads), args.in, args.out, args.n, maxima,
                    arrived);
}

}  // namespace warpview::WARPVIEW_BACKEND::persistent
