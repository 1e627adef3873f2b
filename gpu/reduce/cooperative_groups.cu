// Reduction by cooperative groups' own reduce: the warp as an object.
//
// CUDA C++ Programming Guide, Cooperative Groups, Group Collectives.
//
// What shuffle_last_block.cu spells out is one call here, and the library picks the way: shuffles
// for our operator, one instruction for integers on compute capability 8.0 and later. It moves at
// most 32 bytes at a time, so the two boxes go one after the other.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "gpu/reduce/last_block.h"

namespace warpview::cuda {

namespace {

struct ByCooperativeGroups {
  static constexpr const char* kernel_name = "reduce_cooperative_groups_kernel";

  __device__ static SceneBounds merge(const SceneBounds& mine) {
    namespace cg = cooperative_groups;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto both = [](const Aabb& a, const Aabb& b) { return warpview::merge(a, b); };
    return {cg::reduce(warp, mine.points, both), cg::reduce(warp, mine.centres, both)};
  }
};

}  // namespace

void bounds_cooperative_groups(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  reduce::last_block<ByCooperativeGroups>(stream, args, workspace);
}

}  // namespace warpview::cuda

#endif
