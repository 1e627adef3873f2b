// Reduction of integers with the warp's own instruction: one `redux.sync` instead of five shuffles
// and five additions.
//
// CUDA C++ Programming Guide, Warp Reduce Functions: __reduce_add_sync, __reduce_min_sync and their
// kin, for 32-bit integers, from compute capability 8.0 on.
//
// The rest is last_block.cu.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/reduce/last_block.h"

namespace warpview::cuda {

namespace {

// The values of a full warp combined, for every lane.
template <class Operator>
__device__ inline std::int32_t reduce_by_instruction(std::int32_t mine) {
  constexpr unsigned all = 0xffffffffU;
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<Operator, SumI32>)
    return __reduce_add_sync(all, mine);
  else
    return __reduce_min_sync(all, mine);
#else
  // Not reached: the catalogue offers the variant to devices that have the instruction.
  return __shfl_sync(all, mine, 0);
#endif
}

// partial[gridDim.x] is scratch; *finished is 0.
template <class Operator>
__global__ void __launch_bounds__(reduce::threads)
    reduce_sync_kernel(const std::int32_t* items, std::uint32_t n, std::int32_t* partial,
                       std::uint32_t* finished, std::int32_t* out) {
  __shared__ block::ReduceStorage<std::int32_t, reduce::threads> storage;
  __shared__ bool last;
  std::int32_t mine = reduce::combine_strided<Operator>(items, n);
  mine = block::reduce_by<Operator>(mine, storage, reduce_by_instruction<Operator>);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  if (!block::is_last(finished, last)) return;

  mine = reduce::combine_partial<Operator>(partial);
  mine = block::reduce_by<Operator>(mine, storage, reduce_by_instruction<Operator>);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

void reduce_sync(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    if constexpr (std::is_same_v<Operator, SumI32> || std::is_same_v<Operator, MinI32>)
      reduce::by_last_block<Operator>(stream, items, args, scratch,
                                      KERNEL(reduce_sync_kernel<Operator>));
    else
      throw Error("a reduction of values other than integers by __reduce_sync",
                  "the instruction combines 32-bit integers only", "Choose reduce=last_block");
  });
}

}  // namespace warpview::cuda

#endif
