// What is drawn of a tree over the surfaces.
#pragma once

#include <cstdint>
#include <vector>

#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

// The boxes of one level; `level` lies in device memory.
Writer box_writer(const Tree& tree, const std::uint32_t* level);
// The boxes of each tree's level, one of [trees], and how far their children's boxes overlap, for
// BoxStyle::by_overlap. The trees outlive it.
Writer overlapping_box_writer(const std::vector<const Tree*>& trees, const std::uint32_t* levels);
// The centres of the boxes that the tree stands on, in Morton order.
Writer curve_writer(const Tree& tree);

// Their outputs and what can be set of them, alike in every scene.
inline Output boxes_row(char key) {
  return Output{.kind = OutputKind::boxes,
                .name = "boxes",
                .title = "BVH boxes",
                .about = "The boxes of all BVH nodes of one level.",
                .key = key};
}
inline constexpr Control level_control{.name = "level",
                                       .title = "Level",
                                       .tooltip = "BVH level drawn as boxes; 0 is the root.",
                                       .most = 63,
                                       .whole = true,
                                       .group = "BVH boxes",
                                       .needs = {.output = "boxes"}};
inline Output curve_row(char key) {
  return Output{
      .kind = OutputKind::strip,
      .name = "curve",
      .title = "Morton curve",
      .about = "A line through the centres of the triangles, in the order of their Morton codes.",
      .key = key};
}

}  // namespace warpview
