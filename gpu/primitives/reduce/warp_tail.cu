// Reduction by a tree in shared memory; one warp does the last levels, without block barriers.
//
//   M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007: the last warp unrolled.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: the same with independent thread scheduling.
//
// When only as many values are left as a warp has lanes, one warp can finish alone. This used to be
// written without any barrier, since a warp moved in lockstep:
//
//     s[t] += s[t + 16];  s[t] += s[t + 8];  ...
//
// All lanes work in each step, though fewer and fewer results count. That saves a branch, and is
// where it fails with independent thread scheduling. Lane 0 reads what lane 16 wrote in the step
// before, so a warp barrier must follow each step. But lane 16 also overwrites in this step what
// lane 0 is about to read. One barrier per step is not enough:
//
//     s[t] += s[t + 16];  syncwarp;  s[t] += s[t + 8];  syncwarp;  ...      // wrong
//
// Reads and writes must be separated by a barrier between the two.

#include "gpu/primitives/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// out[block] = the block's share of the items, combined.
template <class Operator, class Items, class T = typename Operator::Type>
__global__ void __launch_bounds__(reduce::threads)
    reduce_warp_tail_kernel(Items items, std::uint32_t n, T* out) {
  // Lanes without a partner read past the block's values; those results are unused.
  __shared__ T tree[reduce::threads + warp::max_size / 2];
  const unsigned t = threadIdx.x;
  // A copy: GCC's sanitizer pass does not see a function's result that is returned in place.
  const T own = reduce::combine_strided<Operator>(items, n);
  tree[t] = own;
  if (t < warp::max_size / 2) tree[reduce::threads + t] = Operator::identity();
  __syncthreads();
  for (unsigned half = reduce::threads / 2; half >= warp::size(); half /= 2) {
    if (t < half) tree[t] = Operator::combine(tree[t], tree[t + half]);
    __syncthreads();
  }

  if (warp::index() != 0) return;
  T mine = tree[t];
  for (unsigned half = warp::size() / 2; half > 0; half /= 2) {
    mine = Operator::combine(mine, tree[t + half]);
    warp::sync(warp::all_lanes());  // all have read: now they may write
    tree[t] = mine;
    warp::sync(warp::all_lanes());  // all have written: now they may read
  }
  if (t == 0) out[blockIdx.x] = mine;
}

}  // namespace

void reduce_warp_tail(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    using T = typename Operator::Type;
    const std::uint32_t blocks = reduce::blocks_for(stream, args.n);
    auto* partial = scratch.take<T>(blocks, "partial");
    if (scratch.measuring()) return;
    launch(stream, KERNEL(reduce_warp_tail_kernel<Operator, Items>), Shape(blocks, reduce::threads),
           items, args.n, partial);
    launch(stream, KERNEL(reduce_warp_tail_kernel<Operator, const T*>), Shape(1, reduce::threads),
           partial, blocks, static_cast<T*>(args.out));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
