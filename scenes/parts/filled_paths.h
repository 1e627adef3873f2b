// The filled paths of a mesh, and which of them lies under a place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenes/files/mesh.h"

namespace warpview {

struct FilledPaths {
  PathPicture picture;
  std::vector<Aabb> boxes;  // of the paths' control points
  Aabb bounds = Aabb::empty();
};

// A picture's own. Of a mesh that is none each triangle is a path of its material's colour, as it
// is seen from the front: its x and y alone count. Those that are not finite, or too far out, are
// left out. Before them comes a page around all, where there is anything.
FilledPaths filled_paths_of(const Mesh& mesh);

// The last one, which is painted over the others, that covers a place in the plane of the paths:
// but for curves, which are taken for some straight lines.
std::optional<std::uint32_t> path_at(const FilledPaths& paths, double x, double y,
                                     std::uint32_t first = 0);

}  // namespace warpview
