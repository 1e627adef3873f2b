// The vendor's partition, the yardstick of ours: CUB, rocPRIM, oneTBB.

#include "gpu/partition/partition.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_partition.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_partition.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <functional>
#endif

namespace warpview::WARPVIEW_BACKEND {

#if defined(WARPVIEW_BACKEND_CPU)

void partition_library(Stream& stream, const PartitionArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    *args.count = tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args](const Range& range, std::uint32_t count, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const bool passes = args.in[i] <= args.at_most;
            if (final) args.out[passes ? count : args.n - 1 - (i - count)] = args.in[i];
            count += passes ? 1 : 0;
          }
          return count;
        },
        std::plus());
  });
}

#else

namespace {

struct AtMost {
  std::uint32_t limit;
  WARPVIEW_HD bool operator()(std::uint32_t item) const { return item <= limit; }
};

}  // namespace

void partition_library(Stream& stream, const PartitionArgs& args, Workspace& workspace) {
  if (args.n == 0) {
    if (!workspace.measuring()) stream.fill(args.count, 0, sizeof(*args.count));
    return;
  }
  with_scratch(workspace, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DevicePartition::If(memory, bytes, args.in, args.out, args.count, args.n,
                                   AtMost{args.at_most}, native(stream)),
          "cub::DevicePartition");
#else
    check(rocprim::partition(memory, bytes, args.in, args.out, args.count, args.n,
                             AtMost{args.at_most}, native(stream)),
          "rocprim::partition");
#endif
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
