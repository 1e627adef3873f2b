// Reduction by one atomic per thread: the obvious first version, and a slow one.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Atomic operations.
//
// Every item goes to one word of memory by atomicAdd or its kin. Nothing is combined before memory,
// so the hardware serialises what the other variants do in registers. (For integers, whose order
// cannot show, nvcc reduces the contention: it combines the values of a warp first.) The order of
// arrival varies: float sums are rounded differently from run to run.

#include "gpu/primitives/reduce/cell.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class Items>
__global__ void reduce_atomic_kernel(Items items, std::uint32_t n,
                                     typename reduce::Cell<Operator>::Word* cell) {
  const std::uint32_t i = global_thread();
  if (i < n) reduce::Cell<Operator>::combine_into(cell, items[i]);
}

}  // namespace

void reduce_atomic(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::through_cell<Operator>(stream, items, args.n,
                                   KERNEL(reduce_atomic_kernel<Operator, Items>),
                                   one_thread_each(args.n), args.out, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
