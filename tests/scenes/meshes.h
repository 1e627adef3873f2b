// Meshes for the tests of scenes and their parts.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scenes/files/generated.h"
#include "scenes/files/mesh.h"

namespace warpview::test {

// In five materials.
inline Mesh sphere(std::uint64_t triangles) {
  Mesh mesh = make_sphere(triangles);
  mesh.name = "sphere of " + std::to_string(triangles);
  mesh.materials.resize(5);
  for (std::size_t m = 0; m < mesh.materials.size(); ++m)
    mesh.materials[m].name = "material " + std::to_string(m);
  for (std::size_t t = 0; t < mesh.triangle_material.size(); ++t)
    mesh.triangle_material[t] = static_cast<std::uint32_t>(t % 5);
  return mesh;
}

// Every triangle is the same one.
inline Mesh equal_triangles(std::size_t triangles) {
  Mesh mesh = sphere(8);
  mesh.corners.resize(3);
  const HostArray<Vertex> triangle = mesh.corners;
  mesh.corners.clear();
  for (std::size_t t = 0; t < triangles; ++t)
    mesh.corners.insert(mesh.corners.end(), triangle.begin(), triangle.end());
  mesh.triangle_material.assign(triangles, 3);
  mesh.name = std::to_string(triangles) + " equal triangles";
  return mesh;
}

// Triangles without area, all in one point.
inline Mesh points(std::size_t triangles) {
  Mesh mesh = equal_triangles(triangles);
  for (Vertex& corner : mesh.corners) corner = mesh.corners.front();
  mesh.name = std::to_string(triangles) + " triangles in a point";
  return mesh;
}

// Each `step`-th triangle has a corner with a coordinate that is no finite number.
inline Mesh with_non_finite(std::size_t triangles, std::size_t step) {
  Mesh mesh = sphere(triangles);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t t = 0; t < triangles; t += step) {
    Vec3& position = mesh.corners[3 * t + t % 3].position;
    (t % 2 == 0 ? position.x : position.z) = t % 3 == 0 ? nan : t % 3 == 1 ? infinity : -infinity;
  }
  mesh.name = mesh.name + ", one in " + std::to_string(step) + " not finite";
  return mesh;
}

inline std::vector<Mesh> degenerate_meshes() {
  std::vector<Mesh> meshes = {sphere(0), equal_triangles(1), equal_triangles(2)};
  meshes.push_back(with_non_finite(1, 1));
  meshes.push_back(with_non_finite(40, 1));
  meshes.push_back(with_non_finite(40, 39));
  meshes.push_back(with_non_finite(300, 7));
  meshes.push_back(equal_triangles(70));
  meshes.push_back(points(65));
  meshes.push_back(sphere(2));
  meshes.push_back(sphere(33));
  return meshes;
}

}  // namespace warpview::test
