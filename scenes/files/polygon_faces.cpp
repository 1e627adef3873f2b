#include "scenes/files/polygon_faces.h"

#include <algorithm>
#include <utility>

namespace warpview {
namespace {

bool is_there(std::int32_t index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

// Indices of texture coordinates and normals that are not there become absent. True if all are
// there.
bool drop_bad_attributes(std::span<CornerIndices> corners, const PolygonVertices& there) {
  bool are_there = true;
  const auto check = [&are_there](std::int32_t& index, std::size_t count) {
    if (index == absent_index || is_there(index, count)) return;
    index = absent_index;
    are_there = false;
  };
  for (CornerIndices& corner : corners) {
    check(corner.normal, there.normals.size());
    check(corner.texcoord, there.texcoords.size());
  }
  return are_there;
}

template <class Array>
void move_up(Array& array, std::size_t from, std::size_t count, std::size_t to) {
  if (from == to) return;
  const auto at = [&array](std::size_t i) {
    return array.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::move(at(from), at(from + count), at(to));
}

}  // namespace

void PolygonFaces::drop_bad(const PolygonVertices& there, Crew& crew, PolygonTroubles& troubles) {
  crew.for_each(parts.size(), [&](std::size_t p) { drop_bad(parts[p], there); });
  troubles.dropped_faces = troubles.malformed_faces;
  std::size_t kept_faces = 0, kept_corners = 0, kept_triangles = 0;
  for (PolygonPart& part : parts) {
    troubles.dropped_faces.add(part.dropped);
    troubles.faces_with_bad_attributes.add(part.bad_attributes);
    move_up(faces, part.face, part.faces, kept_faces);
    move_up(corners, part.corner, part.corners, kept_corners);
    part.face = std::exchange(kept_faces, kept_faces + part.faces);
    part.corner = std::exchange(kept_corners, kept_corners + part.corners);
    part.triangle = std::exchange(kept_triangles, kept_triangles + part.triangles);
  }
  faces.resize(kept_faces);
  corners.resize(kept_corners);
}

void PolygonFaces::drop_bad(PolygonPart& part, const PolygonVertices& there) {
  std::size_t read = part.corner;
  std::size_t kept_corner = part.corner;
  std::size_t kept_face = part.face;
  for (std::size_t f = part.face; f < part.face + part.faces; ++f) {
    const PolygonFace face = faces[f];
    const std::span<CornerIndices> of_face(&corners[read], face.corners);
    read += face.corners;
    if (!std::all_of(of_face.begin(), of_face.end(), [&there](const CornerIndices& c) {
          return is_there(c.position, there.positions.size());
        })) {
      part.dropped.add(face.where);
      continue;
    }
    if (!drop_bad_attributes(of_face, there)) part.bad_attributes.add(face.where);
    for (const CornerIndices& corner : of_face)
      part.lacks_normals = part.lacks_normals || !there.has_normal(corner);
    if (part.dropped.count > 0) {
      std::copy(of_face.begin(), of_face.end(), &corners[kept_corner]);
      faces[kept_face] = face;
    }
    kept_corner += of_face.size();
    ++kept_face;
    part.triangles += face.corners - 2;
  }
  part.faces = kept_face - part.face;
  part.corners = kept_corner - part.corner;
}

std::size_t PolygonFaces::triangles() const {
  return parts.empty() ? 0 : parts.back().triangle + parts.back().triangles;
}

bool PolygonFaces::lack_normals() const {
  return std::any_of(parts.begin(), parts.end(),
                     [](const PolygonPart& part) { return part.lacks_normals; });
}

}  // namespace warpview
