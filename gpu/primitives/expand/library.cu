// Expansion by the vendor's library, the baseline: CUB, rocPRIM, oneTBB.
//
// Each is called in the usual way. On cuda that is a scan, and a batched copy of one word to many
// slots, as CUB's documentation decodes run lengths (CUB before 2.2 lacks it, and the search below
// replaces it). On hip it is a scan, and rocPRIM's binary search for each slot among the ends. On
// cpu it is a scan that writes.

#include <algorithm>

#include "gpu/primitives/expand/expand.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_scan.cuh>
#if __has_include(<cub/device/device_copy.cuh>)
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_copy.cuh>
#define CUB_COPIES_IN_BATCHES
#else
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#endif
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_binary_search.hpp>
#include <rocprim/device/device_scan.hpp>
#include <rocprim/iterator/counting_iterator.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

#if defined(WARPVIEW_BACKEND_CPU)

void expand_library(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    *args.total = tbb::parallel_scan(
        Range(0, args.n, 4096), 0U,
        [args](const Range& range, std::uint32_t place, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const std::uint32_t end = place + args.counts[i];
            if (final)
              for (; place < std::min(end, args.capacity); ++place) args.out[place] = i;
            place = end;
          }
          return place;
        },
        [](std::uint32_t a, std::uint32_t b) { return a + b; });
  });
}

#else

namespace {

#if defined(WARPVIEW_BACKEND_CUDA)

void sum_by_library(Stream& stream, const ExpandArgs& args, std::uint32_t* ends, void* memory,
                    std::size_t& bytes) {
  check(cub::DeviceScan::InclusiveSum(memory, bytes, args.counts, ends, args.n, native(stream)),
        "cub::DeviceScan");
}

#if defined(CUB_COPIES_IN_BATCHES)

// Source, destination and length of item i's copy. begins[0] is 0. (The return types are written
// out: the host's compiler does not see the bodies of device-only functions, and would instantiate
// the kernels with another type than the device has.)
struct NumberOf {
  __device__ thrust::constant_iterator<std::uint32_t> operator()(std::uint32_t i) const {
    return thrust::make_constant_iterator(i);
  }
};
struct PlacesOf {
  std::uint32_t* out;
  const std::uint32_t* begins;
  __device__ std::uint32_t* operator()(std::uint32_t i) const { return out + begins[i]; }
};
struct CountOf {
  const std::uint32_t* begins;
  std::uint32_t capacity;
  __device__ std::uint32_t operator()(std::uint32_t i) const {
    const std::uint32_t end = begins[i + 1] < capacity ? begins[i + 1] : capacity;
    return end > begins[i] ? end - begins[i] : 0;
  }
};

void write_by_library(Stream& stream, const ExpandArgs& args, const std::uint32_t* begins,
                      void* memory, std::size_t& bytes) {
  const thrust::counting_iterator<std::uint32_t> items(0);
  check(cub::DeviceCopy::Batched(
            memory, bytes, thrust::make_transform_iterator(items, NumberOf{}),
            thrust::make_transform_iterator(items, PlacesOf{args.out, begins}),
            thrust::make_transform_iterator(items, CountOf{begins, args.capacity}), args.n,
            native(stream)),
        "cub::DeviceCopy");
}

#else

void write_by_library(Stream& stream, const ExpandArgs& args, const std::uint32_t* begins,
                      void* memory, std::size_t& bytes) {
  const thrust::counting_iterator<std::uint32_t> places(0);
  if (memory)
    thrust::upper_bound(thrust::cuda::par_nosync.on(native(stream)), begins + 1,
                        begins + 1 + args.n, places, places + args.capacity, args.out);
  bytes = 1;
}

#endif

#else

void sum_by_library(Stream& stream, const ExpandArgs& args, std::uint32_t* ends, void* memory,
                    std::size_t& bytes) {
  check(rocprim::inclusive_scan(memory, bytes, args.counts, ends, args.n,
                                rocprim::plus<std::uint32_t>(), native(stream)),
        "rocprim scan");
}

void write_by_library(Stream& stream, const ExpandArgs& args, const std::uint32_t* begins,
                      void* memory, std::size_t& bytes) {
  check(rocprim::upper_bound(memory, bytes, begins + 1,
                             rocprim::counting_iterator<std::uint32_t>(0), args.out, args.n,
                             args.capacity, rocprim::less<std::uint32_t>(), native(stream)),
        "rocprim::upper_bound");
}

#endif

}  // namespace

void expand_library(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  auto* begins = scratch.take<std::uint32_t>(std::size_t{args.n} + 1, "begins");
  if (!scratch.measuring()) stream.fill(begins, 0, sizeof(*begins));
  if (args.n > 0) {
    with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      sum_by_library(stream, args, begins + 1, memory, bytes);
    });
    with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      write_by_library(stream, args, begins, memory, bytes);
    });
  }
  if (!scratch.measuring())
    stream.copy(args.total, begins + args.n, sizeof(*args.total), Copy::device_to_device);
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
