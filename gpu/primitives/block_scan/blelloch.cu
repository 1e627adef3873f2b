// Blelloch's scan: up-sweep and down-sweep of a balanced tree, as work-efficient as a sequential
// scan.
//
// G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990. On GPUs: M. Harris,
// S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
//
// The up-sweep adds pairs, pairs of pairs, and so on: every inner node of the tree gets the sum of
// its items. The down-sweep starts with the identity at the root and gives each child its exclusive
// prefix. Both are in tree.h.
//
// n items: 2 log n steps, 2 (n - 1) applications, half in each sweep, by n / 2 threads. In most
// steps most threads idle, and neighbours access words that lie ever farther apart;
// blelloch_padded.cu shows what that costs.
//
// Loads are interleaved: thread t takes items 2t and 2t + 1, the children of its first node. A
// warp's load then touches twice as many words as it uses, every other one, and its store to
// shared memory uses only every other bank; see blelloch_halves.cu.

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
    blelloch_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word sums[InOrder::words];
  const unsigned first = 2 * threadIdx.x;
  const unsigned second = first + 1;

  sums[first] = tile.load(first);
  sums[second] = tile.load(second);
  block_scan::up_sweep<Operator, InOrder>(sums, tile.size);
  block_scan::exclusive_down_sweep<Operator, InOrder>(sums, tile.size);
  block_scan::store_from_exclusive<InOrder>(tile, first, sums);
  block_scan::store_from_exclusive<InOrder>(tile, second, sums);
}

}  // namespace

void block_scan_blelloch(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, args.tile / 2,
                  {KERNEL(blelloch_kernel<SumU32>), KERNEL(blelloch_kernel<SumF32>),
                   KERNEL(blelloch_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
