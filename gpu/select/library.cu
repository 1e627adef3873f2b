// The vendor's select, the yardstick of ours: CUB, rocPRIM, oneTBB.

#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"
#include "gpu/select/select.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_select.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_select.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <functional>
#endif

namespace warpview::WARPVIEW_BACKEND {

#if defined(WARPVIEW_BACKEND_CPU)

void select_library(Stream& stream, const SelectArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    *args.count = tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args](const Range& range, std::uint32_t count, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            if (args.in[i] > args.at_most) continue;
            if (final) args.out[count] = args.in[i];
            ++count;
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

void select_library(Stream& stream, const SelectArgs& args, Workspace& workspace) {
  if (args.n == 0) {
    if (!workspace.measuring()) stream.fill(args.count, 0, sizeof(*args.count));
    return;
  }
  with_scratch(workspace, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceSelect::If(memory, bytes, args.in, args.out, args.count, args.n,
                                AtMost{args.at_most}, native(stream)),
          "cub::DeviceSelect");
#else
    check(rocprim::select(memory, bytes, args.in, args.out, args.count, args.n,
                          AtMost{args.at_most}, native(stream)),
          "rocprim::select");
#endif
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
