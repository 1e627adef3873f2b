// Reduction by the reduce of cooperative groups: the warp as an object.
//
// CUDA C++ Programming Guide, Cooperative Groups, Group Collectives.
//
// What last_block.cu spells out is one call here, and the library picks the implementation: one
// instruction for integers on compute capability 8.0 and later, if it supports the operator,
// otherwise shuffles. It moves at most 32 bytes at a time, so the two boxes of the scene's bounds
// are reduced one after another.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "gpu/primitives/reduce/last_block.h"

namespace warpview::cuda {

namespace {

namespace cg = cooperative_groups;

// Combines the values of a full warp, for every lane.
template <class Operator, class T = typename Operator::Type>
__device__ inline T reduce_group(const T& mine) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if constexpr (std::is_same_v<Operator, SumI32>) {
    return cg::reduce(warp, mine, cg::plus<std::int32_t>());
  } else if constexpr (std::is_same_v<Operator, MinI32>) {
    return cg::reduce(warp, mine, cg::less<std::int32_t>());
  } else if constexpr (std::is_same_v<Operator, UniteBounds>) {
    const auto both = [](const Aabb& a, const Aabb& b) { return warpview::merge(a, b); };
    return {cg::reduce(warp, mine.points, both), cg::reduce(warp, mine.centres, both)};
  } else {
    return cg::reduce(warp, mine, [](T a, T b) { return Operator::combine(a, b); });
  }
}

// partial[gridDim.x] is scratch; *finished is 0.
template <class Operator, class Items, class T = typename Operator::Type>
__global__ void __launch_bounds__(reduce::threads)
    reduce_cooperative_groups_kernel(Items items, std::uint32_t n, T* partial,
                                     std::uint32_t* finished, T* out) {
  __shared__ block::ReduceStorage<T, reduce::threads> storage;
  __shared__ bool last;
  T mine = reduce::combine_strided<Operator>(items, n);
  mine = block::reduce_by<Operator>(mine, storage, reduce_group<Operator>);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  if (!block::is_last(finished, last)) return;

  mine = reduce::combine_partial<Operator>(partial);
  mine = block::reduce_by<Operator>(mine, storage, reduce_group<Operator>);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

void reduce_cooperative_groups(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::by_last_block<Operator>(stream, items, args, scratch,
                                    KERNEL(reduce_cooperative_groups_kernel<Operator, Items>));
  });
}

}  // namespace warpview::cuda

#endif
