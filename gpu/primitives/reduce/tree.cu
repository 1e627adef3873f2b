// Reduction by a tree in shared memory: the classic version.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007.
//
// A thread first combines items a grid stride apart in registers. Then the block halves its threads
// step by step, and each of the lower half combines its partner's result with its own. A second
// launch does the same with the blocks' results: the end of a kernel is the only grid-wide barrier
// that this variant needs.

#include "gpu/primitives/reduce/trees.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// out[block] = the block's share of the items, combined.
template <class Operator, class Items>
__global__ void __launch_bounds__(reduce::threads)
    reduce_tree_kernel(Items items, std::uint32_t n, typename Operator::Type* out) {
  __shared__ typename Operator::Type tree[reduce::threads];
  tree[threadIdx.x] = reduce::combine_strided<Operator>(items, n);
  __syncthreads();
  for (unsigned half = reduce::threads / 2; half > 0; half /= 2) {
    // Sequential addressing: the active threads stay neighbours, and so do their banks.
    if (threadIdx.x < half)
      tree[threadIdx.x] = Operator::combine(tree[threadIdx.x], tree[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tree[0];
}

}  // namespace

void reduce_tree(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::by_trees<Operator>(
        stream, items, args, scratch, KERNEL(reduce_tree_kernel<Operator, Items>),
        KERNEL(reduce_tree_kernel<Operator, const typename Operator::Type*>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
