// The prefix sum in one pass: decoupled look-back, a warp looking.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; they look back with a whole warp, as is done here.
//
// Of the scans in one pass this is the fastest: a walk reads a warp's width of predecessors at a
// time, one trip to the L2 cache where lookback_lane.cu needs as many as it looks at. The walk
// itself, look_back in lookback.h, also serves what is built on one-pass scan: select, partition,
// reduce by key, run-length encoding.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

void scan_lookback(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass_by_operator<scan::WarpLooksBack>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
