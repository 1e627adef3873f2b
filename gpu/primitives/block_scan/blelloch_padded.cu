// Blelloch's scan with a padding word after every row of banks: no conflicts on 32 banks.
//
// M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007,
// section 39.2.3. KAUST CS 380, lecture 19: parallel prefix sum 2.
//
// Shared memory is distributed over banks word by word, and a bank serves one word at a time. On
// the level where nodes are s words apart, 32 neighbouring threads use only 32 / s banks. Item i is
// stored in word i + i / banks, one bank further with each row of banks. On all levels of a tile of
// up to banks^2 items neighbours thus fall on different banks. Larger tiles, such as 512 items on
// 16 banks, keep 2-way conflicts near the root.
//
//     512 items, up-sweep    words on one bank in the worst group of lanes, step by step
//     16 banks               2 4 8 16 16 8 4 2 1
//     16 banks, padded       1 1 1 1 2 2 2 2 1
//     32 banks               2 4 8 16 16 8 4 2 1
//     32 banks, padded       1 1 1 1 1 1 1 1 1
//
// The rest is blelloch_halves.cu: 2 log n steps, 2 (n - 1) applications.

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/tree.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::Padded;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per two items.
template <class Operator, unsigned banks>
__global__ void __launch_bounds__(block_scan::largest_tile / 2)
    blelloch_padded_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  using Place = Padded<banks>;
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

void block_scan_blelloch_padded(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  const block_scan::Kernels for_16 = {KERNEL(blelloch_padded_kernel<SumU32, 16>),
                                      KERNEL(blelloch_padded_kernel<SumF32, 16>),
                                      KERNEL(blelloch_padded_kernel<ComposeMaps, 16>)};
  const block_scan::Kernels for_32 = {KERNEL(blelloch_padded_kernel<SumU32, 32>),
                                      KERNEL(blelloch_padded_kernel<SumF32, 32>),
                                      KERNEL(blelloch_padded_kernel<ComposeMaps, 32>)};
  block_scan::run(stream, args, scratch, args.tile / 2, args.banks == 16 ? for_16 : for_32);
}

}  // namespace warpview::WARPVIEW_BACKEND
