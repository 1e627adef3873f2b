// What generators of meshes compute with: points in doubles, of which a mesh gets floats.
#pragma once

#include <cmath>
#include <cstdint>

#include "scenes/files/mesh.h"

namespace warpview::generated {

struct Point {
  double x, y, z;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Point normalized(Point a) { return (1.0 / std::sqrt(dot(a, a))) * a; }

// To float, and -0 to 0.
inline Vec3 to_float(Point a) {
  return {static_cast<float>(a.x) + 0.0F, static_cast<float>(a.y) + 0.0F,
          static_cast<float>(a.z) + 0.0F};
}

// Two triangles of a quad whose corners turn counter-clockwise, seen from the front.
inline void add_quad(Mesh& mesh, const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d,
                     std::uint32_t material) {
  mesh.corners.insert(mesh.corners.end(), {a, b, c, a, c, d});
  mesh.triangle_material.insert(mesh.triangle_material.end(), 2, material);
}

}  // namespace warpview::generated
