// The vendor's select and partition, the baseline: CUB, rocPRIM, oneTBB.
//
// They use a scan instead of a counter, and so keep the order of the input, which a queue does not
// need.
#include "gpu/primitives/enqueue/queue.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_partition.hpp>
#include <rocprim/device/device_select.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Queues the counters' start. Throws Error where the queue might be too small, which the libraries
// do not check.
void start_library(Stream& stream, const EnqueueArgs& args) {
  if (args.capacity < args.n)
    throw Error("a select of " + std::to_string(args.n) + " items by the library",
                "the queue has " + std::to_string(args.capacity) + " places",
                "Give it as many places as there are items, or choose another variant");
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::split});
}

}  // namespace

#if defined(WARPVIEW_BACKEND_CPU)

void enqueue_library(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  start_library(stream, args);
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    const bool split = args.mode == EnqueueMode::split;
    args.counts[0] = tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args, split](const Range& range, std::uint32_t passed, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const std::uint32_t item = args.in[i];
            const bool passes = item < args.below;
            if (final && passes) args.queue[passed] = item;
            if (final && !passes && split) args.queue[args.n - 1 - (i - passed)] = item;
            passed += passes ? 1 : 0;
          }
          return passed;
        },
        [](std::uint32_t a, std::uint32_t b) { return a + b; });
    if (split) args.counts[1] = args.n - args.counts[0];
  });
}

#else

namespace {

struct Passes {
  std::uint32_t below;

  __device__ bool operator()(const std::uint32_t& item) const { return item < below; }
};

// The libraries count only the first queue.
__global__ void count_the_rest_kernel(std::uint32_t* counts, std::uint32_t n) {
  counts[1] = n - counts[0];
}

void select_or_partition(Stream& stream, const EnqueueArgs& args, void* memory,
                         std::size_t& bytes) {
  const Passes passes{args.below};
#if defined(WARPVIEW_BACKEND_CUDA)
  const int n = static_cast<int>(args.n);  // unsigned, CUB's partition counts in 64 bits
  const auto status = args.mode == EnqueueMode::split
                          ? cub::DevicePartition::If(memory, bytes, args.in, args.queue,
                                                     args.counts, n, passes, native(stream))
                          : cub::DeviceSelect::If(memory, bytes, args.in, args.queue, args.counts,
                                                  n, passes, native(stream));
  check(status, "cub::DeviceSelect or DevicePartition");
#else
  const auto status = args.mode == EnqueueMode::split
                          ? rocprim::partition(memory, bytes, args.in, args.queue, args.counts,
                                               args.n, passes, native(stream))
                          : rocprim::select(memory, bytes, args.in, args.queue, args.counts, args.n,
                                            passes, native(stream));
  check(status, "rocprim select or partition");
#endif
}

}  // namespace

void enqueue_library(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (!scratch.measuring()) start_library(stream, args);
  if (args.n == 0) return;
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
    select_or_partition(stream, args, memory, bytes);
  });
  if (!scratch.measuring() && args.mode == EnqueueMode::split)
    launch(stream, KERNEL(count_the_rest_kernel), Shape(1, 1), args.counts, args.n);
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
