// Reduction by an atomic a thread: what one would write first, and why one should not.
//
// Lecture Reduction, "GPU Programming Primitives for Computer Graphics", SIGGRAPH Asia 2023.
//
// Every item goes to the same place in memory by atomicAdd or its kin. Nothing is combined before
// memory, so the hardware serialises what the other variants do in registers. (nvcc softens that
// where the order cannot show, for integers: it combines the values of a warp first, of its own
// accord.) Who comes first is chance: sums of floats are rounded differently from run to run.

#include "gpu/reduce/cell.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Op>
__global__ void reduce_atomic_kernel(Op op, std::uint32_t n, typename Op::Cell* cell) {
  const std::uint32_t i = global_thread();
  if (i < n) Op::combine_into(cell, op.load(i));
}

}  // namespace

void reduce_atomic(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_commutative_operator(args, [&](auto op) {
    reduce::through_cell(stream, op, args.n, KERNEL(reduce_atomic_kernel<decltype(op)>),
                         one_thread_each(args.n), args.out, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
