// Where a tree's nodes stand: leaves side by side at the bottom, each inner node above the place
// between its children's leaves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/step_views/sketch.h"
#include "app/step_views/trees.h"

namespace warpview::step_views {

inline constexpr std::uint32_t most_tree_leaves = 64;  // that are drawn one by one

struct TreeLayout {
  float width = 1.0F;        // of all leaves
  float leaf = 1.0F;         // width of a key
  float row = 1.6F;          // between levels
  float side = 0.8F;         // of a node
  std::uint32_t least = 1;   // keys of a node that is drawn, if there are too many leaves
  std::uint32_t levels = 1;  // of inner nodes that are drawn

  // `fill`: how much of a leaf's width a node takes, where nodes stand side by side.
  TreeLayout(const FinishedTree& tree, float surface, float fill = 0.8F) : width(surface) {
    const std::uint32_t leaves = std::max(tree.leaves(), 1U);
    least = (leaves + most_tree_leaves - 1) / most_tree_leaves;
    leaf = width / static_cast<float>(leaves);
    for (const std::uint32_t i : tree.inner)
      if (shows(tree.nodes[i])) levels = std::max(levels, tree.nodes[i].depth + 1);
    row = std::clamp(26.0F / static_cast<float>(levels), 0.7F, 2.2F);
    side = std::clamp(fill * leaf * static_cast<float>(least), 0.3F, 0.6F * row);
  }
  bool shows(const FinishedTree::Node& node) const {
    return least == 1 || node.last - node.first + 1 >= std::max(least, 2U);
  }
  static constexpr float leaf_height = 1.1F;
  // Leaves side by side as one box.
  PlotBox leaf_box(std::uint32_t first, std::uint32_t count, float y) const {
    return {(static_cast<float>(first) + 0.06F) * leaf, y, 0.88F * static_cast<float>(count) * leaf,
            leaf_height};
  }
  float tree_height() const { return static_cast<float>(levels) * row + 0.4F; }
  // The middle of a node, which fits into the width with its margin.
  PlotVertex place(const FinishedTree::Node& node, float y) const {
    const float least_x = 0.5F * side + margin;
    return {std::clamp(node.middle * leaf, least_x, width - least_x),
            y + (static_cast<float>(node.depth) + 0.5F) * row};
  }
  PlotBox node_box(PlotVertex middle) const {
    return {middle.x - 0.5F * side, middle.y - 0.5F * side, side, side};
  }
  static constexpr float outline = 0.16F;  // the width of a node's
  static constexpr float margin = 0.22F;   // around a node, for its outline or a frame around it
};

}  // namespace warpview::step_views
