// Kogge-Stone by warp shuffles: the scan leaves the registers only once.
//
// P. Kogge, H. Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of
// Recurrence Equations", IEEE Transactions on Computers C-22(8), 1973. On warps: M. Harris,
// M. Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture", GPU Computing
// Gems Jade Edition, 2011.
//
// The network is that of hillis_steele.cu, but a lane reads the other lane's register instead of
// shared memory, and the lanes of a warp need no barrier. Shuffles end at the warp, so there are
// three stages: each warp scans its items; the first warp scans the warps' sums; each warp adds its
// exclusive prefix. Two barriers in all.
//
// n items in one warp: log n steps, n (log n - 1) + 1 applications, which is n log n - n + 1.
// n items in W = n / w warps of w lanes: log n + 1 steps and
//     n log w - n + W  +  W log W - W + 1  +  n - w  =  n log w + W log W + 1 - w
// applications: for 1024 items in warps of 32 it is 5249 instead of 9217.

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/warps.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per item, in full warps.
template <class Operator>
__global__ void __launch_bounds__(block_scan::largest_tile)
    kogge_stone_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word warp_sums[block_scan::largest_tile / warp::min_size];
  const unsigned t = threadIdx.x;
  const unsigned items = block_scan::items_of_warp(tile.size);

  Word sum = block_scan::scan_warp<Operator>(tile.load(t), items);
  if (warp::lane() == warp::size() - 1) warp_sums[warp::index()] = sum;
  block_scan::scan_warp_sums<Operator>(warp_sums, tile.size);

  Word before_warp = Operator::identity();
  if (warp::index() > 0 && items > 0) {
    before_warp = warp_sums[warp::index() - 1];
    sum = Operator::combine(before_warp, sum);
  }

  const Word before = warp::shuffle_up(warp::all_lanes(), sum, 1);
  tile.store(t, tile.inclusive ? sum : warp::lane() > 0 ? before : before_warp);
}

}  // namespace

void block_scan_kogge_stone(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, block_scan::in_full_warps(args.tile),
                  {KERNEL(kogge_stone_kernel<SumU32>), KERNEL(kogge_stone_kernel<SumF32>),
                   KERNEL(kogge_stone_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
