// Look-back flags: flag and value in one word.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016.
//
// A tile of the look-back scan publishes a value and a flag that says the value is valid. Memory
// orders nothing by itself: a GPU may let others see the flag before the value. If both fit in one
// word that is written and read as a whole, there is nothing to order: a reader gets both or
// neither. This is PackedStates of gpu/block/lookback.h, which scan=lookback uses for values of
// four bytes. A look costs one load and no fence; the price is that flag and value must fit.

#include "gpu/primitives/flags/scan.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using States = block::PackedStates<std::uint32_t>;

__global__ void __launch_bounds__(scan::threads)
    flags_packed_kernel(flags::Arrays arrays, States states) {
  __shared__ flags::Storage storage;
  flags::scan_tile(arrays, states, storage);
}

}  // namespace

void flags_packed(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  scan::in_one_pass<SumU32>(stream, args, scratch, KERNEL(flags_packed_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
