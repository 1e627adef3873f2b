// Reduction in one kernel: shuffles in each warp, one result per warp through shared memory, and
// the last block to finish combines the blocks' results.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA"; CUDA sample threadFenceReduction.
//
// Across blocks a counter replaces the second launch of tree.cu, which for interactive meshes costs
// more than the reduction. Which block is last varies, but it combines the results in block order,
// so float sums have the same bits at every run on the same device.

#include "gpu/primitives/reduce/last_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// partial[gridDim.x] is scratch; *finished is 0.
template <class Operator, class Items, class T = typename Operator::Type>
__global__ void __launch_bounds__(reduce::threads)
    reduce_last_block_kernel(Items items, std::uint32_t n, T* partial, std::uint32_t* finished,
                             T* out) {
  __shared__ block::ReduceStorage<T, reduce::threads> storage;
  __shared__ bool last;
  T mine = block::reduce<Operator>(reduce::combine_strided<Operator>(items, n), storage);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  if (!block::is_last(finished, last)) return;

  mine = block::reduce<Operator>(reduce::combine_partial<Operator>(partial), storage);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

void reduce_last_block(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  const auto run = [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    reduce::by_last_block<Operator>(stream, items, args, scratch,
                                    KERNEL(reduce_last_block_kernel<Operator, Items>));
  };
  reduce::with_any_operator(args, reduce::only_commutative(run));
}

}  // namespace warpview::WARPVIEW_BACKEND
