// A mesh as polygons that know their neighbours: what subdivision begins with.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/applications/subdivision.h"
#include "scenes/files/mesh.h"

namespace warpview {

// The arrays of a SubdivisionMesh, on the host, and what became of the mesh's triangles.
struct Polygons {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> face_begin, vertex, edge, face, sector, fan_begin, fan, edge_corners,
      material;
  std::uint64_t pairs = 0;           // of triangles that are a face together
  std::uint64_t dropped = 0;         // triangles without three different corners, or out of bounds
  std::uint64_t boundary_edges = 0;  // edges with one face
  std::uint64_t cut_edges = 0;       // of these: of faces that meet others there all the same
  std::uint64_t extraordinary = 0;   // vertices around which the surface is no B-spline
  Aabb bounds = Aabb::empty();       // of the positions

  SubdivisionMesh view() const;
};

// Which points are one is decided by their positions alone, bit by bit: a cube whose faces have
// normals and texture coordinates of their own is closed. Faces are the triangles; if `pairs`, two
// in a row of the same material (a, b, c), (a, c, d), that look to the same side, are the quad
// a, b, c, d, which is how quads of a file are cut.
//
// What is no manifold is cut: an edge at which not just two faces meet, each running along it in
// its own direction, is an edge of the boundary for each of its faces; and a vertex that has
// several fans of faces is one vertex for each. Triangles with a coordinate that is no finite
// number or beyond 1e15, and those with two corners in one place, are left out.
Polygons polygons_of(const Mesh& mesh, bool pairs);

}  // namespace warpview
