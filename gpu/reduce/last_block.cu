// Reduction in one kernel: shuffles in each warp, one result a warp through shared memory, and the
// last block to finish combines the blocks' results.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA"; CUDA sample threadFenceReduction.

#include "gpu/reduce/last_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct ByShuffles {
  static constexpr const char* kernel_name = "reduce_last_block_kernel";

  template <class Op>
  __device__ static typename Op::Value combine(const typename Op::Value& mine) {
    return warp::reduce(mine, reduce::Combine<Op>());
  }
};

}  // namespace

void reduce_last_block(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_commutative_operator(
      args, [&](auto op) { reduce::last_block<ByShuffles>(stream, op, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND
