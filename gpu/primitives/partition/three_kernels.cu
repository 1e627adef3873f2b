// Partition in three kernels: flag, scan, scatter.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990, where it is called split.
//
//   1. one flag per item: 1 if it passes;
//   2. the exclusive sum of the flags is the number of items before that pass, and so gives how
//      many do not;
//   3. every item goes to its place: from the front if it passes, from the end if not.
//
// one_pass.cu does the same without writing flags and sums to memory.

#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/select/flag_passing.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Step 3. Step 1 is that of select, in gpu/primitives/select/flag_passing.h.
__global__ void scatter_to_both_ends_kernel(PassingArgs args, const std::uint32_t* passing) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.in[i];
  const std::uint32_t before = passing[i];
  const bool passes = item <= args.at_most;
  args.out[passes ? before : args.n - 1 - (i - before)] = item;
  if (i == args.n - 1) *args.count = before + (passes ? 1 : 0);
}

}  // namespace

void partition_three_kernels(Stream& stream, const PartitionArgs& args, Scratch& scratch) {
  auto* passing = scratch.take<std::uint32_t>(args.n, "passing");
  if (!scratch.measuring()) select::flag_passing(stream, args, passing);
  scan_lookback_shared(stream, {.in = passing, .out = passing, .n = args.n}, scratch);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(scatter_to_both_ends_kernel), one_thread_each(args.n), args, passing);
}

}  // namespace warpview::WARPVIEW_BACKEND
