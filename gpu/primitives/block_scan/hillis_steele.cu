// Hillis-Steele in one buffer: every item looks back 1, 2, 4, ... items.
//
// W. Hillis, G. Steele, "Data Parallel Algorithms", Communications of the ACM 29(12), 1986.
// KAUST CS 380, lecture 19: parallel prefix sum 2.
//
// Before step s, sums[t] covers the (up to) s items that end at t. Adding sums[t - s] doubles that.
//
// n items: log n steps, n (log n - 1) + 1 applications: the fewest steps, but not work-efficient.
// Items from s on apply the operator in step s, so it is n - 1 + n - 2 + n - 4 + ... + n - n/2. Two
// barriers per step: all threads have read before any overwrites what others read, and all have
// written before any reads again.

#include "gpu/primitives/block_scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per item.
template <class Operator>
__global__ void __launch_bounds__(block_scan::largest_tile)
    hillis_steele_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word sums[block_scan::largest_tile];
  const unsigned t = threadIdx.x;

  sums[t] = tile.load(t);
  __syncthreads();
  for (unsigned step = 1; step < tile.size; step *= 2) {
    Word sum = sums[t];
    if (t >= step) sum = Operator::combine(sums[t - step], sum);
    __syncthreads();
    sums[t] = sum;
    __syncthreads();
  }

  // The exclusive prefix of an item is the inclusive prefix of its predecessor.
  if (tile.inclusive)
    tile.store(t, sums[t]);
  else
    tile.store(t, t > 0 ? sums[t - 1] : Operator::identity());
}

}  // namespace

void block_scan_hillis_steele(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, args.tile,
                  {KERNEL(hillis_steele_kernel<SumU32>), KERNEL(hillis_steele_kernel<SumF32>),
                   KERNEL(hillis_steele_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
