// Blelloch's scan, loaded by halves: thread t takes items t and t + n/2 instead of 2t and 2t + 1.
//
// M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007,
// section 39.2.3.
//
// The thread that loads an item need not be the one that adds it: the first barrier of the up-sweep
// lies in between. By halves, neighbouring threads load neighbouring words, so a warp's load is one
// contiguous run of memory and its store to shared memory uses every bank. The sweeps are those of
// blelloch.cu: 2 log n steps, 2 (n - 1) applications, with their bank conflicts.

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
    blelloch_halves_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word sums[InOrder::words];
  const unsigned first = threadIdx.x;
  const unsigned second = first + tile.size / 2;

  sums[first] = tile.load(first);
  sums[second] = tile.load(second);
  block_scan::up_sweep<Operator, InOrder>(sums, tile.size);
  block_scan::exclusive_down_sweep<Operator, InOrder>(sums, tile.size);
  block_scan::store_from_exclusive<InOrder>(tile, first, sums);
  block_scan::store_from_exclusive<InOrder>(tile, second, sums);
}

}  // namespace

void block_scan_blelloch_halves(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, args.tile / 2,
                  {KERNEL(blelloch_halves_kernel<SumU32>), KERNEL(blelloch_halves_kernel<SumF32>),
                   KERNEL(blelloch_halves_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
