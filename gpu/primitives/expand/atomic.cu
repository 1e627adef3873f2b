// Expansion by one atomic per block.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// A block sums the slots that its tile of items requests and allocates all of them from one
// counter, as enqueue=block does for items that pass a test. No block waits for another, and there
// is no second launch. But the order of blocks varies, so the tiles' slots lie in another order in
// every run. Within a tile they are in order.

#include "gpu/primitives/expand/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// *args.total is 0 at the start.
__global__ void __launch_bounds__(expand::threads)
    expand_atomic_kernel(ExpandArgs args, bool aligned) {
  __shared__ expand::Tile::Storage storage;
  __shared__ std::uint32_t begin;
  expand::Tile tile(args, aligned, blockIdx.x);
  const std::uint32_t places = tile.sum(storage);
  if (threadIdx.x == 0) begin = atomicAdd(args.total, places);
  __syncthreads();
  tile.write(begin);
}

}  // namespace

void expand_atomic(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.total, 0, sizeof(*args.total));
  launch(stream, KERNEL(expand_atomic_kernel),
         Shape(expand::Tile::Rows::tiles(args.n), expand::threads), args,
         block::is_aligned(args.counts));
}

}  // namespace warpview::WARPVIEW_BACKEND
