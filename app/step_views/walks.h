// The walks of rays in recordings of `trace`: which boxes and triangles each ray tests, in order,
// and where a ray stands in the tree at a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/step_views/walk_tree.h"
#include "gpu/recording/recording.h"

namespace warpview::step_views {

// A lane's walk for one ray. Events are indices into the recording's.
struct RayWalk {
  // A box of the tree (walk_tree.h) is tested, or a triangle. Consecutive reads of one element are
  // one visit, or one for each box that the element has.
  struct Visit {
    std::size_t event = 0;  // the first read
    std::uint32_t node = 0;
    bool is_triangle = false;
  };
  std::uint32_t block = 0, thread = 0;
  std::uint32_t ray = 0;
  std::size_t begin = 0;             // reads the ray
  std::optional<std::size_t> end{};  // writes the answer
  bool hits = false;                 // known at the end
  // Its stack was full: it begins again in the binary tree, which is not the one that is drawn.
  std::optional<std::size_t> leaves_wide_tree{};
  std::vector<Visit> visits{};
};

struct RayWalks {
  std::vector<RayWalk> walks{};          // in the order in which they begin
  std::vector<std::uint32_t> walk_of{};  // by event: from 1; 0: none
  // By event: the node that it reads, or whose triangle it reads, from 1; 0: none.
  std::vector<std::uint32_t> node_of{};

  RayWalks(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree);
};

// Where a ray stands after some events.
struct RayPosition {
  std::uint32_t boxes = 0, triangles = 0;  // tested, each counted once
  // From the root to the node whose children are tested, or to the leaf whose triangle is.
  std::vector<std::uint32_t> path{};
  // Boxes that the ray enters before its nearest hit so far and has not descended into: the walk
  // comes back to them, to the first one next. `stack` holds them on its stack.
  std::vector<std::uint32_t> pending{};
  // Other boxes that were tested and are not descended into: missed, or beyond the nearest hit.
  std::vector<std::uint32_t> skipped{};
  bool has_left_wide_tree = false;  // then it has no path, and nothing is pending
};

RayPosition position_of(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree,
                        const RayWalk& walk, std::size_t executed);

}  // namespace warpview::step_views
