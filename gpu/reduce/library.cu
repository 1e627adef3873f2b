// The vendor's reduction with our operators, the yardstick of ours: CUB, rocPRIM, oneTBB.
//
// All three combine floats in an order that does not change from run to run on the same device;
// oneTBB does in the reduction named deterministic, whose ranges are always split alike.

#include "gpu/reduce/operators.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_reduce.hpp>
#include <rocprim/iterator/counting_iterator.hpp>
#include <rocprim/iterator/transform_iterator.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

#if defined(WARPVIEW_BACKEND_CPU)

template <class Op>
void reduce_by_library(Stream& stream, Op op, const ReduceArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  using Value = typename Op::Value;
  using Range = tbb::blocked_range<std::uint32_t>;
  run_host(stream, [op, n = args.n, out = static_cast<Value*>(args.out)] {
    *out = tbb::parallel_deterministic_reduce(
        Range(0, n, 4096), Op::identity(),
        [op](const Range& range, Value mine) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i)
            mine = Op::combine(mine, op.load(i));
          return mine;
        },
        reduce::Combine<Op>());
  });
}

#else

#if defined(WARPVIEW_BACKEND_CUDA)
namespace iterators = thrust;
#else
namespace iterators = rocprim;
#endif

// The items as the library likes them best: by their address where they are Values already, since
// it can then read several at a time.
template <class Op>
struct Load {
  Op op;
  WARPVIEW_HD typename Op::Value operator()(std::uint32_t i) const { return op.load(i); }
};
template <class Op>
auto items_of(const Op& op) {
  return iterators::make_transform_iterator(iterators::counting_iterator<std::uint32_t>(0),
                                            Load<Op>{op});
}
const std::int32_t* items_of(const reduce::SumI32& op) { return op.in; }
const std::int32_t* items_of(const reduce::MinI32& op) { return op.in; }
const float* items_of(const reduce::SumF32& op) { return op.in; }

template <class Op>
void reduce_by_library(Stream& stream, Op op, const ReduceArgs& args, Workspace& workspace) {
  auto* out = static_cast<typename Op::Value*>(args.out);
  with_scratch(workspace, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceReduce::Reduce(memory, bytes, items_of(op), out, args.n, reduce::Combine<Op>(),
                                    Op::identity(), native(stream)),
          "cub::DeviceReduce");
#else
    check(rocprim::reduce(memory, bytes, items_of(op), out, Op::identity(), args.n,
                          reduce::Combine<Op>(), native(stream)),
          "rocprim::reduce");
#endif
  });
}

#endif

}  // namespace

void reduce_library(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_commutative_operator(
      args, [&](auto op) { reduce_by_library(stream, op, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND
