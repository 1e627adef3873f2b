// Reduction by a tree in shared memory: the classic.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007.
//
// A thread first merges items a grid apart in registers; then the block halves its threads step by
// step, each of the lower half merging its partner's result. A second launch does the same to the
// blocks' results: the end of a kernel is the only barrier over all blocks that this variant needs.

#include <algorithm>

#include "gpu/reduce/merge.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned items_each = 8;           // fewest items worth a thread
constexpr std::uint32_t most_blocks = 1024;  // the second launch is one block

__device__ inline SceneBounds item(const Aabb* boxes, std::uint32_t i) {
  return bounds_of(boxes[i]);
}
__device__ inline SceneBounds item(const SceneBounds* partial, std::uint32_t i) {
  return partial[i];
}

// out[block] = the merge of the block's share of the items.
template <class Item>
__global__ void __launch_bounds__(threads)
    reduce_tree_kernel(const Item* items, std::uint32_t n, SceneBounds* out) {
  __shared__ SceneBounds tree[threads];
  SceneBounds mine = empty_bounds();
  const std::uint32_t stride = gridDim.x * threads;
  for (std::uint32_t i = global_thread(); i < n; i += stride)
    mine = MergeBounds()(mine, item(items, i));
  tree[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    // Sequential addressing: the working threads stay neighbours, and so do their banks.
    if (threadIdx.x < half)
      tree[threadIdx.x] = MergeBounds()(tree[threadIdx.x], tree[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tree[0];
}

}  // namespace

void bounds_tree(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  const std::uint32_t wanted = ceil_div(args.n, threads * items_each);
  const std::uint32_t blocks = std::clamp(wanted, 1U, most_blocks);
  auto* partial = workspace.take<SceneBounds>(blocks);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(reduce_tree_kernel<Aabb>), Shape(blocks, threads), args.boxes, args.n,
         partial);
  launch(stream, KERNEL(reduce_tree_kernel<SceneBounds>), Shape(1, threads), partial, blocks,
         args.out);
}

}  // namespace warpview::WARPVIEW_BACKEND
