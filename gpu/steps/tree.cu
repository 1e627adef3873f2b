// Steps on a tree: gpu/steps/tree.h says what each of them does.
#include "gpu/steps/tree.h"

#include <algorithm>

#include "gpu/block/reduce.h"
#include "gpu/operators/clip.h"
#include "gpu/operators/load_whole.h"
#include "gpu/operators/numbers.h"
#include "gpu/steps/node_places.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned tree_block_size = 256;

// A thread handles several nodes before threads are reduced together, which costs more. It climbs
// from all of them at a time: a climb is a chain of loads, each of which waits for the one before.
constexpr std::uint32_t nodes_each = 8;

__global__ void tree_statistics_kernel(TreeStatisticsArgs args) {
  const std::uint32_t count = *args.count;
  const Bvh& bvh = args.bvh;
  if (global_thread() == 0) args.out->inner_nodes = count > 0 ? count - 1 : 0;

  const auto node_of = [](std::uint32_t i) {
    return (blockIdx.x * nodes_each + i) * blockDim.x + threadIdx.x;
  };
  const auto exists = [&](std::uint32_t node) {
    return count > 0 && node < bvh.node_count() && is_node(bvh, node, count);
  };
  const double root_area = count > 0 ? bvh.nodes[*bvh.root].box().half_area() : 0.0;
  std::uint32_t up[nodes_each];
  std::uint32_t depth[nodes_each];
  double cost = 0.0;
  UNROLL
  for (std::uint32_t i = 0; i < nodes_each; ++i) {
    const std::uint32_t node = node_of(i);
    depth[i] = 0;
    up[i] = exists(node) ? bvh.parent[node] : Bvh::no_node;
    if (exists(node) && root_area > 0.0) cost += bvh.nodes[node].box().half_area() / root_area;
  }
  for (bool climbs = true; climbs;) {
    climbs = false;
    UNROLL
    for (std::uint32_t i = 0; i < nodes_each; ++i) {
      if (up[i] == Bvh::no_node) continue;
      up[i] = bvh.parent[up[i]];
      ++depth[i];
      climbs = true;
    }
  }
  std::uint32_t deepest = 0;
  UNROLL
  for (std::uint32_t i = 0; i < nodes_each; ++i) {
    if (const std::uint32_t node = node_of(i); exists(node)) args.depth[node] = depth[i];
    deepest = depth[i] > deepest ? depth[i] : deepest;
  }

  // Combines within the block first, so that only one thread of each block accesses memory.
  __shared__ block::ReduceStorage<std::uint32_t, tree_block_size> depths;
  __shared__ block::ReduceStorage<double, tree_block_size> costs;
  deepest = block::reduce<MaxU32>(deepest, depths);
  cost = block::reduce<SumF64>(cost, costs);
  if (threadIdx.x != 0) return;
  if (deepest > 0) atomicMax(&args.out->max_depth, deepest);
  if (cost > 0.0) atomicAdd(&args.out->sah_cost, cost);
}

// One thread per leaf.
__global__ void leaf_triangles_kernel(LeafTrianglesArgs args) {
  const std::uint32_t place = global_thread();
  if (place >= *args.count) return;
  const std::uint32_t triangle = args.bvh.nodes[args.bvh.first_leaf() + place].left;
  const std::uint32_t* corner = args.indices + 3 * std::size_t{triangle};
  args.out[place] = {args.vertices[corner[0]].position, triangle,
                     args.vertices[corner[1]].position, 0.0F,
                     args.vertices[corner[2]].position, 0.0F};
}

// The area of the triangle in the boxes of the subtree below `top`, in preorder by parent links.
// What a box does not touch, no box below it touches.
__device__ double area_in_subtree(const Bvh& bvh, std::uint32_t top, const Aabb& box,
                                  const TriangleToClip& triangle) {
  double area = 0.0;
  for (std::uint32_t node = top;;) {
    const BvhNode here = load_whole(bvh.nodes + node);
    const bool touches = touch(box, here.box());
    if (touches) area += triangle.area_inside(here.box());
    if (touches && !here.is_leaf()) {
      node = here.left;
      continue;
    }
    // Up, to the first node that was a left child.
    for (;;) {
      if (node == top) return area;
      const std::uint32_t parent = bvh.parent[node];
      const std::uint32_t right = bvh.nodes[parent].right;
      if (node != right) {
        node = right;
        break;
      }
      node = parent;
    }
  }
}

// One thread per triangle. Its leaf is below the nodes that it climbs; all others are below their
// siblings.
__global__ void tree_overlap_kernel(TreeOverlapArgs args) {
  const std::uint32_t place = global_thread();
  double mine = 0.0;
  double foreign = 0.0;
  if (place < *args.count) {
    const LeafTriangle corners = args.leaves[place];
    const TriangleToClip triangle(corners.a, corners.b, corners.c);
    const Aabb box = corners.box();
    mine = triangle.area();
    std::uint32_t node = args.bvh.first_leaf() + place;
    for (std::uint32_t parent = args.bvh.parent[node]; parent != Bvh::no_node;
         parent = args.bvh.parent[node]) {
      const BvhNode& above = args.bvh.nodes[parent];
      const std::uint32_t sibling = node == above.left ? above.right : above.left;
      foreign += area_in_subtree(args.bvh, sibling, box, triangle);
      node = parent;
    }
  }
  __shared__ block::ReduceStorage<double, tree_block_size> areas;
  mine = block::reduce<SumF64>(mine, areas);
  __syncthreads();
  foreign = block::reduce<SumF64>(foreign, areas);
  if (threadIdx.x != 0) return;
  if (mine > 0.0) atomicAdd(&args.out->triangles, mine);
  if (foreign > 0.0) atomicAdd(&args.out->foreign, foreign);
}

}  // namespace

void tree_statistics(Stream& stream, const TreeStatisticsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.out, 0, sizeof(TreeStatistics));
  // At least one thread: the statistics are written for an empty tree too.
  const std::uint32_t threads = std::max(ceil_div(args.bvh.node_count(), nodes_each), 1U);
  launch(stream, KERNEL(tree_statistics_kernel), one_thread_each(threads, tree_block_size), args);
}

void leaf_triangles(Stream& stream, const LeafTrianglesArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(leaf_triangles_kernel), one_thread_each(args.bvh.capacity, tree_block_size),
         args);
}

void tree_overlap(Stream& stream, const TreeOverlapArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.out, 0, sizeof(TreeOverlap));
  if (args.bvh.capacity == 0) return;
  launch(stream, KERNEL(tree_overlap_kernel), one_thread_each(args.bvh.capacity, tree_block_size),
         args);
}

}  // namespace warpview::WARPVIEW_BACKEND
