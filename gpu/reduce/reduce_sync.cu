// Reduction of integers with the warp's own instruction: one `redux.sync` instead of five shuffles
// and five additions.
//
// CUDA C++ Programming Guide, Warp Reduce Functions: __reduce_add_sync, __reduce_min_sync and their
// kin, for 32-bit integers, from compute capability 8.0 on.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/reduce/last_block.h"

namespace warpview::cuda {

namespace {

struct ByOneInstruction {
  static constexpr const char* kernel_name = "reduce_sync_kernel";

  template <class Op>
  __device__ static std::int32_t combine(std::int32_t mine) {
    constexpr unsigned all = 0xffffffffU;
#if __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<Op, reduce::SumI32>)
      return __reduce_add_sync(all, mine);
    else
      return __reduce_min_sync(all, mine);
#else
    // Not reached: the catalogue offers the variant to devices that have the instruction.
    return __shfl_sync(all, mine, 0);
#endif
  }
};

}  // namespace

void reduce_sync(Stream& stream, const ReduceArgs& args, Workspace& workspace) {
  reduce::with_operator(args, [&](auto op) {
    using Op = decltype(op);
    if constexpr (std::is_same_v<Op, reduce::SumI32> || std::is_same_v<Op, reduce::MinI32>)
      reduce::last_block<ByOneInstruction>(stream, op, args, workspace);
    else
      throw Error("a reduction of values other than integers by __reduce_sync",
                  "the instruction combines 32-bit integers only", "Choose reduce=last_block");
  });
}

}  // namespace warpview::cuda

#endif
