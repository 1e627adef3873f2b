// The prefix sum in one pass: decoupled look-back by a warp.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; they look back with a whole warp, too.
//
// A block scans one tile in registers and needs the tile's exclusive prefix. Unlike chained.cu, it
// does not wait until the predecessor knows its inclusive prefix: a tile's aggregate, the
// combination of its own items, is published almost at once, and some tile further back has its
// prefix already. The block looks back over its predecessors, adds up aggregates, and stops at the
// first inclusive prefix.
//
// A look-back reads a warp's width of predecessors at a time: one round trip to the L2 cache, where
// lookback_lane.cu needs one per predecessor.

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class States>
__global__ void __launch_bounds__(scan::threads)
    lookback_scan_kernel(scan::Arrays<typename Operator::Type> arrays, States states) {
  using T = typename Operator::Type;
  __shared__ std::uint32_t ticket;
  __shared__ typename scan::Tile<Operator>::Storage storage;
  __shared__ T shared_before;

  // Tiles are numbered in the order in which blocks start: the predecessors' blocks have started.
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  // The tile, loaded into registers and scanned there.
  scan::Tile<Operator> tile(arrays, number);
  const T sum = tile.scan(storage);

  // The first warp publishes each value as early as it can. The value and its flag share one word,
  // or the flag is released after the value; a warp that looks back acquires the flag.
  if (threadIdx.x == 0) block::publish_sum(states, number, sum);
  if (warp::index() == 0) {
    const T before = block::before_tile<Operator>(states, number, sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();
  tile.store(shared_before);
}

}  // namespace

void scan_lookback(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using States = block::StatesOf<typename Operator::Type>;
    scan::in_one_pass<Operator>(stream, args, scratch,
                                KERNEL(lookback_scan_kernel<Operator, States>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
