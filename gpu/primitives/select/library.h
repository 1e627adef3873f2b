// What the vendors' select and partition share.
#pragma once

#include "gpu/primitives/select/passing.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CPU)
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <functional>
#endif

namespace warpview::WARPVIEW_BACKEND::select {

#if defined(WARPVIEW_BACKEND_CPU)

// Calls put(i, passes, before) for every item, once and in any order; `before` is the number of
// items before it that pass.
template <class Put>
void by_library(Stream& stream, const PassingArgs& args, const Scratch& scratch, Put put) {
  if (scratch.measuring()) return;
  run_host(stream, [args, put] {
    using Range = tbb::blocked_range<std::uint32_t>;
    *args.count = tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args, put](const Range& range, std::uint32_t count, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const bool passes = args.in[i] <= args.at_most;
            if (final) put(i, passes, count);
            count += passes ? 1 : 0;
          }
          return count;
        },
        std::plus());
  });
}

#else

struct AtMost {
  std::uint32_t limit;
  HOST_DEVICE bool operator()(std::uint32_t item) const { return item <= limit; }
};

// Calls call(memory, bytes, passes) where there are items: gpu/runtime/vendor_scratch.h.
template <class Call>
void by_library(Stream& stream, const PassingArgs& args, Scratch& scratch, const Call& call) {
  if (args.n > 0)
    with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      call(memory, bytes, AtMost{args.at_most});
    });
  else if (!scratch.measuring())
    stream.fill(args.count, 0, sizeof(*args.count));
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND::select
