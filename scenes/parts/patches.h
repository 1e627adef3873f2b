// The patches of a mesh, and what a ray hits of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/applications/bezier_patch.h"
#include "scenes/files/mesh.h"

namespace warpview {

struct Patches {
  std::vector<BezierPatch> patches;
  std::vector<std::uint32_t> colours;  // of their materials, sRGB-encoded, red in the lowest bits
  std::vector<Aabb> boxes;             // of their control points
  Aabb bounds = Aabb::empty();         // of all of these
};

// A mesh's own patches. Of a mesh that has none its triangles, each curved so that it meets its
// corners' normals; those with a corner that is not finite are left out.
//
//   A. Vlachos, J. Peters, C. Boyd, J. Mitchell, "Curved PN Triangles", Interactive 3D Graphics
//   2001.
Patches patches_of(const Mesh& mesh);

// A triangle as a bicubic patch of the same surface, one side of which is a point.
BezierPatch curved_triangle(std::span<const Vertex, 3> corners);

struct PatchHit {
  std::uint32_t patch = 0;
  float u = 0.0F, v = 0.0F;
  float t = 0.0F;  // in lengths of the ray's direction
};
// The first that a ray hits, to within about a thousandth of the patch's size.
std::optional<PatchHit> first_hit(const Patches& patches, const Ray& ray);

}  // namespace warpview
