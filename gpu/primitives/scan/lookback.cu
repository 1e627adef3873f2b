// The prefix sum in one pass: decoupled look-back, a warp looking.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; they look back with a whole warp, as is done here.
//
// A block scans one tile in registers and needs what all tiles before it combine to. It does not
// wait for the tile before it to know its own prefix, as in chained.cu: what a tile's items alone
// combine to (its aggregate) is there almost at once, and some tile further back has its prefix
// already. So the block walks back over its predecessors, adds up aggregates, and stops at the
// first prefix.
//
// A walk reads a warp's width of predecessors at a time, one trip to the L2 cache where
// lookback_lane.cu needs as many as it looks at.

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

  // Tiles are numbered in the order in which blocks start: those that this one waits for have.
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  // The tile, loaded into registers and scanned there.
  scan::Tile<Operator> tile(arrays, number);
  const T sum = tile.scan(storage);

  // The first warp publishes what it can as soon as it can. The value and its flag go in one word,
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
