// Reduction by a tree in shared memory, in which the indices of partners differ in one bit.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Reduction.
//
// In the step of bit i thread t is paired with thread t xor i, and the lower of the two combines
// both values. This is shuffle.cu's exchange in shared memory, in one line; tree.cu differs only in
// which threads are active. There a step has as many active threads as values left, and they are
// neighbours. Here half of all threads are active in every step, those whose bit i is clear; most
// of their results are unused. While i is less than a warp's width, every warp has active and
// waiting lanes. Neither version has bank conflicts.

#include "gpu/primitives/reduce/trees.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// out[block] = the block's share of the items, combined.
template <class Operator, class Items>
__global__ void __launch_bounds__(reduce::threads)
    reduce_xor_tree_kernel(Items items, std::uint32_t n, typename Operator::Type* out) {
  __shared__ typename Operator::Type values[reduce::threads];
  const unsigned t = threadIdx.x;
  // A copy: GCC's sanitizer pass does not see a function's result that is returned in place.
  const typename Operator::Type own = reduce::combine_strided<Operator>(items, n);
  values[t] = own;
  __syncthreads();
  for (unsigned i = 1; i < reduce::threads; i *= 2) {
    // The partner has bit i set, and a thread that has it set writes nothing in this step.
    if (t < (t ^ i)) values[t] = Operator::combine(values[t], values[t ^ i]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = values[0];
}

}  // namespace

void reduce_xor_tree(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::by_trees<Operator>(
        stream, items, args, scratch, KERNEL(reduce_xor_tree_kernel<Operator, Items>),
        KERNEL(reduce_xor_tree_kernel<Operator, const typename Operator::Type*>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
