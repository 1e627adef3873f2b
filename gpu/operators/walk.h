// Walks down a tree, as templates over a visitor: rays and contacts differ in what they ask of a
// node, not in how the tree is walked.
//
// A visitor has three functions:
//   float enter(const BvhNode&)                   the node's key: where the visitor comes to its
//   box.
//                                                 A node's key is at least its parent's; infinity
//                                                 means never. It does not depend on what has been
//                                                 found.
//   bool wants(float key)                         may a node of this key still matter? Once it does
//                                                 not, no greater key does.
//   bool leaf(node, primitive, key)               looks at a leaf; true ends the walk.
//
// A walk visits every leaf that is still wanted when it comes to it, in an order of its own. What a
// visitor finds must therefore not depend on the order.
#pragma once

#include "gpu/operators/load_whole.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::walk {

// Where a walk needs the box alone. NearFirst loads nodes plainly: it uses all of them, nvcc then
// loads 16 bytes at a time itself, and any-hit kernels need 56 registers instead of 64 (sm_90,
// nvcc 13.0).
__device__ inline BvhNode node_of(const Bvh& bvh, std::uint32_t node) {
  return load_whole(bvh.nodes + node);
}

// The root of a tree that may be empty.
__device__ inline std::uint32_t root_of(const Bvh& bvh, const std::uint32_t* count) {
  return *count > 0 ? *bvh.root : Bvh::no_node;
}

// An inner node's children, the one with the smaller key first; of equal keys the left one.
struct Children {
  std::uint32_t near, far;
  float near_key, far_key;
};
template <class Visitor>
__device__ Children children_of(const Bvh& bvh, const BvhNode& node, Visitor& visitor) {
  const float left = visitor.enter(node_of(bvh, node.left));
  const float right = visitor.enter(node_of(bvh, node.right));
  if (left <= right) return {node.left, node.right, left, right};
  return {node.right, node.left, right, left};
}

// Visits the subtree below `top`, which is wanted, near children first, without a stack: at a node
// whose subtree is done, the parent's children are ordered again to find out which of them it was.
//
//   M. Hapala et al., Efficient Stack-less BVH Traversal for Ray Tracing, 2011 (parent links).
//
// Depth costs nothing, but a node is loaded up to three times. Returns true if the visitor ended
// the walk.
template <class Visitor>
__device__ bool linked(const Bvh& bvh, std::uint32_t top, float top_key, Visitor& visitor) {
  std::uint32_t node = top;
  float key = top_key;
  for (;;) {
    const BvhNode here = node_of(bvh, node);
    if (here.is_leaf()) {
      if (visitor.leaf(node, here.left, key)) return true;
    } else {
      const Children children = children_of(bvh, here, visitor);
      if (visitor.wants(children.near_key)) {
        node = children.near;
        key = children.near_key;
        continue;
      }
    }
    // Up, to the first node that was a near child and whose sibling is still wanted.
    for (;;) {
      if (node == top) return false;
      const std::uint32_t parent = bvh.parent[node];
      const Children siblings = children_of(bvh, node_of(bvh, parent), visitor);
      if (node == siblings.near && visitor.wants(siblings.far_key)) {
        node = siblings.far;
        key = siblings.far_key;
        break;
      }
      node = parent;
    }
  }
}

// Visits the subtree below `top`, which is wanted, left children first, without a stack.
// `wants(index, node)` may change its mind about a node; leaf(node) looks at a leaf.
template <class Wants, class Leaf>
__device__ void linked_left_first(const Bvh& bvh, std::uint32_t top, Wants&& wants, Leaf&& leaf) {
  std::uint32_t node = top;
  bool is_new = true;  // the node was come to from above
  for (;;) {
    const BvhNode here = node_of(bvh, node);
    if (is_new && here.is_leaf()) leaf(here);
    if (is_new && !here.is_leaf() && wants(node_of(bvh, here.left))) {
      node = here.left;
      continue;
    }
    if (is_new && !here.is_leaf() && wants(node_of(bvh, here.right))) {
      node = here.right;
      continue;
    }
    if (node == top) return;
    const std::uint32_t parent = bvh.parent[node];
    const BvhNode above = node_of(bvh, parent);
    is_new = node == above.left && wants(node_of(bvh, above.right));
    node = is_new ? above.right : parent;
  }
}

