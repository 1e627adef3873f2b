// The prefix sum in one pass: chained tiles, a waterfall.
//
// S. Yan, G. Long, Y. Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier
// Synchronization", PPoPP 2013.
//
// Each block waits for the inclusive prefix of the tile before it, combines it with its own sum and
// passes the result on. Simple, no item is read twice, and sums are always combined in the same
// order; but the prefixes travel through the tiles one after the other, and with many tiles that
// chain of loads and stores is what takes the time. Look-back (lookback.cu) breaks it.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct WaitForPredecessor {
  static constexpr const char* kernel_name = "chained_scan_kernel";

  template <class Operator, class States>
  __device__ static typename Operator::Type before(const States& states, std::uint32_t tile,
                                                   typename Operator::Type tile_sum) {
    using namespace scan;
    typename Operator::Type sum = Operator::identity();
    if (warp::lane() != 0) return sum;
    if (tile > 0) sum = wait_for(states, tile - 1).value;
    states.publish(tile, prefix_ready, Operator::combine(sum, tile_sum));
    return sum;
  }
};

}  // namespace

void scan_chained(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass_by_operator<WaitForPredecessor>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
