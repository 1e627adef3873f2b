// A reduction in one kernel: the last block to finish combines the blocks' results. What a warp
// does is left to the variant; see shuffle_last_block.cu and cooperative_groups.cu.
//
// CUDA sample threadFenceReduction. Across blocks a counter replaces the second launch, which for
// interactive meshes costs more than the reduction.
#pragma once

#include <algorithm>

#include "gpu/reduce/merge.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

inline constexpr unsigned threads = 256;
inline constexpr unsigned items_each = 8;  // fewest items worth a thread

// The merge over the block; thread 0 holds it. `Warp::merge(mine)` is called by whole warps and
// gives lane 0 the merge of theirs. Only one result a warp passes through shared memory.
template <class Warp>
__device__ inline SceneBounds reduce_block(SceneBounds mine, SceneBounds* of_warps) {
  mine = Warp::merge(mine);
  if (warp::lane() == 0) of_warps[warp::index()] = mine;
  __syncthreads();
  if (warp::index() == 0) {
    mine = warp::lane() < threads / warp::size() ? of_warps[warp::lane()] : empty_bounds();
    mine = Warp::merge(mine);
  }
  return mine;
}

template <class Warp>
__global__ void __launch_bounds__(threads)
    last_block_kernel(const Aabb* boxes, std::uint32_t n, SceneBounds* partial,
                      std::uint32_t* finished, SceneBounds* out) {
  __shared__ SceneBounds of_warps[threads / warp::min_size];
  __shared__ bool last;
  SceneBounds mine = empty_bounds();
  const std::uint32_t stride = gridDim.x * threads;
  for (std::uint32_t i = global_thread(); i < n; i += stride)
    mine = MergeBounds()(mine, bounds_of(boxes[i]));
  mine = reduce_block<Warp>(mine, of_warps);

  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    // Release: whoever sees the counter go up must see the partial result too.
    __threadfence();
    last = atomicAdd(finished, 1U) == gridDim.x - 1;
    // Acquire: the results of the other blocks, read below by the whole block, are those from
    // before their increments.
    __threadfence();
  }
  __syncthreads();
  if (!last) return;

  mine = empty_bounds();
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += threads)
    mine = MergeBounds()(mine, partial[i]);
  mine = reduce_block<Warp>(mine, of_warps);
  if (threadIdx.x == 0) *out = mine;
}

template <class Warp>
void last_block(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  // As many blocks as the device runs at a time, or fewer for few items.
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  const std::uint32_t wanted = ceil_div(args.n, threads * items_each);
  const std::uint32_t blocks = std::clamp(wanted, 1U, resident);
  auto* partial = workspace.take<SceneBounds>(blocks);
  auto* finished = workspace.take<std::uint32_t>(1);
  if (workspace.measuring()) return;
  stream.fill(finished, 0, sizeof(*finished));
  launch(stream, Kernel{&last_block_kernel<Warp>, Warp::kernel_name}, Shape(blocks, threads),
         args.boxes, args.n, partial, finished, args.out);
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
