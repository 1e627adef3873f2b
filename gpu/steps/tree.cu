// Steps on a tree: gpu/steps/tree.h says what each of them does.
#include "gpu/steps/tree.h"

#include <algorithm>

#include "gpu/block/reduce.h"
#include "gpu/operators/numbers.h"
#include "gpu/steps/node_places.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned tree_block_size = 256;

// A thread looks at several nodes before threads are brought together, which costs more.
constexpr std::uint32_t nodes_each = 8;

__global__ void tree_statistics_kernel(TreeStatisticsArgs args) {
  const std::uint32_t count = *args.count;
  const Bvh& bvh = args.bvh;
  if (global_thread() == 0) args.out->inner_nodes = count > 0 ? count - 1 : 0;

  std::uint32_t deepest = 0;
  double cost = 0.0;
  const double root_area = count > 0 ? bvh.nodes[*bvh.root].box().half_area() : 0.0;
  for (std::uint32_t i = 0; i < nodes_each; ++i) {
    const std::uint32_t node = (blockIdx.x * nodes_each + i) * blockDim.x + threadIdx.x;
    if (count == 0 || node >= bvh.node_count() || !is_node(bvh, node, count)) continue;
    std::uint32_t depth = 0;
    for (std::uint32_t up = bvh.parent[node]; up != Bvh::no_node; up = bvh.parent[up]) ++depth;
    args.depth[node] = depth;
    deepest = depth > deepest ? depth : deepest;
    if (root_area > 0.0) cost += bvh.nodes[node].box().half_area() / root_area;
  }

  // Combine within the block first, so that only one thread of each block goes to memory.
  __shared__ block::ReduceStorage<std::uint32_t, tree_block_size> depths;
  __shared__ block::ReduceStorage<double, tree_block_size> costs;
  deepest = block::reduce<MaxU32>(deepest, depths);
  cost = block::reduce<SumF64>(cost, costs);
  if (threadIdx.x != 0) return;
  if (deepest > 0) atomicMax(&args.out->max_depth, deepest);
  if (cost > 0.0) atomicAdd(&args.out->sah_cost, cost);
}

}  // namespace

void tree_statistics(Stream& stream, const TreeStatisticsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.out, 0, sizeof(TreeStatistics));
  // At least one thread: they are written for an empty tree too.
  const std::uint32_t threads = std::max(ceil_div(args.bvh.node_count(), nodes_each), 1U);
  launch(stream, KERNEL(tree_statistics_kernel), one_thread_each(threads, tree_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
