// Reduction by one atomic per thread: what one would write first, and why one should not.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Atomic operations.
//
// Every item goes to the same place in memory by atomicAdd or its kin. Nothing is combined before
// memory, so the hardware serialises what the other variants do in registers. (nvcc softens that
// where the order cannot show, for integers: it combines the values of a warp first, of its own
// accord.) Who comes first is chance: sums of floats are rounded differently from run to run.

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
