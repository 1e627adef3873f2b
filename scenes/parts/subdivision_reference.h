// Catmull-Clark subdivision done sequentially: the whole mesh, step by step, in double precision,
// without patches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/applications/subdivision.h"
#include "scenes/parts/polygons.h"

namespace warpview {

// A point that the surface tends to.
struct SubdivisionPoint {
  std::array<double, 3> position{}, normal{};  // of length 1, or 0 where there is none
};

class SubdivisionReference {
 public:
  // After so many steps, 1 at least.
  SubdivisionReference(const Polygons& polygons, std::uint32_t level);

  std::uint32_t level() const { return level_; }
  std::uint32_t vertices() const { return static_cast<std::uint32_t>(points_.size()); }
  std::uint32_t quads() const { return static_cast<std::uint32_t>(corners_.size() / 4); }
  std::span<const std::uint32_t> corners() const { return corners_; }  // four for each quad
  const SubdivisionPoint& point(std::uint32_t vertex) const { return points_[vertex]; }
  // The vertex at (x, y) of a corner's quad, which has 2^(level - 1) cells along each side.
  std::uint32_t vertex(std::uint32_t corner, std::uint32_t x, std::uint32_t y) const {
    const std::size_t side = (std::size_t{1} << (level_ - 1)) + 1;
    return grid_[(corner * side + y) * side + x];
  }

 private:
  std::uint32_t level_;
  std::vector<SubdivisionPoint> points_;
  std::vector<std::uint32_t> corners_;
  std::vector<std::uint32_t> grid_;
};

// How far edges and faces are divided, one by one.
struct SubdivisionLevelsReference {
  std::vector<std::uint32_t> edges, faces;
  std::uint32_t lowered = 0;
  std::uint64_t triangles = 0, vertices = 0;
};
SubdivisionLevelsReference subdivision_levels_one_by_one(const Polygons& polygons,
                                                         std::span<const Vec3> points,
                                                         const SubdivisionView& view,
                                                         std::uint64_t most_triangles,
                                                         std::uint64_t most_vertices);

// What a surface differs in from the reference: its triangles, face by face, corner by corner.
// Empty: in nothing.
std::string difference_of_surface(const Polygons& polygons,
                                  const SubdivisionLevelsReference& levels,
                                  std::span<const Vertex> vertices,
                                  std::span<const std::uint32_t> indices,
                                  std::span<const std::uint32_t> material,
                                  std::span<const std::uint32_t> face);

}  // namespace warpview
