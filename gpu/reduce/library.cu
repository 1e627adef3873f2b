// The vendor's reduction with our operator, the yardstick of ours: CUB, rocPRIM, oneTBB.

#include "gpu/reduce/merge.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_reduce.hpp>
#include <rocprim/iterator/transform_iterator.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct BoundsOf {
  WARPVIEW_HD SceneBounds operator()(const Aabb& box) const { return bounds_of(box); }
};

}  // namespace

#if defined(WARPVIEW_BACKEND_CPU)

void bounds_library(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    using Range = tbb::blocked_range<std::uint32_t>;
    *args.out = tbb::parallel_reduce(
        Range(0, args.n, 4096), empty_bounds(),
        [args](const Range& range, SceneBounds sum) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i)
            sum = MergeBounds()(sum, BoundsOf()(args.boxes[i]));
          return sum;
        },
        MergeBounds());
  });
}

#else

void bounds_library(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  const auto reduce = [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    const auto items = thrust::make_transform_iterator(args.boxes, BoundsOf());
    check(cub::DeviceReduce::Reduce(memory, bytes, items, args.out, args.n, MergeBounds(),
                                    empty_bounds(), native(stream)),
          "cub::DeviceReduce");
#else
    const auto items = rocprim::make_transform_iterator(args.boxes, BoundsOf());
    check(rocprim::reduce(memory, bytes, items, args.out, empty_bounds(), args.n, MergeBounds(),
                          native(stream)),
          "rocprim::reduce");
#endif
  };
  std::size_t bytes = 0;
  reduce(nullptr, bytes);
  void* memory = workspace.take<std::byte>(bytes + 1);  // never null: null only asks for the size
  if (!workspace.measuring()) reduce(memory, bytes);
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
