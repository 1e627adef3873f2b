// Blelloch's scan, padded twice: a padding word after every row of banks, and another after every
// `banks` rows.
//
// M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007,
// section 39.2.3. KAUST CS 380, lecture 19: parallel prefix sum 2.
//
// With 16 banks and one level of padding a tile of 512 or 1024 items keeps conflicts near the root:
// there neighbours are a multiple of 256 words apart, or nearly so, and the shift of one bank per
// row wraps around. A second padding word after every 256 items separates them, and no conflict is
// left. But every address costs one more shift and addition, in all steps, and the conflicts were
// in the few steps in which few threads work:
//
//     512 items, up-sweep    words on one bank in the worst group of lanes, step by step
//     16 banks, padded       1 1 1 1 2 2 2 2 1
//     16 banks, twice        1 1 1 1 1 1 1 1 1
//
// That does not pay, says the lecture. With 32 banks there is nothing to separate: 32^2 items are
// the largest tile. The rest is blelloch_padded.cu: 2 log n steps, 2 (n - 1) applications.

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/tree.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::PaddedTwice;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per two items.
template <class Operator, unsigned banks>
__global__ void __launch_bounds__(block_scan::largest_tile / 2)
    blelloch_padded_twice_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  using Place = PaddedTwice<banks>;
  __shared__ Word sums[Place::words];
  const unsigned first = threadIdx.x;
  const unsigned second = first + tile.size / 2;

  sums[Place::of(first)] = tile.load(first);
  sums[Place::of(second)] = tile.load(second);
  block_scan::up_sweep<Operator, Place>(sums, tile.size);
  block_scan::exclusive_down_sweep<Operator, Place>(sums, tile.size);
  block_scan::store_from_exclusive<Place>(tile, first, sums);
  block_scan::store_from_exclusive<Place>(tile, second, sums);
}

}  // namespace

void block_scan_blelloch_padded_twice(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  const block_scan::Kernels for_16 = {KERNEL(blelloch_padded_twice_kernel<SumU32, 16>),
                                      KERNEL(blelloch_padded_twice_kernel<SumF32, 16>),
                                      KERNEL(blelloch_padded_twice_kernel<ComposeMaps, 16>)};
  const block_scan::Kernels for_32 = {KERNEL(blelloch_padded_twice_kernel<SumU32, 32>),
                                      KERNEL(blelloch_padded_twice_kernel<SumF32, 32>),
                                      KERNEL(blelloch_padded_twice_kernel<ComposeMaps, 32>)};
  block_scan::run(stream, args, scratch, args.tile / 2, args.banks == 16 ? for_16 : for_32);
}

}  // namespace warpview::WARPVIEW_BACKEND
