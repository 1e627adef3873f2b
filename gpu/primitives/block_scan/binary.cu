// Binary scan: a ballot and a population count scan items of one bit.
//
// M. Harris, M. Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture", GPU
// Computing Gems Jade Edition, 2011.
//
// A ballot gives every lane the bits of the whole warp in one instruction; the sum up to a lane is
// the number of bits set in the mask up to it. One ballot replaces log w steps of shuffles, without
// any addition. This is what stream compaction needs: its items are "kept" or "dropped".
//
// For n items in W = n / w warps of w lanes: a ballot, then as in kogge_stone.cu log W steps over
// the warps' counts and one more: W log W - W + 1 + n - w additions in log W + 1 steps; none at all
// where one warp is enough.

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/warps.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::SumU32;

// One thread per item, in full warps. Items are 0 or 1.
__global__ void __launch_bounds__(block_scan::largest_tile)
    binary_scan_kernel(block_scan::Tiles<SumU32> tile) {
  __shared__ std::uint32_t warp_sums[block_scan::largest_tile / warp::min_size];
  const unsigned t = threadIdx.x;

  const warp::LaneMask ones = warp::ballot(warp::all_lanes(), tile.load(t) != 0);
  const warp::LaneMask itself = warp::LaneMask{tile.inclusive} << warp::lane();
  std::uint32_t sum = warp::count(ones & (warp::lanes_before() | itself));
  if (warp::lane() == 0) warp_sums[warp::index()] = warp::count(ones);
  block_scan::scan_warp_sums<SumU32>(warp_sums, tile.size);

  if (warp::index() > 0 && t < tile.size) sum = SumU32::combine(warp_sums[warp::index() - 1], sum);
  tile.store(t, sum);
}

}  // namespace

void block_scan_binary(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::check(args);
  if (args.operation != BlockScanOperation::sum_bits)
    throw Error("block scan by ballots", "the items are no bits", "Choose another variant");
  if (scratch.measuring()) return;
  block_scan::launch_over(stream, args, block_scan::in_full_warps(args.tile),
                          KERNEL(binary_scan_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
