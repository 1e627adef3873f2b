// Reduction by a tree in shared memory: the classic.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007.
//
// A thread first combines items a grid apart in registers; then the block halves its threads step
// by step, each of the lower half combining its partner's result with its own. A second launch does
// the same to the blocks' results: the end of a kernel is the only barrier over all blocks that
// this variant needs.

#include "gpu/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using reduce::threads;

// out[block] = what comes of the block's share of the items.
template <class Op>
__global__ void __launch_bounds__(threads)
    reduce_tree_kernel(Op op, std::uint32_t n, typename Op::Value* out) {
  __shared__ typename Op::Value tree[threads];
  tree[threadIdx.x] = reduce::combine_strided(op, n);
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    // Sequential addressing: the working threads stay neighbours, and so do their banks.
    if (threadIdx.x < half)
      tree[threadIdx.x] = Op::combine(tree[threadIdx.x], tree[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tree[0];
}

}  // namespace

void reduce_tree(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_commutative_operator(args, [&](auto op) {
    using Op = decltype(op);
    using Value = typename Op::Value;
    const std::uint32_t blocks = reduce::blocks_for(stream, args.n);
    auto* partial = workspace.take<Value>(blocks);
    if (workspace.measuring()) return;
    launch(stream, KERNEL(reduce_tree_kernel<Op>), Shape(blocks, threads), op, args.n, partial);
    launch(stream, KERNEL(reduce_tree_kernel<reduce::Partials<Op>>), Shape(1, threads),
           reduce::Partials<Op>{op, partial}, blocks, static_cast<Value*>(args.out));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
