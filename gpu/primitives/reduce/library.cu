// The vendor's reduction, the baseline: CUB, rocPRIM, oneTBB.
//
// All three combine floats in an order that does not vary from run to run on the same device;
// oneTBB does in parallel_deterministic_reduce, whose ranges are always split in the same way.

#include "gpu/operators/vendor.h"
#include "gpu/primitives/reduce/operators.h"
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

template <class Operator, class Items>
void reduce_by_library(Stream& stream, const Items& items, const ReduceArgs& args,
                       Scratch& scratch) {
  if (scratch.measuring()) return;
  using T = typename Operator::Type;
  using Range = tbb::blocked_range<std::uint32_t>;
  run_host(stream, [items, n = args.n, out = static_cast<T*>(args.out)] {
    *out = tbb::parallel_deterministic_reduce(
        Range(0, n, 4096), Operator::identity(),
        [items](const Range& range, T mine) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i)
            mine = Operator::combine(mine, items[i]);
          return mine;
        },
        Combine<Operator>());
  });
}

#else

#if defined(WARPVIEW_BACKEND_CUDA)
namespace iterators = thrust;
#else
namespace iterators = rocprim;
#endif

// The items in the library's preferred form: by address where they are values already, because it
// can then read several at a time.
template <class Items>
struct Load {
  Items items;
  HOST_DEVICE auto operator()(std::uint32_t i) const { return items[i]; }
};
template <class Items>
auto items_of(const Items& items) {
  return iterators::make_transform_iterator(iterators::counting_iterator<std::uint32_t>(0),
                                            Load<Items>{items});
}
template <class T>
const T* items_of(const T* items) {
  return items;
}

template <class Operator, class Items>
void reduce_by_library(Stream& stream, const Items& items, const ReduceArgs& args,
                       Scratch& scratch) {
  auto* out = static_cast<typename Operator::Type*>(args.out);
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(
        cub::DeviceReduce::Reduce(memory, bytes, items_of(items), out, args.n,
                                  VendorOperator<Operator>(), Operator::identity(), native(stream)),
        "cub::DeviceReduce");
#else
    check(rocprim::reduce(memory, bytes, items_of(items), out, Operator::identity(), args.n,
                          VendorOperator<Operator>(), native(stream)),
          "rocprim::reduce");
#endif
  });
}

#endif

}  // namespace

void reduce_library(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    reduce_by_library<decltype(op)>(stream, items, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
