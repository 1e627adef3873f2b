// The faces of an OBJ file, in the parts that its blocks were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/host_array.h"
#include "gpu/runtime/vec.h"
#include "scenes/files/normals.h"
#include "scenes/files/polygon_block.h"
#include "scenes/files/polygon_troubles.h"
#include "scenes/files/text_lines.h"

namespace warpview {

// 0 stands for a normal that is missing.
inline bool is_missing(Vec3 normal) {
  return normal.x == 0.0F && normal.y == 0.0F && normal.z == 0.0F;
}

struct PolygonVertices {
  HostArray<Vec3> positions;
  HostArray<Vec3> normals;  // length 1, or 0 for one that counts as missing
  HostArray<Vec2> texcoords;

  // The corner's index must be absent or that of a normal.
  bool has_normal(const CornerIndices& corner) const {
    return corner.normal != absent_index &&
           !is_missing(normals[static_cast<std::size_t>(corner.normal)]);
  }
};

// The faces of one block, in the arrays of all.
struct PolygonPart {
  std::size_t face = 0, faces = 0;  // the first, and how many
  std::size_t corner = 0, corners = 0;
  std::size_t triangle = 0, triangles = 0;
  bool lacks_normals = false;
  Occurrences dropped;         // faces
  Occurrences bad_attributes;  // faces with an index of those that is not there
  Occurrences given_up;        // faces too hard to cut
};

struct PolygonFaces {
  HostArray<CornerIndices> corners;  // of all faces, one after the other
  HostArray<PolygonFace> faces;
  std::vector<PolygonPart> parts;

  // Faces may come before their vertices, so indices are checked when all is read. Keeps only good
  // faces: all positions are there. Indices of other things that are not there become absent.
  void drop_bad(const PolygonVertices& there, Crew& crew, PolygonTroubles& troubles);
  // After drop_bad(): triangles that the faces are cut into, and whether a corner has no normal.
  std::size_t triangles() const;
  bool lack_normals() const;

  // Calls visit(face, number of its first corner, its corners, their positions) for each face of a
  // part.
  template <class Visit>
  void for_each(const PolygonPart& part, std::span<const Vec3> positions, Visit visit) const {
    std::vector<Vec3> polygon;
    std::size_t first = part.corner;
    for (std::size_t f = part.face; f < part.face + part.faces; ++f) {
      const std::span<const CornerIndices> of_face(&corners[first], faces[f].corners);
      polygon.clear();
      for (const CornerIndices& corner : of_face)
        polygon.push_back(positions[static_cast<std::size_t>(corner.position)]);
      visit(f, first, of_face, std::span<const Vec3>(polygon));
      first += of_face.size();
    }
  }

 private:
  void drop_bad(PolygonPart& part, const PolygonVertices& there);
};

}  // namespace warpview
