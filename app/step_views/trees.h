// The trees of recordings: the arrays of a hierarchy, and the finished tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

inline constexpr std::uint32_t no_tree_node = 0xffffffffU;

// The arrays of gpu/primitives/build/bvh.h: nodes[2 capacity - 1] of 32 bytes with the children at
// bytes 12 and 28, inner nodes first; parent[2 capacity - 1].
struct TreeArrays {
  std::uint32_t nodes = 0, parent = 0;
  std::uint32_t capacity = 0;
  std::optional<std::uint32_t> arrived{};   // refit=atomic: arrivals at each inner node
  std::optional<std::uint32_t> arrivals{};  // build=apetrei: the first arrival, or all bits set
  bool builds = false;

  std::uint32_t first_leaf() const { return capacity - 1; }
  // The node whose word the event accesses: in `nodes`, `parent` or the arrivals.
  std::optional<std::uint32_t> node_of(const RecordedEvent& event) const;
};

// None for other primitives, and where the arrays are not as their kernels have them.
std::optional<TreeArrays> tree_arrays(const Recording& recording);

// The tree as the run leaves it.
struct FinishedTree {
  struct Node {
    std::uint32_t left = no_tree_node, right = no_tree_node, parent = no_tree_node;
    // Places of its leaves, from left to right; `split` is the last of its left child. In a radix
    // tree they are the places of the keys.
    std::uint32_t first = 0, last = 0, split = 0;
    std::uint32_t depth = 0;
    float middle = 0.0F;  // where it stands above the leaves: between its children's
  };
  std::vector<Node> nodes;               // by index
  std::vector<std::uint32_t> inner{};    // those in the tree, parents before children
  std::vector<std::uint32_t> leaf_at{};  // the leaf of each place
  std::uint32_t levels = 1;

  FinishedTree(const Recording& recording, const TreeArrays& arrays);

  std::uint32_t leaves() const { return static_cast<std::uint32_t>(leaf_at.size()); }
  // Is the node a leaf that has a place?
  bool has_leaf(std::uint32_t node) const {
    return nodes[node].first < leaf_at.size() && leaf_at[nodes[node].first] == node;
  }
  // Are the leaves in the order of their keys?
  bool keeps_order() const { return std::is_sorted(leaf_at.begin(), leaf_at.end()); }

 protected:
  FinishedTree() = default;
  // Reads the bytes of binary nodes. Leaves begin at index `first_leaf`.
  void link(std::span<const std::uint8_t> bytes, std::uint32_t first_leaf, std::uint32_t root);
};

}  // namespace warpview::step_views
