// Reduction in two passes in an order that n alone decides.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990, on what an associative operator allows;
// J. Demmel, H. D. Nguyen, "Fast Reproducible Floating-Point Summation", ARITH 2013, on why one
// wants more than that of floats.
//
// The other variants spread items by the number of multiprocessors, and leave the order of
// neighbours to the warp's width; sums of floats then differ in rounding from device to device.
// Here neither counts: tiles have one size, a block takes tiles that follow each other, and inside
// a tile values meet in a binary tree over neighbours, whose shape is the same for warps of 32 and
// of 64 lanes. The same input gives the same bits on every device of a backend.
//
// An operator that does not commute keeps its order as well: a thread then reads neighbouring items
// itself, and the tree never lets two values change places.

#include <algorithm>

#include "gpu/reduce/operators.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned items_each = 8;
constexpr unsigned tile_size = threads * items_each;
constexpr std::uint32_t most_blocks = 1024;  // the second pass is one block of one tile

// The values of the warp's lanes combined in their order; lane 0 holds it. In the step of 4, lane
// 0 has lanes 0 to 3 and takes 4 to 7, lane 8 has 8 to 11, and so on; what the lanes between
// combine is never used.
template <class Op>
__device__ inline typename Op::Value combine_neighbours(typename Op::Value mine) {
  for (unsigned step = 1; step < warp::size(); step *= 2) {
    const unsigned after = (warp::lane() + step) % warp::size();
    mine = Op::combine(mine, warp::shuffle(warp::all_lanes(), mine, after));
  }
  return mine;
}

// The same for the block: thread 0 holds it. One barrier.
template <class Op>
__device__ inline typename Op::Value combine_block_in_order(typename Op::Value mine,
                                                            typename Op::Value* of_warps) {
  mine = combine_neighbours<Op>(mine);
  if (warp::lane() == 0) of_warps[warp::index()] = mine;
  __syncthreads();
  if (warp::index() == 0) {
    mine = warp::lane() < threads / warp::size() ? of_warps[warp::lane()] : Op::identity();
    mine = combine_neighbours<Op>(mine);
  }
  return mine;
}

// out[block] = what comes of the items in tiles [block * tiles_each, (block + 1) * tiles_each).
template <class Op>
__global__ void __launch_bounds__(threads)
    reduce_in_order_kernel(Op op, std::uint32_t n, std::uint32_t tiles_each,
                           typename Op::Value* out) {
  using Value = typename Op::Value;
  __shared__ Value of_warps[threads / warp::min_size];
  const std::uint32_t tiles = ceil_div(n, tile_size);
  const std::uint32_t begin = blockIdx.x * tiles_each;
  const std::uint32_t end = begin + tiles_each < tiles ? begin + tiles_each : tiles;
  Value total = Op::identity();  // thread 0's is the block's
  for (std::uint32_t tile = begin; tile < end; ++tile) {
    const std::uint32_t first = tile * tile_size;
    Value mine = Op::identity();
    UNROLL
    for (unsigned k = 0; k < items_each; ++k) {
      // In their order if they must; else so that neighbouring threads read neighbouring items.
      const std::uint32_t place =
          Op::commutative ? k * threads + threadIdx.x : threadIdx.x * items_each + k;
      if (place < n - first) mine = Op::combine(mine, op.load(first + place));
    }
    total = Op::combine(total, combine_block_in_order<Op>(mine, of_warps));
    __syncthreads();  // of_warps is used again
  }
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

}  // namespace

void reduce_two_pass(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_operator(args, [&](auto op) {
    using Op = decltype(op);
    using Value = typename Op::Value;
    const std::uint32_t tiles = std::max(ceil_div(args.n, tile_size), 1U);
    const std::uint32_t tiles_each = ceil_div(tiles, most_blocks);
    const std::uint32_t blocks = ceil_div(tiles, tiles_each);
    auto* partial = workspace.take<Value>(blocks);
    if (workspace.measuring()) return;
    launch(stream, KERNEL(reduce_in_order_kernel<Op>), Shape(blocks, threads), op, args.n,
           tiles_each, partial);
    launch(stream, KERNEL(reduce_in_order_kernel<reduce::Partials<Op>>), Shape(1, threads),
           reduce::Partials<Op>{op, partial}, blocks, 1U, static_cast<Value*>(args.out));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
