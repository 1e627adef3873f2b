// Select in three kernels: flag, scan, scatter.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990; M. Harris, S. Sengupta, J. Owens, GPU
// Gems 3, 2007, where it is called stream compaction.
//
//   1. one flag per item: 1 if it passes;
//   2. the exclusive sum of the flags is, for an item that passes, its place in the output;
//   3. every item that passes goes to its place.
//
// Each step is simple and independent, but the flags and the sums go through memory four times
// beside the items, which are read twice. one_pass.cu keeps all of that in registers.

#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/select/flag_passing.h"
#include "gpu/primitives/select/select.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Step 3. Step 1 is in flag_passing.h.
__global__ void scatter_passing_kernel(PassingArgs args, const std::uint32_t* places) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  const bool passes = item <= args.at_most;
  if (passes) args.out[places[i]] = item;
  if (i == args.n - 1) *args.count = places[i] + (passes ? 1 : 0);
}

}  // namespace

void select_three_kernels(Stream& stream, const SelectArgs& args, Scratch& scratch) {
  auto* places = scratch.take<std::uint32_t>(args.n, "places");
  if (!scratch.measuring()) select::flag_passing(stream, args, places);
  scan_lookback_shared(stream, {.in = places, .out = places, .n = args.n}, scratch);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(scatter_passing_kernel), one_thread_each(args.n), args, places);
}

}  // namespace warpview::WARPVIEW_BACKEND
