// Partition in three kernels: flag, scan, scatter.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990, where it is called split.
//
//   1. a flag an item: 1 if it passes;
//   2. the exclusive sum of the flags tells how many before an item pass, and so how many do not;
//   3. every item goes to its place: from the front if it passes, from the end if not.
//
// one_pass.cu does the same without writing flags and sums to memory.

#include "gpu/partition/partition.h"
#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"

namespace warpview::WARPVIEW_BACKEND {

ScanFunction scan_lookback;

namespace {

__global__ void flag_front_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most,
                                  std::uint32_t* flags) {
  const std::uint32_t i = global_thread();
  if (i < n) flags[i] = in[i] <= at_most ? 1 : 0;
}

__global__ void scatter_to_both_ends_kernel(const std::uint32_t* in, std::uint32_t n,
                                            std::uint32_t at_most, const std::uint32_t* passing,
                                            std::uint32_t* out, std::uint32_t* count) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const std::uint32_t item = in[i];
  const std::uint32_t before = passing[i];
  const bool passes = item <= at_most;
  out[passes ? before : n - 1 - (i - before)] = item;
  if (i == n - 1) *count = before + (passes ? 1 : 0);
}

}  // namespace

void partition_three_kernels(Stream& stream, const PartitionArgs& args, Workspace& workspace) {
  auto* passing = workspace.take<std::uint32_t>(args.n);
  if (!workspace.measuring()) {
    // Without items no thread is there to write the count.
    if (args.n == 0) stream.fill(args.count, 0, sizeof(*args.count));
    launch(stream, KERNEL(flag_front_kernel), one_thread_each(args.n), args.in, args.n,
           args.at_most, passing);
  }
  scan_lookback(stream, {.in = passing, .out = passing, .n = args.n}, workspace);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(scatter_to_both_ends_kernel), one_thread_each(args.n), args.in, args.n,
         args.at_most, passing, args.out, args.count);
}

}  // namespace warpview::WARPVIEW_BACKEND
