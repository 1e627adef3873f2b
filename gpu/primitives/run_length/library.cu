// The vendor's run-length encoding, the baseline: CUB, rocPRIM, oneTBB.

#include "gpu/primitives/run_length/run_length.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_run_length_encode.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_run_length_encode.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#endif

namespace warpview::WARPVIEW_BACKEND {

#if defined(WARPVIEW_BACKEND_CPU)

namespace {

// For a stretch of items: how many runs begin in it, and where the last of them begins.
struct Heads {
  std::uint32_t count;
  std::uint32_t last;
};

}  // namespace

void run_length_library(Stream& stream, const RunLengthArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    const Heads all = tbb::parallel_scan(
        Range(0, args.n, 4096), Heads{0, 0},
        [args](const Range& range, Heads heads, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            if (i > 0 && args.keys[i] == args.keys[i - 1]) continue;
            if (final) {
              args.keys_out[heads.count] = args.keys[i];
              if (i > 0) args.lengths[heads.count - 1] = i - heads.last;
            }
            heads = {heads.count + 1, i};
          }
          return heads;
        },
        [](const Heads& earlier, const Heads& later) {
          return Heads{earlier.count + later.count, std::max(earlier.last, later.last)};
        });
    if (args.n > 0) args.lengths[all.count - 1] = args.n - all.last;
    *args.count = all.count;
  });
}

#else

void run_length_library(Stream& stream, const RunLengthArgs& args, Scratch& scratch) {
  if (args.n == 0) {
    if (!scratch.measuring()) stream.fill(args.count, 0, sizeof(*args.count));
    return;
  }
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceRunLengthEncode::Encode(memory, bytes, args.keys, args.keys_out, args.lengths,
                                             args.count, args.n, native(stream)),
          "cub::DeviceRunLengthEncode");
#else
    check(rocprim::run_length_encode(memory, bytes, args.keys, args.n, args.keys_out, args.lengths,
                                     args.count, native(stream)),
          "rocprim::run_length_encode");
#endif
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
