// Hillis-Steele with two alternating buffers: one barrier per step instead of two.
//
// W. Hillis, G. Steele, "Data Parallel Algorithms", Communications of the ACM 29(12), 1986.
// KAUST CS 380, lecture 19: parallel prefix sum 2.
//
// A step reads one buffer and writes the other, so no thread overwrites what another still reads. A
// buffer is written again only one step later, after the barrier. The price is twice the shared
// memory, and copies of items whose sum is already complete.
//
// n items: log n steps, n (log n - 1) + 1 applications, as with one buffer.

#include "gpu/primitives/block_scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using block_scan::ComposeMaps;
using block_scan::SumF32;
using block_scan::SumU32;

// One thread per item.
template <class Operator>
__global__ void __launch_bounds__(block_scan::largest_tile)
    ping_pong_kernel(block_scan::Tiles<Operator> tile) {
  using Word = typename Operator::Type;
  __shared__ Word buffers[2][block_scan::largest_tile];
  const unsigned t = threadIdx.x;
  Word* from = buffers[0];
  Word* to = buffers[1];

  from[t] = tile.load(t);
  __syncthreads();
  for (unsigned step = 1; step < tile.size; step *= 2) {
    to[t] = t >= step ? Operator::combine(from[t - step], from[t]) : from[t];
    __syncthreads();
    Word* const written = to;
    to = from;
    from = written;
  }

  if (tile.inclusive)
    tile.store(t, from[t]);
  else
    tile.store(t, t > 0 ? from[t - 1] : Operator::identity());
}

}  // namespace

void block_scan_ping_pong(Stream& stream, const BlockScanArgs& args, Scratch& scratch) {
  block_scan::run(stream, args, scratch, args.tile,
                  {KERNEL(ping_pong_kernel<SumU32>), KERNEL(ping_pong_kernel<SumF32>),
                   KERNEL(ping_pong_kernel<ComposeMaps>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
