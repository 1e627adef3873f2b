// The prefix sum in one pass: chained tiles, a waterfall.
//
// S. Yan, G. Long, Y. Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier
// Synchronization", PPoPP 2013.
//
// Each block waits for the inclusive prefix of its predecessor tile, combines it with its own
// aggregate and publishes the result. This is simple, reads no item twice, and always combines sums
// in the same order. But the prefixes pass through the tiles one after another, and with many tiles
// this chain of loads and stores dominates the time. Look-back (lookback.cu) breaks the chain.

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class States>
__global__ void __launch_bounds__(scan::threads)
    chained_scan_kernel(scan::Arrays<typename Operator::Type> arrays, States states) {
  using T = typename Operator::Type;
  __shared__ std::uint32_t ticket;
  __shared__ typename scan::Tile<Operator>::Storage storage;
  __shared__ T shared_before;
  // Tiles are numbered in the order in which blocks start: the predecessor's block has started.
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  scan::Tile<Operator> tile(arrays, number);
  const T sum = tile.scan(storage);

  if (threadIdx.x == 0) {
    T before = Operator::identity();
    if (number > 0) before = block::wait_for(states, number - 1).value;
    states.publish(number, block::prefix_ready, Operator::combine(before, sum));
    shared_before = before;
  }
  __syncthreads();
  tile.store(shared_before);
}

}  // namespace

void scan_chained(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using States = block::StatesOf<typename Operator::Type>;
    scan::in_one_pass<Operator>(stream, args, scratch,
                                KERNEL(chained_scan_kernel<Operator, States>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
