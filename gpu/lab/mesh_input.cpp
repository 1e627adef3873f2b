#include "gpu/lab/mesh_input.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/reference/reference.h"
#include "gpu/runtime/error.h"

namespace warpview::lab {
namespace {

bool is_finite(const Vertex& corner) {
  const Vec3& p = corner.position;
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

}  // namespace

MeshInput mesh_input(const std::string& name, std::span<const Vertex> corners, std::uint32_t most) {
  MeshInput mesh{
      .name = name, .whole = static_cast<std::uint32_t>(corners.size() / 3), .corners = {}};
  for (std::size_t i = 0; i + 2 < corners.size() && mesh.triangles() < most; i += 3) {
    const auto triangle = corners.subspan(i, 3);
    if (std::all_of(triangle.begin(), triangle.end(), is_finite))
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
