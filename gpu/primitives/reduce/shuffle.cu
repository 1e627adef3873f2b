// Reduction by warp shuffles, and one atomic per warp.
//
//   J. Luitjens, "Faster Parallel Reductions on Kepler", NVIDIA, 2014.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Reduction.
//
// Within a warp, values go from register to register: in each step a lane combines its value with
// that of the lane whose index differs in one bit (XOR), so after log2(32) = 5 steps every lane
// holds the result of all. No shared memory, no barrier. One lane then adds it to memory, where one
// atomic per warp instead of one per thread is cheap enough.

#include "gpu/primitives/reduce/cell.h"
#include "gpu/primitives/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class Items>
__global__ void __launch_bounds__(reduce::threads)
    reduce_shuffle_kernel(Items items, std::uint32_t n,
                          typename reduce::Cell<Operator>::Word* cell) {
  typename Operator::Type mine = reduce::combine_strided<Operator>(items, n);
  for (unsigned bit = warp::size() / 2; bit > 0; bit /= 2)
    mine = Operator::combine(mine, warp::shuffle_xor(warp::all_lanes(), mine, bit));
  if (warp::lane() == 0) reduce::Cell<Operator>::combine_into(cell, mine);
}

}  // namespace

void reduce_shuffle(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  const Shape shape(reduce::blocks_for(stream, args.n), reduce::threads);
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::through_cell<Operator>(stream, items, args.n,
                                   KERNEL(reduce_shuffle_kernel<Operator, Items>), shape, args.out,
                                   scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
