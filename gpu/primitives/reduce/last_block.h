// The host function of the reductions in one kernel: see last_block.cu. reduce_sync.cu and
// cooperative_groups.cu differ from it in the reduction of a warp.
#pragma once

#include "gpu/block/last_block.h"
#include "gpu/block/reduce.h"
#include "gpu/primitives/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

// Combines this thread's part of the blocks' results, in block order.
template <class Operator>
__device__ inline typename Operator::Type combine_partial(const typename Operator::Type* partial) {
  typename Operator::Type mine = Operator::identity();
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += threads)
    mine = Operator::combine(mine, partial[i]);
  return mine;
}

// Launches the kernel with scratch for the result of each block, and a counter of finished blocks.
template <class Operator, class Items>
void by_last_block(
    Stream& stream, const Items& items, const ReduceArgs& args, Scratch& scratch,
    Kernel<Items, std::uint32_t, typename Operator::Type*, std::uint32_t*, typename Operator::Type*>
        kernel) {
  using T = typename Operator::Type;
  const std::uint32_t blocks = blocks_for(stream, args.n);
  auto* partial = scratch.take<T>(blocks, "partial");
  auto* finished = scratch.take<std::uint32_t>(1, "finished");
  if (scratch.measuring()) return;
  stream.fill(finished, 0, sizeof(*finished));
  launch(stream, kernel, Shape(blocks, threads), items, args.n, partial, finished,
         static_cast<T*>(args.out));
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
