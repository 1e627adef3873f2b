#include "gpu/lab/mesh_input.h"

#include <algorithm>
#include <numeric>

#include "gpu/reference/reference.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/finite.h"

namespace warpview::lab {

MeshInput mesh_input(const std::string& name, std::span<const Vertex> corners, std::uint32_t most) {
  MeshInput mesh{
      .name = name, .whole = static_cast<std::uint32_t>(corners.size() / 3), .corners = {}};
  for (std::size_t i = 0; i + 2 < corners.size() && mesh.triangles() < most; i += 3) {
    const auto triangle = corners.subspan(i, 3);
    if (std::all_of(triangle.begin(), triangle.end(),
                    [](const Vertex& corner) { return is_finite(corner.position); }))
      mesh.corners.insert(mesh.corners.end(), triangle.begin(), triangle.end());
  }
  if (mesh.corners.empty())
    throw Error("recording a stage on " + name, "it has no triangles", "Open a mesh of triangles");
  return mesh;
}

std::vector<Aabb> boxes(const MeshInput& mesh) {
  std::vector<std::uint32_t> corners(mesh.corners.size());
  std::iota(corners.begin(), corners.end(), 0U);
  return reference::triangle_boxes(mesh.corners, corners);
}

}  // namespace warpview::lab
