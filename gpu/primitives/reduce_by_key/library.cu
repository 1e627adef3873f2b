// The vendor's reduce by key, the baseline: CUB, rocPRIM, oneTBB.

#include "gpu/operators/segmented.h"
#include "gpu/operators/vendor.h"
#include "gpu/primitives/reduce_by_key/sums.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_reduce.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_reduce_by_key.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

#if defined(WARPVIEW_BACKEND_CPU)

template <class Operator>
void reduce_runs_by_library(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    using Op = Segmented<Operator>;
    using Item = typename Op::Type;
    using Range = tbb::blocked_range<std::uint32_t>;
    const auto* values = static_cast<const typename Operator::Type*>(args.values);
    auto* sums = static_cast<typename Operator::Type*>(args.sums);
    const Item all = tbb::parallel_scan(
        Range(0, args.n, 4096), Op::identity(),
        [=](const Range& range, Item prefix, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const bool is_head = i == 0 || args.keys[i] != args.keys[i - 1];
            if (final && is_head) {
              args.keys_out[prefix.heads] = args.keys[i];
              if (i > 0) sums[prefix.heads - 1] = prefix.sum;
            }
            prefix = Op::combine(prefix, {is_head ? 1U : 0U, values[i]});
          }
          return prefix;
        },
        Op::combine);
    if (args.n > 0) sums[all.heads - 1] = all.sum;
    *args.count = all.heads;
  });
}

#else

template <class Operator>
void reduce_runs_by_library(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  using T = typename Operator::Type;
  const auto* values = static_cast<const T*>(args.values);
  auto* sums = static_cast<T*>(args.sums);
  if (args.n == 0) {
    if (!scratch.measuring()) stream.fill(args.count, 0, sizeof(*args.count));
    return;
  }
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceReduce::ReduceByKey(memory, bytes, args.keys, args.keys_out, values, sums,
                                         args.count, VendorOperator<Operator>(), args.n,
                                         native(stream)),
          "cub::DeviceReduce::ReduceByKey");
#else
    check(rocprim::reduce_by_key(memory, bytes, args.keys, values, args.n, args.keys_out, sums,
                                 args.count, VendorOperator<Operator>(), rocprim::equal_to<std::uint32_t>(),
                                 native(stream)),
          "rocprim::reduce_by_key");
#endif
  });
}

#endif

}  // namespace

void reduce_by_key_library(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  runs::with_sum(args.sum,
                 [&](auto op) { reduce_runs_by_library<decltype(op)>(stream, args, scratch); });
}

}  // namespace warpview::WARPVIEW_BACKEND
