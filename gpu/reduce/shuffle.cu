// Reduction by warp shuffles, and an atomic a warp.
//
// J. Luitjens, "Faster Parallel Reductions on Kepler", NVIDIA, 2014; lecture Reduction, SIGGRAPH
// Asia 2023 course.
//
// Within a warp, values travel from register to register: in each step a lane combines its value
// with that of the lane whose number differs in one bit (exclusive or), so after log2(32) = 5 steps
// every lane holds the result of all. No shared memory, no barrier. One lane then takes it to
// memory, where an atomic a warp instead of one a thread is few enough to be cheap.

#include "gpu/reduce/cell.h"
#include "gpu/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Op>
__global__ void __launch_bounds__(reduce::threads)
    reduce_shuffle_kernel(Op op, std::uint32_t n, typename Op::Cell* cell) {
  typename Op::Value mine = reduce::combine_strided(op, n);
  for (unsigned bit = warp::size() / 2; bit > 0; bit /= 2)
    mine = Op::combine(mine, warp::shuffle_xor(warp::all_lanes(), mine, bit));
  if (warp::lane() == 0) Op::combine_into(cell, mine);
}

}  // namespace

void reduce_shuffle(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  const Shape shape(reduce::blocks_for(stream, args.n), reduce::threads);
  reduce::with_commutative_operator(args, [&](auto op) {
    reduce::through_cell(stream, op, args.n, KERNEL(reduce_shuffle_kernel<decltype(op)>), shape,
                         args.out, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
