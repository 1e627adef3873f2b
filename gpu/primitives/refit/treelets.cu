// Boxes of a built tree, bottom-up, in shared memory.
//
// This is the climb of atomic.cu, with counters and boxes where they are cheapest. Leaves lie in
// the order of their codes, so most nodes above a tile of neighbouring leaves have all their leaves
// in it. A block fits these in shared memory, with block-scope fences, and writes them in whole
// lines. It leaves the roots of some ten treelets, and about as many open nodes above them, which
// have leaves in other tiles: the tiles together leave a tree of a hundredth of the size. A block
// of the next launch does the same with the treelets of many tiles, and so on until one block has
// all. The end of a launch makes the boxes visible to other blocks.
#include "gpu/primitives/refit/treelets.h"

#include "gpu/primitives/refit/treelet_groups.h"
#include "gpu/runtime/error.h"

namespace warpview::WARPVIEW_BACKEND {

namespace treelets {
namespace {

// Fits the leaves of a tile and all nodes above them that have no other leaves.
__global__ void RESIDENT_BLOCKS(tile, 2048 / tile)
    tiles_kernel(const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes, Bvh bvh,
                 Rest rest, std::uint32_t* __restrict__ ranks) {
  __shared__ TileTree tree;
  let_launch_behind_begin();
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = TileTree::begin() + me;
  const std::uint32_t leaf = bvh.first_leaf() + i;

  // Loads every leaf up to the capacity, so that no load waits for the count.
  const bool has_room = i < bvh.capacity;
  const std::uint32_t primitive = has_room ? bvh.nodes[leaf].left : 0;
  const std::uint32_t leaf_parent = has_room ? bvh.parent[leaf] : Bvh::no_node;
  tree.parents[me] = i < bvh.first_leaf() ? bvh.parent[i] : Bvh::no_node;
  tree.clear();

  const std::uint32_t n = *count;
  const bool exists = i < n;
  const Aabb box = exists ? load_box(boxes + primitive).with_positive_zeros() : Aabb::empty();
  store_nodes(bvh.nodes + leaf, {box.min, primitive, box.max, BvhNode::leaf_mark}, exists);
  __syncthreads();

  tree.fit(bvh, exists, leaf, box, leaf_parent,
           [&](std::uint32_t node, const Aabb& fitted, std::uint32_t a, std::uint32_t b) {
             tree.nodes.put(node, join(bvh, fitted, a, b));
           });
  tree.write(bvh);

  const Left left{rest, ranks, tree.root_count, tree.open_count};
  if (exists && tree.is_root(leaf_parent)) tree.roots.add(tree.root_count, tile + me);
  if (i + 1 < n) {
    if (!tree.nodes.is_finished(me))
      left.add_open({i, tree.parents[me]});
    else if (tree.is_root(tree.parents[me]))
      tree.roots.add(tree.root_count, me);
  }
  __syncthreads();
  tree.roots.write(left, bvh, tree.nodes, tree.parents);
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
