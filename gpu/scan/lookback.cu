// The prefix sum in one pass: decoupled look-back, a warp looking.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; they look back with a whole warp, as is done here.
//
// Each block scans one tile and needs the sum of all tiles before it. It first publishes its own
// sum (the tile's aggregate), then walks back over its predecessors: an aggregate is added and the
// walk goes on, an inclusive prefix is added and ends it. The block then publishes its own prefix.
// Nobody waits for a chain of n tiles, since aggregates are there almost at once.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct WarpLooksBack {
  static constexpr const char* kernel_name = "lookback_scan_kernel";

  __device__ static std::uint32_t before(scan::TileState* states, std::uint32_t tile,
                                         std::uint32_t tile_sum) {
    using namespace scan;
    if (warp::lane() == 0 && tile > 0)
      store_relaxed(&states[tile], pack(aggregate_ready, tile_sum));
    const std::uint32_t sum = look_back(states, tile);
    if (warp::lane() == 0) store_relaxed(&states[tile], pack(prefix_ready, sum + tile_sum));
    return sum;
  }

  // Lane i looks at the i-th predecessor, nearest first; a window of a warp's size is summed at a
  // time. Every lane holds the result.
  __device__ static std::uint32_t look_back(const scan::TileState* states, std::uint32_t tile) {
    using namespace scan;
    std::uint32_t sum = 0;
    for (std::uint32_t end = tile; end > 0;) {
      // Lanes that look beyond tile 0 see an empty prefix.
      TileState state = pack(prefix_ready, 0);
      if (warp::lane() < end) state = wait_for(states + (end - 1 - warp::lane()));
      const warp::LaneMask prefixes =
          warp::ballot(warp::all_lanes(), flag_of(state) == prefix_ready);
      // What lies beyond the nearest prefix is already in it.
      const bool counts = prefixes == 0 || warp::lane() <= warp::first(prefixes);
      sum += warp::reduce(counts ? sum_of(state) : 0U,
                          [](std::uint32_t a, std::uint32_t b) { return a + b; });
      if (prefixes != 0) break;
      end -= warp::size();  // no prefix: all lanes had a predecessor
    }
    return sum;
  }
};

}  // namespace

void scan_lookback(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass<WarpLooksBack>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
