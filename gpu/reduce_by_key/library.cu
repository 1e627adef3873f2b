// The vendor's reduce by key, the yardstick of ours: CUB, rocPRIM, oneTBB.

#include "gpu/reduce_by_key/runs.h"
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

template <class Sum>
void reduce_by_library(Stream& stream, const ReduceByKeyArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    using Op = runs::Combine<Sum>;
    using Item = typename Op::Type;
    using Range = tbb::blocked_range<std::uint32_t>;
    const auto* values = static_cast<const typename Sum::Type*>(args.values);
    auto* sums = static_cast<typename Sum::Type*>(args.sums);
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

template <class Sum>
void reduce_by_library(Stream& stream, const ReduceByKeyArgs& args, Workspace& workspace) {
  using T = typename Sum::Type;
  const auto* values = static_cast<const T*>(args.values);
  auto* sums = static_cast<T*>(args.sums);
  if (args.n == 0) {
    if (!workspace.measuring()) stream.fill(args.count, 0, sizeof(*args.count));
    return;
  }
  with_scratch(workspace, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceReduce::ReduceByKey(memory, bytes, args.keys, args.keys_out, values, sums,
                                         args.count, CombineObject<Sum>(), args.n, native(stream)),
          "cub::DeviceReduce::ReduceByKey");
#else
    check(rocprim::reduce_by_key(memory, bytes, args.keys, values, args.n, args.keys_out, sums,
                                 args.count, CombineObject<Sum>(), rocprim::equal_to<std::uint32_t>(),
                                 native(stream)),
          "rocprim::reduce_by_key");
#endif
  });
}

#endif

}  // namespace

void reduce_by_key_library(Stream& stream, const ReduceByKeyArgs& args, Workspace& workspace) {
  runs::with_sum(args.sum,
                 [&](auto sum) { reduce_by_library<decltype(sum)>(stream, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND
