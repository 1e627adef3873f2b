// The points around a centre and around a quad, and the steps of subdivision on them.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/applications/subdivision_application.h"

namespace warpview::WARPVIEW_BACKEND::subdivision {

// The points around a centre after several steps: the other ends of its edges, and the diagonal
// points of its quads, each by index from the fan's first quad on.
struct Ring {
  Vec3* points;
  std::uint32_t n;  // quads
  bool is_open;

  __device__ std::uint32_t ends() const { return is_open ? n + 1 : n; }
  __device__ std::uint32_t before(std::uint32_t k) const { return is_open ? k - 1 : k + n - 1; }
  __device__ Vec3& centre() const { return points[0]; }
  // Indices beyond the last wrap around.
  __device__ Vec3& end(std::uint32_t k) const { return points[1 + (is_open ? k : k % n)]; }
  __device__ Vec3& diagonal(std::uint32_t k) const {
    return points[1 + ends() + (is_open ? k : k % n)];
  }
};

__device__ inline Ring ring_of(const Application& application, std::uint32_t centre,
                               std::uint32_t level) {
  const SubdivisionMesh& mesh = application.mesh;
  const bool is_vertex = centre < mesh.vertices;
  const std::uint32_t f = centre - mesh.vertices;
  const std::uint32_t begin = is_vertex ? mesh.fan_begin[centre] : mesh.face_begin[f];
  const std::uint32_t n = (is_vertex ? mesh.fan_begin[centre + 1] : mesh.face_begin[f + 1]) - begin;
  const std::uint64_t of_level = subdivision_ring_places(mesh.corners, mesh.centres());
  const std::uint64_t before =
      2 * (std::uint64_t{is_vertex ? begin : begin + mesh.corners} + centre);
  return {application.rings + (level - 1) * of_level + before, n,
          is_vertex && mesh.is_open(centre)};
}

// The corner whose quad is the k-th around a centre.
__device__ inline std::uint32_t corner_at(const SubdivisionMesh& mesh, std::uint32_t centre,
                                          std::uint32_t k) {
  return centre < mesh.vertices ? mesh.fan[mesh.fan_begin[centre] + k]
                                : mesh.face_begin[centre - mesh.vertices] + k;
}

// The centre's limit position, and the normal there: perpendicular to two tangents, which a step's
// largest eigenvalues keep of the ring. At the boundary one tangent is along it. The other, over
// angles from 0 to pi, has weights for which a step of the rules multiplies the sum by `value`.
__device__ inline void put_centre(const Application& application, std::uint32_t vertex, Ring ring) {
  const Vec3 at = ring.centre();
  constexpr float turn = 6.2831853F;
  const std::uint32_t n = ring.n;
  const auto count = static_cast<float>(n);
  Vec3 along{0, 0, 0}, across{0, 0, 0};
  if (ring.is_open) {
    along = ring.end(0) - ring.end(n);
    if (n == 1) {
      along = ring.end(0) - at;
      across = ring.end(1) - at;
    } else {
      const float angle = 0.5F * turn / count;
      const float c = std::cos(angle);
      const float value = (5.0F + c + std::sqrt((c + 9.0F) * (c + 1.0F))) / 16.0F;
      const float of_ends = 16.0F * value - 4.0F;
      const float p = std::sin(angle) * (of_ends / 16.0F + 0.25F);
      const float q = std::cos(0.5F * angle) / std::sin(0.5F * angle) * (0.375F * of_ends + 0.5F);
      const float scale = 1.0F / ((value - 1.0F) * (value - 0.25F));
      const float of_last = ((value - 0.75F) * p + 0.125F * q) * scale;
      // By differences to the centre, so that the centre's own weight does not matter.
      across = (ring.end(0) - at) * of_last + (ring.end(n) - at) * of_last;
      float sine = 0.0F;
      for (std::uint32_t k = 0; k < n; ++k) {
        const float next = k + 1 == n ? 0.0F : std::sin(angle * static_cast<float>(k + 1));
        across = across + (ring.end(k) - at) * (of_ends * sine) +
                 (ring.diagonal(k) - at) * (sine + next);
        sine = next;
      }
    }
    application.put_vertex(vertex, (at * 4.0F + (ring.end(0) + ring.end(n))) * (1.0F / 6.0F),
                           cross(along, across));
    return;
  }
  Vec3 ends{0, 0, 0}, diagonals{0, 0, 0};
  const float angle = turn / count;
  const float of_ends =
      1.0F + std::cos(angle) + std::cos(0.5F * angle) * std::sqrt(2.0F * (9.0F + std::cos(angle)));
  float cosine = 1.0F, sine = 0.0F;
  for (std::uint32_t k = 0; k < n; ++k) {
    const float next = angle * static_cast<float>((k + 1) % n);
    const float next_cosine = std::cos(next), next_sine = std::sin(next);
    const Vec3 end = ring.end(k), diagonal = ring.diagonal(k);
    ends = ends + end;
    diagonals = diagonals + diagonal;
    along = along + (end - at) * (of_ends * cosine) + (diagonal - at) * (cosine + next_cosine);
    across = across + (end - at) * (of_ends * sine) + (diagonal - at) * (sine + next_sine);
    cosine = next_cosine;
    sine = next_sine;
  }
  const Vec3 place =
      (at * (count * count) + ends * 4.0F + diagonals) * (1.0F / (count * (count + 5.0F)));
  Vec3 normal = cross(along, across);
  // Two faces, back to back: which side is meant is undefined.
  if (n <= 2) {
    normal = {0, 0, 0};
    for (std::uint32_t k = 0; k < n; ++k)
      normal = normal + cross(ring.end(k) - at, ring.diagonal(k) - at) +
               cross(ring.diagonal(k) - at, ring.end(k + 1) - at);
  }
  application.put_vertex(vertex, place, normal);
}

// The sides of the k-th quad of a ring that are on the boundary.
__device__ inline std::uint32_t boundary_of(const Ring& ring, std::uint32_t k) {
  return (ring.is_open && k == 0 ? near_y : 0) | (ring.is_open && k + 1 == ring.n ? near_x : 0);
}
// The i-th control point of that quad: on the ring, or beyond it. A point that does not exist is
// replaced by the centre.
__device__ inline Vec3 net_point(const Ring& ring, std::uint32_t k, const Vec3 (&outer)[7],
                                 unsigned i) {
  const std::uint32_t boundary = boundary_of(ring, k);
  const bool is_first = (boundary & near_y) != 0;
  const bool is_last = (boundary & near_x) != 0;
  const Vec3 at = ring.centre();
  switch (i) {
    case 0:
      return ring.n == 4 && !ring.is_open ? ring.diagonal(k + 2) : at;
    case 1:
      return is_first ? at : ring.end(ring.before(k));
    case 2:
      return is_first ? at : ring.diagonal(ring.before(k));
    case 4:
      return is_last ? at : ring.end(k + 2);
    case 5:
      return at;
    case 6:
      return ring.end(k);
    case 8:
      return is_last ? at : ring.diagonal(k + 1);
    case 9:
      return ring.end(k + 1);
    case 10:
      return ring.diagonal(k);
    case 3:
      return outer[0];
    case 7:
      return outer[1];
    case 11:
      return outer[2];
    default:
      return outer[18 - i];  // 15, 14, 13, 12
  }
}

// The other points around a quad after the first step. Missing points are the quad's own.
__device__ inline void outer_of_vertex(const SubdivisionMesh& mesh, const SubdivisionPoints& points,
                                       std::uint32_t corner, Vec3 (&outer)[7]) {
  const std::uint32_t next = mesh.next(corner);
  const std::uint32_t before = mesh.before(corner);
  const std::uint32_t across = mesh.across(corner);
  const std::uint32_t across_before = mesh.across(before);
  const Vec3 none = points.vertices[mesh.vertex[corner]];
  outer[0] = across == no_corner ? none : points.edges[mesh.edge[mesh.before(across)]];
  outer[1] = points.vertices[mesh.vertex[next]];
  outer[2] = points.edges[mesh.edge[next]];
  outer[3] = points.vertices[mesh.vertex[mesh.next(next)]];  // of a face of four corners
  outer[4] = points.edges[mesh.edge[mesh.before(before)]];
  outer[5] = points.vertices[mesh.vertex[before]];
  outer[6] = across_before == no_corner ? none : points.edges[mesh.edge[mesh.next(across_before)]];
}
// As outer_of_vertex, seen from the point of the face.
__device__ inline void outer_of_face(const SubdivisionMesh& mesh, const SubdivisionPoints& points,
                                     std::uint32_t corner, Vec3 (&outer)[7],
                                     std::uint32_t& boundary) {
  const std::uint32_t across = mesh.across(corner);
  const std::uint32_t across_before = mesh.across(mesh.before(corner));
  const Vec3 none = points.faces[mesh.face[corner]];
  for (Vec3& point : outer) point = none;
  if (across_before == no_corner) {
    boundary |= far_x;
  } else {
    outer[0] = points.edges[mesh.edge[mesh.next(across_before)]];
    outer[1] = points.faces[mesh.face[across_before]];
    outer[2] = points.edges[mesh.edge[mesh.before(across_before)]];
  }
  if (across == no_corner) {
    boundary |= far_y;
  } else {
    outer[4] = points.edges[mesh.edge[mesh.next(across)]];
    outer[5] = points.faces[mesh.face[across]];
    outer[6] = points.edges[mesh.edge[mesh.before(across)]];
  }
}

// --- steps of a net

// The point (a, b), -1 to 3, after a step: 0 and 2 are the quad's corners. All points around it
// must exist, except those beyond a boundary.
__device__ inline Vec3 fine_point(const Net& net, int a, int b, std::uint32_t boundary) {
  const auto at = [&net](int x, int y) { return net.points[4 * y + x]; };
  const auto face = [&at](int x, int y) {
    return subdivision_mean(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
  };
  const bool is_between_x = (a & 1) != 0;
  const bool is_between_y = (b & 1) != 0;
  const int x = (a + (is_between_x ? 1 : 2)) / 2;
  const int y = (b + (is_between_y ? 1 : 2)) / 2;
  if (is_between_x && is_between_y) return face(x, y);
  const bool is_end_y = (y == 1 && (boundary & near_y) != 0) || (y == 2 && (boundary & far_y) != 0);
  const bool is_end_x = (x == 1 && (boundary & near_x) != 0) || (x == 2 && (boundary & far_x) != 0);
  if (is_between_x) {
    if (is_end_y) return (at(x, y) + at(x + 1, y)) * 0.5F;
    return subdivision_edge(at(x, y), at(x + 1, y), face(x, y - 1), face(x, y));
  }
  if (is_between_y) {
    if (is_end_x) return (at(x, y) + at(x, y + 1)) * 0.5F;
    return subdivision_edge(at(x, y), at(x, y + 1), face(x - 1, y), face(x, y));
  }
  if (is_end_y) return subdivision_curve(at(x - 1, y), at(x, y), at(x + 1, y));
  if (is_end_x) return subdivision_curve(at(x, y - 1), at(x, y), at(x, y + 1));
  const Vec3 faces = (face(x - 1, y - 1) + face(x, y)) + (face(x, y - 1) + face(x - 1, y));
  const Vec3 ends = (at(x - 1, y) + at(x + 1, y)) + (at(x, y - 1) + at(x, y + 1));
  return subdivision_vertex(at(x, y), faces, ends, 4.0F);
}

__device__ inline Vec3& fine_at(Vec3 (&fine)[25], int a, int b) {
  return fine[5 * (b + 1) + a + 1];
}
// The part at (i, j) of a quad's four parts.
__device__ inline Net part_of(Vec3 (&fine)[25], unsigned i, unsigned j) {
  Net net;
  for (unsigned k = 0; k < 16; ++k) net.points[k] = fine[5 * (j + k / 4) + i + k % 4];
  return net;
}
__device__ inline Place part_of(const Place& place, unsigned i, unsigned j) {
  Place part = place;
  part.level = place.level + 1;
  part.cells = place.cells / 2;
  part.x = place.x + i * part.cells;
  part.y = place.y + j * part.cells;
  part.boundary = (j == 0 ? place.boundary & near_y : 0) | (i == 0 ? place.boundary & near_x : 0);
  return part;
}

}  // namespace warpview::WARPVIEW_BACKEND::subdivision
