// Reduction in two passes, in an order that depends only on n.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990, on what an associative operator allows;
// J. Demmel, H. D. Nguyen, "Fast Reproducible Floating-Point Summation", ARITH 2013, on why floats
// need more than that.
//
// The other variants distribute items by the number of SMs, and the warp's width decides which
// neighbours are combined; float sums then differ in rounding from device to device. Here neither
// matters: tiles have one size, a block takes consecutive tiles, and inside a tile values are
// combined in a binary tree over neighbours, whose shape is the same for warps of 32 and of 64
// lanes. The same input gives the same bits on every device of a backend.
//
// A non-commutative operator keeps its order as well: a thread then reads neighbouring items
// itself, and the tree never swaps two values.

#include <algorithm>

#include "gpu/block/reduce.h"
#include "gpu/primitives/reduce/operators.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned tile_threads = tile_extent(256, 64);
constexpr unsigned items_each = tile_extent(8, 2);
constexpr unsigned tile_size = tile_threads * items_each;
// The most results of the first pass that the second, one block with one tile, can combine.
constexpr std::uint32_t most_blocks = tile_extent(1024, 4);

// out[block] = the items of tiles [block * tiles_each, (block + 1) * tiles_each), combined.
template <class Operator, class Items>
__global__ void __launch_bounds__(tile_threads)
    reduce_in_order_kernel(Items items, std::uint32_t n, std::uint32_t tiles_each,
                           typename Operator::Type* out) {
  using T = typename Operator::Type;
  __shared__ block::ReduceStorage<T, tile_threads> storage;
  const std::uint32_t tiles = ceil_div(n, tile_size);
  const std::uint32_t begin = blockIdx.x * tiles_each;
  const std::uint32_t end = begin + tiles_each < tiles ? begin + tiles_each : tiles;
  T total = Operator::identity();  // thread 0 has the block's
  for (std::uint32_t tile = begin; tile < end; ++tile) {
    const std::uint32_t first = tile * tile_size;
    T mine = Operator::identity();
    UNROLL
    for (unsigned k = 0; k < items_each; ++k) {
      // In order for non-commutative operators; otherwise neighbouring threads read neighbouring
      // items.
      const std::uint32_t place =
          Operator::commutative ? k * tile_threads + threadIdx.x : threadIdx.x * items_each + k;
      if (place < n - first) mine = Operator::combine(mine, items[first + place]);
    }
    total = Operator::combine(total, block::reduce_in_order<Operator>(mine, storage));
    __syncthreads();  // the storage is reused
  }
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

}  // namespace

void reduce_two_pass(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    using T = typename Operator::Type;
    const std::uint32_t tiles = std::max(ceil_div(args.n, tile_size), 1U);
    const std::uint32_t tiles_each = ceil_div(tiles, most_blocks);
    const std::uint32_t blocks = ceil_div(tiles, tiles_each);
    auto* partial = scratch.take<T>(blocks, "partial");
    if (scratch.measuring()) return;
    launch(stream, KERNEL(reduce_in_order_kernel<Operator, Items>), Shape(blocks, tile_threads),
           items, args.n, tiles_each, partial);
    launch(stream, KERNEL(reduce_in_order_kernel<Operator, const T*>), Shape(1, tile_threads),
           partial, blocks, 1U, static_cast<T*>(args.out));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
