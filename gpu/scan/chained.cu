// The prefix sum in one pass: chained tiles, a waterfall.
//
// S. Yan, G. Long, Y. Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier
// Synchronization", PPoPP 2013.
//
// Each block waits for the inclusive prefix of the tile before it, adds its own sum and passes the
// result on. Simple, and no item is read twice; but the prefixes travel through the tiles one after
// the other, and with many tiles that chain of loads and stores is what takes the time. Look-back
// (lookback.cu) breaks it.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct WaitForPredecessor {
  static constexpr const char* kernel_name = "chained_scan_kernel";

  __device__ static std::uint32_t before(scan::TileState* states, std::uint32_t tile,
                                         std::uint32_t tile_sum) {
    using namespace scan;
    if (warp::lane() != 0) return 0;
    const std::uint32_t sum = tile > 0 ? sum_of(wait_for(&states[tile - 1])) : 0;
    store_relaxed(&states[tile], pack(prefix_ready, sum + tile_sum));
    return sum;
  }
};

}  // namespace

void scan_chained(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass<WaitForPredecessor>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
