#include "scenes/parts/mesh_reach.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace warpview {

// A large mesh has its corners in groups that lie close together. Only the corner of a group that
// is farthest from the middle is looked at.
Outline outline_of(const Mesh& mesh, const Aabb& box, const Aabb& elements) {
  constexpr std::size_t enough = 100'000;
  OutlineFinder finder;
  const std::span<const Vertex> corners(mesh.corners);
  const std::size_t group = std::max<std::size_t>(corners.size() / enough, 1);
  const Vec3 middle = (box.min + box.max) * 0.5F;
  for (std::size_t first = 0; first < corners.size(); first += group) {
    const auto distance = [middle](const Vertex& corner) {
      const Vec3 way = corner.position - middle;
      const float squared = dot(way, way);
      return std::isfinite(squared) ? squared : -1.0F;
    };
    const auto members = corners.subspan(first, std::min(group, corners.size() - first));
    finder.add(std::ranges::max(members, {}, distance).position);
  }
  if (!elements.is_empty())
    for (unsigned corner = 0; corner < 8; ++corner)
      finder.add({(corner & 1U) != 0 ? elements.max.x : elements.min.x,
                  (corner & 2U) != 0 ? elements.max.y : elements.min.y,
                  (corner & 4U) != 0 ? elements.max.z : elements.min.z});
  return finder.found();
}

Aabb reach_of(Shape shape, const Aabb& box, const RestExtent& rest, int axis, float strength) {
  Vec3 grows{0.0F, 0.0F, 0.0F};
  if (shape == Shape::explode) {
    const float way = strength * rest.radius;
    grows = {way, way, way};
  } else if (shape == Shape::bulge) {
    grows = {axis == 0 ? 0.0F : strength * rest.half.x, axis == 1 ? 0.0F : strength * rest.half.y,
             axis == 2 ? 0.0F : strength * rest.half.z};
  }
  const Aabb grown{box.min - grows, box.max + grows};
  const Vec3 across = grown.max - grown.min;
  return std::isfinite(dot(across, across)) ? grown : box;
}

}  // namespace warpview
