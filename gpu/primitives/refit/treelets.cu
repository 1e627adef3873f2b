// Boxes of a built tree, from the leaves up, in shared memory.
//
// The climb of atomic.cu, with its counters and boxes where they cost least. Leaves lie in the
// order of their codes, so most nodes above a tile of neighbouring leaves have all their leaves in
// it. A block fits these in shared memory, with fences that reach no further than itself, and
// writes them in whole lines. What it leaves are the roots of some ten treelets, and about as many
// open nodes above them, which have leaves in other tiles: all tiles leave a tree of a hundredth of
// the size. A block of the next launch does the same with the treelets of many tiles, and so on
// until one block has all. The end of a launch is what tells other blocks of the boxes.
#include "gpu/primitives/refit/treelets.h"

#include "gpu/runtime/error.h"

namespace warpview::WARPVIEW_BACKEND {

namespace treelets {
namespace {

// Fits the leaves of a tile and all nodes above them that have no others.
__global__ void RESIDENT_BLOCKS(tile, 2048 / tile)
    tiles_kernel(const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes, Bvh bvh,
                 Rest rest, std::uint32_t* __restrict__ ranks) {
  __shared__ TileNodes nodes;                   // the inner nodes with the leaves' numbers
  __shared__ std::uint32_t parents[tile];       // of these
  __shared__ std::uint32_t arrived[tile];       // the child that arrived first at each
  __shared__ std::uint32_t climbers[tile / 2];  // nodes above two leaves
  __shared__ std::uint32_t climber_count;
  __shared__ TileRoots roots;
  __shared__ std::uint32_t root_count;
  __shared__ std::uint32_t open_count;

  let_launch_behind_begin();
  const std::uint32_t begin = blockIdx.x * tile;
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = begin + me;
  const std::uint32_t leaf = bvh.first_leaf() + i;

  // All that has room is loaded, so that no load waits for the count.
  const bool has_room = i < bvh.capacity;
  const std::uint32_t primitive = has_room ? bvh.nodes[leaf].left : 0;
  const std::uint32_t leaf_parent = has_room ? bvh.parent[leaf] : Bvh::no_node;
  parents[me] = i < bvh.first_leaf() ? bvh.parent[i] : Bvh::no_node;
  arrived[me] = nobody;
  nodes.right(me).link = nobody;
  if (me == 0) climber_count = root_count = open_count = 0;

  const std::uint32_t n = *count;
  const bool exists = i < n;
  const Aabb box = exists ? load_box(boxes + primitive).with_positive_zeros() : Aabb::empty();
  store_nodes(bvh.nodes + leaf, {box.min, primitive, box.max, BvhNode::leaf_mark}, exists);
  __syncthreads();

  // The leaves arrive at their parents, where the first leaves its box. Once all have, the second
  // makes the node.
  const std::uint32_t above_leaf = leaf_parent - begin;
  std::uint32_t sibling = nobody;
  if (exists && above_leaf < tile) {
    sibling = atomicExch(&arrived[above_leaf], leaf);
    if (sibling == nobody) nodes.put(above_leaf, {box.min, nobody, box.max, nobody});
  }
  __syncthreads();
  if (sibling != nobody) {
    nodes.put(above_leaf, join(bvh, merge(box, nodes.box(above_leaf)), leaf, sibling));
    climbers[atomicAdd(&climber_count, 1U)] = above_leaf;
  }
  __syncthreads();

  // The climb goes on from these, a third of the leaves, by as few warps as have room for them.
  if (me < climber_count) {
    std::uint32_t node = climbers[me];
    Aabb merged = nodes.box(node);
    for (;;) {
      const std::uint32_t above = parents[node] - begin;
      if (above >= tile) break;
      __threadfence_block();  // release: my box before my arrival
      const std::uint32_t other = atomicExch(&arrived[above], begin + node);
      if (other == nobody) break;
      __threadfence_block();  // acquire: the sibling's box after its arrival
      // A leaf's box is where it arrived.
      merged = merge(merged, nodes.box(other >= bvh.first_leaf() ? above : other - begin));
      nodes.put(above, join(bvh, merged, begin + node, other));
      node = above;
    }
  }
  __syncthreads();

  for (std::uint32_t h = me; h < 2 * tile; h += tile)
    if (nodes.is_finished(h / 2)) reinterpret_cast<Half*>(bvh.nodes + begin)[h] = nodes.half(h);

  const Left left{rest, ranks, root_count, open_count};
  const auto is_root = [&](std::uint32_t parent) {
    return parent != Bvh::no_node && (parent - begin >= tile || !nodes.is_finished(parent - begin));
  };
  if (exists && is_root(leaf_parent)) roots.add(root_count, tile + me);
  if (i + 1 < n) {
    if (!nodes.is_finished(me))
      left.add_open({i, parents[me]});
    else if (is_root(parents[me]))
      roots.add(root_count, me);
  }
  __syncthreads();
  roots.write(left, bvh, nodes, parents);
  left.finish();
}

}  // namespace
}  // namespace treelets

void refit_treelets(Stream& stream, const RefitArgs& args, Scratch& scratch) {
  if (args.totals)
    throw Error("a refit of other values than boxes", "its tiles have room for boxes",
                "Choose refit=atomic");
  if (args.bvh.capacity == 0) return;
  const treelets::Climb climb(args.bvh, scratch);
  if (scratch.measuring()) return;
  launch(stream, KERNEL(treelets::tiles_kernel),
         Shape(ceil_div(args.bvh.capacity, treelets::tile), treelets::tile), args.count, args.boxes,
         args.bvh, climb.of_tiles(), climb.ranks());
  climb.run(stream);
}

}  // namespace warpview::WARPVIEW_BACKEND
