// A closed mesh, and rays from inside that seek a gap in it.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/primitives/trace/trace.h"
#include "tests/steps/support.h"

namespace warpview::test {

// An icosahedron whose triangles are divided `levels` times, pushed out to a bumpy sphere.
inline Triangles closed_mesh(int levels) {
  const float g = 1.618034F;
  const std::vector<Vec3> points = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                    {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                    {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  using Face = std::array<Vec3, 3>;
  std::vector<Face> faces;
  for (const auto& [a, b, c] : std::vector<std::array<int, 3>>{
           {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}})
    faces.push_back({points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)],
                     points[static_cast<std::size_t>(c)]});
  for (int level = 0; level < levels; ++level) {
    std::vector<Face> finer;
    for (const auto& [a, b, c] : faces) {
      // Symmetric in its operands, so that neighbours get the same points.
      const Vec3 ab = (a + b) * 0.5F;
      const Vec3 bc = (b + c) * 0.5F;
      const Vec3 ca = (c + a) * 0.5F;
      finer.insert(finer.end(), {Face{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  const auto out = [](Vec3 p) {
    const Vec3 unit = p * (1.0F / std::sqrt(dot(p, p)));
    return unit * (1.0F + 0.1F * std::sin(9.0F * unit.x) * std::sin(7.0F * unit.y + unit.z));
  };
  Triangles triangles;
  for (const auto& [a, b, c] : faces) triangles.add(out(a), out(b), out(c));
  return triangles;
}

// From a place near the centre: to a corner, to a point of an edge or anywhere.
inline BoundedRay ray_from_inside(const Triangles& triangles, Random& random) {
  const std::uint32_t triangle = random.below(triangles.count());
  const Vec3 a = triangles.corner(triangle, 0);
  const Vec3 b = triangles.corner(triangle, 1);
  const std::uint32_t kind = random.below(10);
  const float along = kind < 3 ? 0.0F : 0.5F + 0.5F * random.number();
  const Vec3 target = kind == 9 ? random.vector() : a + (b - a) * along;
  const Vec3 from = random.vector() * 0.3F;
  return {.origin = from, .direction = target - from};
}

}  // namespace warpview::test
