// The vendor's scan, the yardstick of ours: CUB, rocPRIM, oneTBB.

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_scan.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_scan.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

#if defined(WARPVIEW_BACKEND_CUDA)

void scan_library(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const auto scan = [&](void* memory, std::size_t& bytes) {
    const auto status = args.inclusive
                            ? cub::DeviceScan::InclusiveSum(memory, bytes, args.in, args.out,
                                                            args.n, native(stream))
                            : cub::DeviceScan::ExclusiveSum(memory, bytes, args.in, args.out,
                                                            args.n, native(stream));
    check(status, "cub::DeviceScan");
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  void* memory = workspace.take<std::byte>(bytes + 1);  // never null: null only asks for the size
  if (!workspace.measuring() && args.n > 0) scan(memory, bytes);
}

#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

void scan_library(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const auto scan = [&](void* memory, std::size_t& bytes) {
    const auto status =
        args.inclusive ? rocprim::inclusive_scan(memory, bytes, args.in, args.out, args.n,
                                                 rocprim::plus<std::uint32_t>(), native(stream))
                       : rocprim::exclusive_scan(memory, bytes, args.in, args.out, 0U, args.n,
                                                 rocprim::plus<std::uint32_t>(), native(stream));
    check(status, "rocprim scan");
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  void* memory = workspace.take<std::byte>(bytes + 1);  // never null: null only asks for the size
  if (!workspace.measuring() && args.n > 0) scan(memory, bytes);
}

#else

void scan_library(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args](const Range& range, std::uint32_t sum, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const std::uint32_t value = args.in[i];
            if (final) args.out[i] = args.inclusive ? sum + value : sum;
            sum += value;
          }
          return sum;
        },
        [](std::uint32_t a, std::uint32_t b) { return a + b; });
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
