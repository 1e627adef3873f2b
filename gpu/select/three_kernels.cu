// Select in three kernels: flag, scan, scatter.
//
// G. Blelloch, "Prefix Sums and Their Applications", 1990; M. Harris, S. Sengupta, J. Owens, GPU
// Gems 3, 2007, where it is called stream compaction.
//
//   1. a flag an item: 1 if it passes;
//   2. the exclusive sum of the flags is, for an item that passes, its place in the output;
//   3. every item that passes goes to its place.
//
// Each step is simple and stands alone, but the flags and the sums travel through memory four times
// beside the items, which are read twice. one_pass.cu keeps all of that in registers.

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"
#include "gpu/select/select.h"

namespace warpview::WARPVIEW_BACKEND {

ScanFunction scan_lookback;

namespace {

__global__ void flag_passing_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most,
                                    std::uint32_t* flags) {
  const std::uint32_t i = global_thread();
  if (i < n) flags[i] = in[i] <= at_most ? 1 : 0;
}

__global__ void scatter_passing_kernel(const std::uint32_t* in, std::uint32_t n,
                                       std::uint32_t at_most, const std::uint32_t* places,
                                       std::uint32_t* out, std::uint32_t* count) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const std::uint32_t item = in[i];
  const bool passes = item <= at_most;
  if (passes) out[places[i]] = item;
  if (i == n - 1) *count = places[i] + (passes ? 1 : 0);
}

}  // namespace

void select_three_kernels(Stream& stream, const SelectArgs& args, Workspace& workspace) {
  auto* places = workspace.take<std::uint32_t>(args.n);
  if (!workspace.measuring()) {
    // Without items no thread is there to write the count.
    if (args.n == 0) stream.fill(args.count, 0, sizeof(*args.count));
    launch(stream, KERNEL(flag_passing_kernel), one_thread_each(args.n), args.in, args.n,
           args.at_most, places);
  }
  scan_lookback(stream, {.in = places, .out = places, .n = args.n}, workspace);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(scatter_passing_kernel), one_thread_each(args.n), args.in, args.n,
         args.at_most, places, args.out, args.count);
}

}  // namespace warpview::WARPVIEW_BACKEND
