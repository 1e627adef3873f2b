// Reduction by warp shuffles in one kernel.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA"; J. Luitjens, "Faster Parallel Reductions on
// Kepler", 2014.
//
// Within a warp, values travel from register to register by a butterfly of shuffles: no shared
// memory, no barrier.

#include "gpu/reduce/last_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct ByShuffles {
  static constexpr const char* kernel_name = "reduce_shuffle_kernel";

  __device__ static SceneBounds merge(const SceneBounds& mine) {
    return warp::reduce(mine, MergeBounds());
  }
};

}  // namespace

void bounds_shuffle(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  reduce::last_block<ByShuffles>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
