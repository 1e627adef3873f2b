// The walks of rays in recordings of `trace`: which boxes and triangles each ray has come to, in
// the order in which it did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// The arrays of gpu/primitives/trace/trace.h. `leaves` holds triangles in the order of the leaves.
struct WalkArrays {
  std::uint32_t nodes = 0, rays = 0, root = 0;
  std::optional<std::uint32_t> leaves{}, indices{}, hits{}, any{};
  std::uint32_t node_count = 0;

  std::uint32_t first_leaf() const { return node_count / 2; }
};

// None for other primitives, and where the arrays are not as the kernels have them.
std::optional<WalkArrays> walk_arrays(const Recording& recording);

// A lane's walk for one ray. Events are indices into the recording's.
struct RayWalk {
  struct Visit {
    std::size_t event = 0;
    std::uint32_t node = 0;
  };
  std::uint32_t block = 0, thread = 0;
  std::uint32_t ray = 0;
  std::size_t begin = 0;             // reads the ray
  std::optional<std::size_t> end{};  // writes the answer
  bool hits = false;                 // known at the end
  std::vector<Visit> boxes{};        // nodes whose words it reads, each other than the one before
  std::vector<Visit> triangles{};    // leaves whose triangles it reads, the same way
};

struct RayWalks {
  std::vector<RayWalk> walks;          // in the order in which they begin
  std::vector<std::uint32_t> walk_of;  // by event: from 1; 0: none

  RayWalks(const Recording& recording, const WalkArrays& arrays);
};

}  // namespace warpview::step_views
