// A reduction in one kernel: the last block to finish combines the blocks' results. What a warp
// does is left to the variant; see last_block.cu, reduce_sync.cu and cooperative_groups.cu.
//
// CUDA sample threadFenceReduction. Across blocks a counter replaces the second launch, which for
// interactive meshes costs more than the reduction.
//
// Which block is the last is chance, but it combines the results in their order, so sums of floats
// have the same bits at every run on the same device.
#pragma once

#include "gpu/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

// The block's values combined; thread 0 holds them. `Warp::combine<Op>(mine)` is called by whole
// warps and gives lane 0 what comes of theirs. Only one result a warp passes through shared memory.
template <class Op, class Warp>
__device__ inline typename Op::Value combine_block(typename Op::Value mine,
                                                   typename Op::Value* of_warps) {
  mine = Warp::template combine<Op>(mine);
  if (warp::lane() == 0) of_warps[warp::index()] = mine;
  __syncthreads();
  if (warp::index() == 0) {
    mine = warp::lane() < threads / warp::size() ? of_warps[warp::lane()] : Op::identity();
    mine = Warp::template combine<Op>(mine);
  }
  return mine;
}

template <class Op, class Warp>
__global__ void __launch_bounds__(threads)
    last_block_kernel(Op op, std::uint32_t n, typename Op::Value* partial, std::uint32_t* finished,
                      typename Op::Value* out) {
  using Value = typename Op::Value;
  __shared__ Value of_warps[threads / warp::min_size];
  __shared__ bool last;
  Value mine = combine_block<Op, Warp>(combine_strided(op, n), of_warps);

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

  mine = Op::identity();
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += threads)
    mine = Op::combine(mine, partial[i]);
  mine = combine_block<Op, Warp>(mine, of_warps);
  if (threadIdx.x == 0) *out = mine;
}

template <class Warp, class Op>
void last_block(Stream& stream, const Op& op, const ReduceArgs& args, Workspace& workspace) {
  using Value = typename Op::Value;
  const std::uint32_t blocks = blocks_for(stream, args.n);
  auto* partial = workspace.take<Value>(blocks);
  auto* finished = workspace.take<std::uint32_t>(1);
  if (workspace.measuring()) return;
  stream.fill(finished, 0, sizeof(*finished));
  launch(stream, Kernel{&last_block_kernel<Op, Warp>, Warp::kernel_name}, Shape(blocks, threads),
         op, args.n, partial, finished, static_cast<Value*>(args.out));
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
