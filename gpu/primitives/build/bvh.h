// Linear bounding volume hierarchy: its layout, its builders and its refit.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

class Stream;
class Scratch;

// 32 bytes: two 16-byte loads.
struct alignas(16) BvhNode {
  static constexpr std::uint32_t leaf_mark = 0xffffffffU;

  Vec3 min;
  std::uint32_t left;  // inner node: index of the left child; leaf: the primitive
  Vec3 max;
  std::uint32_t right;  // inner node: index of the right child; leaf: leaf_mark

  HOST_DEVICE bool is_leaf() const { return right == leaf_mark; }
  HOST_DEVICE Aabb box() const { return {min, max}; }
};
static_assert(sizeof(BvhNode) == 32);

// A tree over `*count` primitives, with room for `capacity`, at most 2^30. Each primitive is in one
// leaf, and an inner node's box is the union of its children's. The inner nodes are
// nodes[0, *count - 1), the leaf of the i-th primitive in Morton order is nodes[capacity - 1 + i]:
// leaf places depend only on the capacity, so the host need not know the count. *root is the index
// of the root; with 0 primitives it is no_node, with 1 it is that leaf. parent[root] is no_node.
// Unused nodes are undefined.
//
// The radix tree of the codes promises more, as BuildTrait::radix says of its builders: an inner
// node covers consecutive leaves, the left child the earlier ones; its index is one of them, so if
// it covers leaves [first, last], it is in nodes[first, last]; and no path has more than
// longest_path nodes. Of other trees the depth is a measure (TreeStatistics), and a walk must not
// rely on it.
struct Bvh {
  static constexpr std::uint32_t no_node = 0xffffffffU;
  // The most nodes on a path of a radix tree from the root to a leaf: each is decided by one bit of
  // the code or of the index, at most 63 of the former and 32 of the latter.
  static constexpr std::uint32_t longest_path = 96;

  BvhNode* nodes = nullptr;         // [2 capacity - 1]
  std::uint32_t* parent = nullptr;  // [2 capacity - 1]
  std::uint32_t* root = nullptr;    // [1]
  std::uint32_t capacity = 0;

  HOST_DEVICE std::uint32_t first_leaf() const { return capacity - 1; }
  HOST_DEVICE std::uint32_t node_count() const { return capacity ? 2 * capacity - 1 : 0; }
};

// Traits of the builders (gpu/catalogue.def).
struct BuildTrait {
  static constexpr unsigned fits = 1;   // computes the boxes too
  static constexpr unsigned radix = 2;  // builds the radix tree of the codes
  // Joins near clusters of all leaves in each round, not range by range.
  static constexpr unsigned in_rounds = 4;
  // Cuts from the root down by the surface area heuristic, whatever the codes.
  static constexpr unsigned sweeps = 8;
};

// Builds the topology over sorted Morton codes. Equal codes are distinguished by their index, as if
// it were appended to the code (Karras 2012). A builder without the trait `fits` leaves empty
// boxes, which refit must replace before they are read.
struct BuildArgs {
  int key_bits = 32;                          // 32 or 64: width of a code's word
  const void* codes = nullptr;                // sorted ascending, [capacity]
  const std::uint32_t* primitives = nullptr;  // primitive of each code, [capacity]
  const std::uint32_t* count = nullptr;       // device memory: the number of real codes
  const Aabb* boxes = nullptr;                // by primitive (not by code), [capacity]
  Bvh bvh;
};

// Totals of a node's subtree: its primitives, and half the surface area of all their boxes
// together, added pair by pair as the tree is built.
struct alignas(8) NodeTotals {
  std::uint32_t primitives;
  float half_area;
};

// Traits of the refits (gpu/catalogue.def).
struct RefitTrait {
  static constexpr unsigned totals = 1;    // computes NodeTotals too
  static constexpr unsigned any_tree = 2;  // not only radix trees
};

// Why the refit cannot take trees of the builder, in a sentence; empty where it can.
inline const char* why_not_refitted(unsigned refit_traits, unsigned build_traits) {
  const bool can =
      (refit_traits & RefitTrait::any_tree) != 0 || (build_traits & BuildTrait::radix) != 0;
  return can ? "" : "takes radix trees alone, whose nodes cover consecutive leaves";
}

// Recomputes every box of a built tree from the boxes of its primitives, with 0 for -0, as builders
// that fit do. If `totals` is given, it computes the totals of every node instead and leaves its
// box unchanged.
struct RefitArgs {
  const std::uint32_t* count = nullptr;
  const Aabb* boxes = nullptr;  // by primitive; aligned to 8 bytes
  Bvh bvh;
  // The lowest bits of the codes that the tree was built from; all codes agree in the higher bits.
  // 64 is valid for every tree; fewer bits mean a shallower tree.
  int code_bits = 64;
  NodeTotals* totals = nullptr;  // null, or [2 capacity - 1]
};

}  // namespace warpview
