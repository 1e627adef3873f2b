// Blelloch's scan with a down-sweep that leaves inclusive sums.
//
// G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990. KAUST CS 380,
// lecture 19: parallel prefix sum 2.
//
// The exclusive down-sweep computes the sum before a node; this one, the sum up to the node's end.
// The right child ends where the node ends, so its sum is complete. The left child lacks the sum
// before the node. That is the result of the neighbour to the left, one word that is complete since
// the level above. Nothing is moved: a step reads two words and writes one, where the exclusive one
// writes two. The first node of a level has no neighbour and adds the identity.
//
// n items: 2 log n steps, 2 (n - 1) applications. brent_kung.cu omits those of the identity.

#include "gpu/primitives/block_scan/tile.h"
#include "gpu/primitives/block_scan/tree.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::InOrder;
using block_scan::SumF32;
using block_scan::SumU32;

// Called after up_sweep. At the end item i holds the sum up to it.
template <class Operator>
__device__ inline void inclusive_down_sweep(typename Operator::Type* sums, unsigned tile) {
  const unsigned k = threadIdx.x;
  unsigned span = tile / 2;
  for (unsigned nodes = 1; nodes < tile; nodes *= 2) {
    __syncthreads();
    if (k < nodes) {
      const auto before = k > 0 ? sums[2 * k * span - 1] : Operator::identity();
      const unsigned left = (2 * k + 1) * span - 1;
      sums[left] = Operator::combine(before, sums[left]);
    }
    span /= 2;
  }
  __syncthreads();
}

// One thread per two items.
template <class Operator>
__global__ void __launch_bounds__(block_scan::largest_tile / 2)
    blelloch_inclusive_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word sums[InOrder::words];
  const unsigned first = 2 * threadIdx.x;
  const unsigned second = first + 1;

  sums[first] = tile.load(first);
  sums[second] = tile.load(second);
  block_scan::up_sweep<Operator, InOrder>(sums, tile.size);
  inclusive_down_sweep<Operator>(sums, tile.size);
  block_scan::store_from_inclusive<InOrder>(tile, first, sums);
  block_scan::store_from_inclusive<InOrder>(tile, second, sums);
}

}  // namespace

void block_scan_blelloch_inclusive(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(
      stream, args, scratch, args.tile / 2,
      {KERNEL(blelloch_inclusive_kernel<SumU32>), KERNEL(blelloch_inclusive_kernel<SumF32>),
       KERNEL(blelloch_inclusive_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
