// Reduce by key in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; what CUB's DeviceReduce::ReduceByKey does with it. The
// operator: J. Schwartz, "Ultracomputers", 1980; G. Blelloch, "Prefix Sums and Their Applications",
// 1990, segmented scan.
//
// One scan answers both questions. How many runs begin before an item tells where its run goes; the
// sum of the values since the last beginning tells what the run comes to. The two travel as one
// pair, and pairs combine associatively: counts are added, and the earlier sum is kept only if no
// run begins in the later stretch. So a tile publishes a pair of 8 bytes, too much for one word
// with its flag (SplitStates in gpu/scan/lookback.h).
//
// Keys and values are read once, and a run is written once: its key by its first item, its sum by
// the first item of the next run, which finds it in its prefix.

#include "gpu/reduce_by_key/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

void reduce_by_key_one_pass(Stream& stream, const ReduceByKeyArgs& args, Workspace& workspace) {
  runs::with_sum(args.sum, [&](auto sum) {
    using Sum = decltype(sum);
    using Value = typename Sum::Type;
    const auto* values = static_cast<const Value*>(args.values);
    runs::reduce<Sum>(stream, args.keys, runs::Loaded<Value>{values, scan::is_aligned(values)},
                      args.n, args.keys_out, static_cast<Value*>(args.sums), args.count, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
