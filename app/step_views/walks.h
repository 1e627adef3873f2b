// The walks of rays in recordings of `trace`: which boxes and triangles each ray tests, in order,
// and where a ray stands in the tree at a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/step_views/trees.h"
#include "gpu/recording/recording.h"

namespace warpview::step_views {

// The arrays of gpu/primitives/trace/trace.h, as indices into the recording's.
struct WalkArrays {
  std::uint32_t nodes = 0, rays = 0, root = 0;
  std::optional<std::uint32_t> leaves{}, indices{}, vertices{}, hits{}, any{};
  std::uint32_t node_count = 0;

  std::uint32_t first_leaf() const { return node_count / 2; }
};

// None for other primitives, and where the arrays are not as the kernels have them.
std::optional<WalkArrays> walk_arrays(const Recording& recording);

// A lane's walk for one ray. Events are indices into the recording's.
struct RayWalk {
  // A node's box is tested, or the triangle of a leaf. Consecutive reads of one node are one visit.
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
  std::vector<Visit> visits{};
};

struct RayWalks {
  std::vector<RayWalk> walks{};          // in the order in which they begin
  std::vector<std::uint32_t> walk_of{};  // by event: from 1; 0: none
  // By event: the node whose box, or the leaf whose triangle it reads, from 1; 0: none.
  std::vector<std::uint32_t> node_of{};

  RayWalks(const Recording& recording, const WalkArrays& arrays);
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
};

RayPosition position_of(const Recording& recording, const WalkArrays& arrays,
                        const FinishedTree& tree, const RayWalk& walk, std::size_t executed);

}  // namespace warpview::step_views
