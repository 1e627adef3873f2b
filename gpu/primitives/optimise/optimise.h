// Better links for a finished tree: the same leaves under other nodes, so that rays walk less.
#pragma once

#include <cstdint>

#include "gpu/primitives/build/bvh.h"

namespace warpview {

// Traits of the optimisers (gpu/catalogue.def).
struct OptimiseTrait {
  static constexpr unsigned treelets = 1;  // restructures treelets; else subtrees move
};

// Changes a tree that is built and fitted, in place, so that the surface area heuristic (SAH) is
// lower: the sum of half_area() over all nodes, which is what rays of every direction pay. Leaves
// keep their places and the root its index; every box is exact; inner nodes are those of before,
// with other children. So the result is no radix tree (BuildTrait::radix), whatever the input was.
//
// A round looks at the whole tree once. The first rounds gain the most. A late round of moves may
// raise the sum a little, since each move is chosen as if it were made alone.
struct OptimiseArgs {
  const std::uint32_t* count = nullptr;  // primitives, device memory
  Bvh bvh;
  std::uint32_t rounds = 4;
};

// What a tree of this builder still promises after as many rounds.
inline unsigned traits_of_tree(unsigned build_traits, std::uint32_t rounds) {
  return rounds > 0 ? build_traits & ~BuildTrait::radix : build_traits;
}

// What all variants of an optimiser agree on with their reference (gpu/reference/optimised.cpp).

// Searches for a new place of a subtree give up what is beyond these, so that no tree makes them
// endless: nodes that wait for their turn, nodes that are looked at, and levels that are climbed.
struct ReinsertLimits {
  static constexpr unsigned waiting = 24;
  static constexpr unsigned looks = 256;
  static constexpr unsigned levels = 64;
};

// Nodes at the lower end of a treelet.
inline constexpr unsigned treelet_leaves = 7;

}  // namespace warpview
