// The prefix sum in one pass: decoupled look-back by one lane.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016.
//
// This is lookback.cu in its simplest form: one lane looks back tile by tile. Each step waits for
// the last one's load, so a look-back over k aggregates costs k round trips to the L2 cache.

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The exclusive prefix of `tile`.
template <class Operator, class States>
__device__ inline typename Operator::Type walk_back(const States& states, std::uint32_t tile) {
  typename Operator::Type sum = Operator::identity();
  for (std::uint32_t t = tile; t > 0; --t) {
    const auto state = block::wait_for(states, t - 1);
    sum = Operator::combine(state.value, sum);
    if (state.flag == block::prefix_ready) break;  // it includes everything further back
  }
  return sum;
}

template <class Operator, class States>
__global__ void __launch_bounds__(scan::threads)
    lookback_lane_scan_kernel(scan::Arrays<typename Operator::Type> arrays, States states) {
  using T = typename Operator::Type;
  __shared__ std::uint32_t ticket;
  __shared__ typename scan::Tile<Operator>::Storage storage;
  __shared__ T shared_before;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  scan::Tile<Operator> tile(arrays, number);
  const T sum = tile.scan(storage);

  if (threadIdx.x == 0) {
    if (number > 0) states.publish(number, block::aggregate_ready, sum);
    const T before = walk_back<Operator>(states, number);
    states.publish(number, block::prefix_ready, Operator::combine(before, sum));
    shared_before = before;
  }
  __syncthreads();
  tile.store(shared_before);
}

}  // namespace

void scan_lookback_lane(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using States = block::StatesOf<typename Operator::Type>;
    scan::in_one_pass<Operator>(stream, args, scratch,
                                KERNEL(lookback_lane_scan_kernel<Operator, States>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
