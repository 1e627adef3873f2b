// Run-length encoding in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; what CUB's DeviceRunLengthEncode does with it.
//
// The length of a run is the sum of a 1 for each of its items: reduce by key
// (gpu/reduce_by_key/one_pass.cu) with values that nobody needs to load.

#include "gpu/reduce_by_key/one_pass.h"
#include "gpu/run_length/run_length.h"

namespace warpview::WARPVIEW_BACKEND {

void run_length_one_pass(Stream& stream, const RunLengthArgs& args, Workspace& workspace) {
  runs::reduce<SumU32>(stream, args.keys, runs::Ones(), args.n, args.keys_out, args.lengths,
                       args.count, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
