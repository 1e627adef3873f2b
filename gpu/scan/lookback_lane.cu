// The prefix sum in one pass: decoupled look-back, one lane looking.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016.
//
// The idea of lookback.cu in its simplest form: one lane walks back tile by tile. Each step waits
// for the last one's load, so a walk over k aggregates costs k trips to the L2 cache.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct LaneLooksBack {
  static constexpr const char* kernel_name = "lookback_lane_scan_kernel";

  template <class Operator, class States>
  __device__ static typename Operator::Type before(const States& states, std::uint32_t tile,
                                                   typename Operator::Type tile_sum) {
    using namespace scan;
    typename Operator::Type sum = Operator::identity();
    if (warp::lane() != 0) return sum;
    if (tile > 0) states.publish(tile, aggregate_ready, tile_sum);
    for (std::uint32_t t = tile; t > 0; --t) {
      const auto state = wait_for(states, t - 1);
      sum = Operator::combine(state.value, sum);
      if (state.flag == prefix_ready) break;  // what lies beyond is already in it
    }
    states.publish(tile, prefix_ready, Operator::combine(sum, tile_sum));
    return sum;
  }
};

}  // namespace

void scan_lookback_lane(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass_by_operator<LaneLooksBack>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
