// Brent-Kung: the adder's network, the fewest additions of all scans here.
//
// R. Brent, H. Kung, "A Regular Layout for Parallel Adders", IEEE Transactions on Computers
// C-31(3), 1982. On GPUs: D. Kirk, W. Hwu, "Programming Massively Parallel Processors", chapter
// Prefix Sum.
//
// The up-sweep of the tree completes the sums that start at the tile's beginning: items 0, 1, 3, 7,
// 15, ... The down-sweep completes the others, from wide spans to narrow ones: each complete sum is
// added to the item half a span further on. It is the inclusive down-sweep of
// blelloch_inclusive.cu without the additions of the identity, one per level, and without its first
// level, which had no others.
//
// n items: 2 log n - 1 steps, n - 1 + n - 1 - log n = 2 n - 2 - log n applications, by n / 2
// threads. (The network could be one step less deep: the first step of its down-sweep does not need
// the last step of the up-sweep.)

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/tree.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::InOrder;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per two items.
template <class Operator>
__global__ void __launch_bounds__(block_scan::largest_tile / 2)
    brent_kung_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word sums[InOrder::words];
  const unsigned k = threadIdx.x;
  const unsigned other = k + tile.size / 2;

  sums[k] = tile.load(k);
  sums[other] = tile.load(other);
  block_scan::up_sweep<Operator, InOrder>(sums, tile.size);
  for (unsigned span = tile.size / 4; span > 0; span /= 2) {
    __syncthreads();
    const unsigned complete = 2 * (k + 1) * span - 1;
    if (complete + span < tile.size)
      sums[complete + span] = Operator::combine(sums[complete], sums[complete + span]);
  }
  __syncthreads();
  block_scan::store_from_inclusive<InOrder>(tile, k, sums);
  block_scan::store_from_inclusive<InOrder>(tile, other, sums);
}

}  // namespace

void block_scan_brent_kung(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, args.tile / 2,
                  {KERNEL(brent_kung_kernel<SumU32>), KERNEL(brent_kung_kernel<SumF32>),
                   KERNEL(brent_kung_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
