// Reduction by one thread of each block: the simplest use of shared memory.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Shared memory.
//
// The threads of a block write one value each to shared memory. After a barrier the first thread
// adds them up, one after another, and adds the block's sum to memory by an atomic: one for 256
// items where atomic.cu has 256. While it adds, the other threads idle; tree.cu uses them.

#include "gpu/primitives/reduce/cell.h"
#include "gpu/primitives/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class Items>
__global__ void __launch_bounds__(reduce::threads)
    reduce_block_serial_kernel(Items items, std::uint32_t n,
                               typename reduce::Cell<Operator>::Word* cell) {
  __shared__ typename Operator::Type values[reduce::threads];
  const std::uint32_t i = global_thread();
  values[threadIdx.x] = i < n ? items[i] : Operator::identity();
  __syncthreads();
  if (threadIdx.x != 0) return;
  typename Operator::Type sum = values[0];
  for (unsigned t = 1; t < reduce::threads; ++t) sum = Operator::combine(sum, values[t]);
  reduce::Cell<Operator>::combine_into(cell, sum);
}

}  // namespace

void reduce_block_serial(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_sum(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::through_cell<Operator>(stream, items, args.n,
                                   KERNEL(reduce_block_serial_kernel<Operator, Items>),
                                   one_thread_each(args.n, reduce::threads), args.out, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
