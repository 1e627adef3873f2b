// Reduction of integers by the warp's reduce instruction: one `redux.sync` instead of five shuffles
// and five additions.
//
// CUDA C++ Programming Guide, Warp Reduce Functions: __reduce_add_sync, __reduce_min_sync,
// __reduce_max_sync, __reduce_and_sync, __reduce_or_sync and __reduce_xor_sync, for 32-bit
// integers, from compute capability 8.0 on.
//
// The rest is last_block.cu.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/primitives/reduce/last_block.h"

namespace warpview::cuda {

namespace {

template <class Operator, class... Known>
inline constexpr bool is_one_of = (std::is_same_v<Operator, Known> || ...);
template <class Operator>
inline constexpr bool has_instruction =
    is_one_of<Operator, SumI32, MinI32, MaxI32, AndU32, OrU32, XorU32>;

// Combines the values of a full warp, for every lane.
template <class Operator, class T = typename Operator::Type>
__device__ inline T reduce_by_instruction(T mine) {
  constexpr unsigned all = 0xffffffffU;
#if __CUDA_ARCH__ >= 800
  if constexpr (is_one_of<Operator, SumI32>) return __reduce_add_sync(all, mine);
  if constexpr (is_one_of<Operator, MinI32>) return __reduce_min_sync(all, mine);
  if constexpr (is_one_of<Operator, MaxI32>) return __reduce_max_sync(all, mine);
  if constexpr (is_one_of<Operator, AndU32>) return __reduce_and_sync(all, mine);
  if constexpr (is_one_of<Operator, OrU32>) return __reduce_or_sync(all, mine);
  if constexpr (is_one_of<Operator, XorU32>) return __reduce_xor_sync(all, mine);
#else
  // Never reached: the catalogue offers the variant only to devices that have the instruction.
  return __shfl_sync(all, mine, 0);
#endif
}

// partial[gridDim.x] is scratch; *finished is 0.
template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(reduce::threads)
    reduce_sync_kernel(const T* items, std::uint32_t n, T* partial, std::uint32_t* finished,
                       T* out) {
  __shared__ block::ReduceStorage<T, reduce::threads> storage;
  __shared__ bool last;
  T mine = reduce::combine_strided<Operator>(items, n);
  mine = block::reduce_by<Operator>(mine, storage, reduce_by_instruction<Operator, T>);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  if (!block::is_last(finished, last)) return;

  mine = reduce::combine_partial<Operator>(partial);
  mine = block::reduce_by<Operator>(mine, storage, reduce_by_instruction<Operator, T>);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

void reduce_sync(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  reduce::with_any_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    if constexpr (has_instruction<Operator>)
      reduce::by_last_block<Operator>(stream, items, args, scratch,
                                      KERNEL(reduce_sync_kernel<Operator>));
    else
      throw Error("a reduction of values other than integers by __reduce_sync",
                  "the instruction combines 32-bit integers only", "Choose reduce=last_block");
  });
}

}  // namespace warpview::cuda

#endif