// A node that waits for its turn, and its key.
struct Open {
  std::uint32_t node;
  float key;
};

// A walk that can pause at every leaf. The node of two wanted children goes on with the nearer one;
// the other one waits on a stack. The stack has room for `stack_size` nodes, whatever the tree's
// depth: where it is full, the subtree of the farther child is visited at once, by links.
template <unsigned stack_size>
class NearFirst {
 public:
  // An array that is indexed at run time lies in local memory, and so does every object that
  // contains it. The stack is therefore a separate array: the walk itself stays in registers.
  using Stack = Open[stack_size];

  __device__ NearFirst(const Bvh& bvh, Stack& stack) : bvh_(bvh), stack_(stack) {}

  // Begins at a node, or with nothing at Bvh::no_node.
  template <class Visitor>
  __device__ void start(std::uint32_t root, Visitor& visitor) {
    open_ = 0;
    is_open_ = false;
    if (root == Bvh::no_node) return;
    here_ = bvh_.nodes[root];
    node_ = root;
    key_ = visitor.enter(here_);
    is_open_ = visitor.wants(key_);
  }

  // Goes on to the next leaf; false: there is none, or the visitor ended the walk.
  template <class Visitor>
  __device__ bool to_leaf(Visitor& visitor) {
    if (!is_open_ && !pop(visitor)) return false;
    is_open_ = false;
    while (!here_.is_leaf()) {
      const BvhNode left = bvh_.nodes[here_.left];
      const BvhNode right = bvh_.nodes[here_.right];
      const float left_key = visitor.enter(left);
      const float right_key = visitor.enter(right);
      const bool left_first = left_key <= right_key;
      const float near_key = left_first ? left_key : right_key;
      const float far_key = left_first ? right_key : left_key;
      if (visitor.wants(far_key)) {
        const std::uint32_t far = left_first ? here_.right : here_.left;
        if (open_ < stack_size)
          stack_[open_++] = {far, far_key};
        else if (linked(bvh_, far, far_key, visitor))
          return false;
      }
      if (visitor.wants(near_key)) {
        node_ = left_first ? here_.left : here_.right;
        key_ = near_key;
        here_ = left_first ? left : right;
      } else if (!pop(visitor)) {
        return false;
      }
    }
    return true;
  }

  // The leaf that it came to.
  __device__ std::uint32_t node() const { return node_; }
  __device__ std::uint32_t primitive() const { return here_.left; }
  __device__ float key() const { return key_; }

 private:
  // Takes the node last put aside, of those that are still wanted.
  template <class Visitor>
  __device__ bool pop(Visitor& visitor) {
    while (open_ > 0) {
      const Open next = stack_[--open_];
      if (!visitor.wants(next.key)) continue;
      node_ = next.node;
      key_ = next.key;
      here_ = bvh_.nodes[node_];
      return true;
    }
    return false;
  }

  const Bvh& bvh_;
  Stack& stack_;
  BvhNode here_{};
  std::uint32_t node_ = Bvh::no_node;
  float key_ = 0.0F;
  bool is_open_ = false;  // the node is still to be visited
  unsigned open_ = 0;
};

// Nodes that a stack holds before links take over: enough for trees over millions of triangles.
inline constexpr unsigned usual_stack = tile_extent(64U, 3U);

template <unsigned stack_size = usual_stack, class Visitor>
__device__ void near_first(const Bvh& bvh, std::uint32_t root, Visitor& visitor) {
  typename NearFirst<stack_size>::Stack stack;
  NearFirst<stack_size> walk(bvh, stack);
  walk.start(root, visitor);
  while (walk.to_leaf(visitor))
    if (visitor.leaf(walk.node(), walk.primitive(), walk.key())) return;
}

}  // namespace warpview::WARPVIEW_BACKEND::walk
