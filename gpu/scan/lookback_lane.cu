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

  __device__ static std::uint32_t before(scan::TileState* states, std::uint32_t tile,
                                         std::uint32_t tile_sum) {
    using namespace scan;
    if (warp::lane() != 0) return 0;
    if (tile > 0) store_relaxed(&states[tile], pack(aggregate_ready, tile_sum));
    std::uint32_t sum = 0;
    for (std::uint32_t t = tile; t > 0; --t) {
      const TileState state = wait_for(&states[t - 1]);
      sum += sum_of(state);
      if (flag_of(state) == prefix_ready) break;  // what lies beyond is already in it
    }
    store_relaxed(&states[tile], pack(prefix_ready, sum + tile_sum));
    return sum;
  }
};

}  // namespace

void scan_lookback_lane(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass<LaneLooksBack>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
