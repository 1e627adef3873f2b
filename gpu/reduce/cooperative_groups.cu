// Reduction by cooperative groups' own reduce: the warp as an object.
//
// CUDA C++ Programming Guide, Cooperative Groups, Group Collectives.
//
// What last_block.cu spells out is one call here, and the library picks the way: one instruction
// for integers on compute capability 8.0 and later, if the operator is one of its own, else
// shuffles. It moves at most 32 bytes at a time, so the two boxes of the scene's bounds go one
// after the other.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "gpu/reduce/last_block.h"

namespace warpview::cuda {

namespace {

namespace cg = cooperative_groups;

struct ByCooperativeGroups {
  static constexpr const char* kernel_name = "reduce_cooperative_groups_kernel";

  template <class Op>
  __device__ static typename Op::Value combine(const typename Op::Value& mine) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if constexpr (std::is_same_v<Op, reduce::SumI32>) {
      return cg::reduce(warp, mine, cg::plus<std::int32_t>());
    } else if constexpr (std::is_same_v<Op, reduce::MinI32>) {
      return cg::reduce(warp, mine, cg::less<std::int32_t>());
    } else if constexpr (std::is_same_v<Op, reduce::UniteBoxes>) {
      const auto both = [](const Aabb& a, const Aabb& b) { return warpview::merge(a, b); };
      return {cg::reduce(warp, mine.points, both), cg::reduce(warp, mine.centres, both)};
    } else {
      using Value = typename Op::Value;
      return cg::reduce(warp, mine, [](Value a, Value b) { return Op::combine(a, b); });
    }
  }
};

}  // namespace

void reduce_cooperative_groups(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_commutative_operator(
      args, [&](auto op) { reduce::last_block<ByCooperativeGroups>(stream, op, args, workspace); });
}

}  // namespace warpview::cuda

#endif
