// Reduction by shuffles, one lane after another: the warp instead of shared memory.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Warp-level primitives.
//
// Every lane reads the value of each lane of its warp, in turn, and adds it: 32 shuffles and 32
// additions, after which all lanes hold the same sum. Neither shared memory nor a barrier is
// needed, but warps do not share registers, so one atomic per warp goes to memory. shuffle.cu has
// the sum of a warp after five shuffles.

#include "gpu/primitives/reduce/cell.h"
#include "gpu/primitives/reduce/grid.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class Items>
__global__ void __launch_bounds__(reduce::threads)
    reduce_shuffle_serial_kernel(Items items, std::uint32_t n,
                                 typename reduce::Cell<Operator>::Word* cell) {
  const std::uint32_t i = global_thread();
  const typename Operator::Type mine = i < n ? items[i] : Operator::identity();
  typename Operator::Type sum = Operator::identity();
  for (unsigned lane = 0; lane < warp::size(); ++lane)
    sum = Operator::combine(sum, warp::shuffle(warp::all_lanes(), mine, lane));
  if (warp::lane() == 0) reduce::Cell<Operator>::combine_into(cell, sum);
}

}  // namespace

void reduce_shuffle_serial(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_sum(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::through_cell<Operator>(stream, items, args.n,
                                   KERNEL(reduce_shuffle_serial_kernel<Operator, Items>),
                                   one_thread_each(args.n, reduce::threads), args.out, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
