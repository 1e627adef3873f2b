// Subdivision as procedures for the schedulers: gpu/applications/subdivision.h says what they
// compute.
//
//     begin --> Poly-Patch --> Quad-Patch --> Quad-Patch ...
//                   |              |
//                   +--------------+--> Regular-Patch --> Regular-Patch ...
//
// Poly-Patch has a centre, which is a vertex or a face of any valence, and the ring of points
// around it, which it divides as often as needed. Quad-Patch has one quad of such a ring: of its
// four parts three are regular, and the one at the centre is a Quad-Patch again. Regular-Patch has
// 4 x 4 control points: it is divided while it is large, and then becomes a grid of points and
// triangles. Each has 16 lanes.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/applications/subdivision_application.h"
#include "gpu/applications/subdivision_rings.h"

namespace warpview::WARPVIEW_BACKEND::subdivision {

// --- Poly-Patch

// 1. A face that is not divided: a fan around its first corner.
template <class Lanes>
__device__ inline void put_fan(const Application& application, std::uint32_t f, std::uint32_t n,
                               const Lanes& lanes) {
  const SubdivisionMesh& mesh = application.mesh;
  const std::uint32_t corner = mesh.face_begin[f];
  const std::uint32_t t = application.places().first_triangle(f);
  const float value = application.value_of({corner, Region::whole, 0, 0, 0, 0, 0}, 0.0F);
  for (std::uint32_t k = lanes.rank(); k + 2 < n; k += lanes_of_patch)
    application.put_triangle(t + k, f, mesh.vertex[corner], mesh.vertex[corner + k + 1],
                             mesh.vertex[corner + k + 2], value);
}

// 2. A centre's ring after the first step.
template <class Lanes>
__device__ inline void fill_ring(const Application& application, std::uint32_t centre,
                                 const Ring& ring, const Lanes& lanes) {
  const SubdivisionMesh& mesh = application.mesh;
  const SubdivisionPoints& points = application.points;
  const bool is_vertex = centre < mesh.vertices;
  if (lanes.rank() == 0)
    ring.centre() = is_vertex ? points.vertices[centre] : points.faces[centre - mesh.vertices];
  for (std::uint32_t k = lanes.rank(); k < ring.n; k += lanes_of_patch) {
    const std::uint32_t corner = corner_at(mesh, centre, k);
    const std::uint32_t before = mesh.before(corner);
    ring.end(k) = points.edges[mesh.edge[is_vertex ? corner : before]];
    ring.diagonal(k) =
        is_vertex ? points.faces[mesh.face[corner]] : points.vertices[mesh.vertex[corner]];
    if (ring.is_open && k + 1 == ring.n) ring.end(ring.n) = points.edges[mesh.edge[before]];
  }
}

// 3. The ring after one more step.
template <class Lanes>
__device__ inline void step_ring(const Ring& from, const Ring& to, const Lanes& lanes,
                                 Poly::Shared& shared) {
  const unsigned rank = lanes.rank();
  const std::uint32_t n = from.n;
  const Vec3 at = from.centre();
  Vec3 diagonals{0, 0, 0}, ends{0, 0, 0};
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch) {
    const Vec3 point = subdivision_mean(at, from.end(k), from.diagonal(k), from.end(k + 1));
    to.diagonal(k) = point;
    diagonals = diagonals + point;
    ends = ends + from.end(k);
  }
  shared.diagonals[rank] = diagonals;
  shared.ends[rank] = ends;
  lanes.sync();
  for (std::uint32_t k = rank; k < from.ends(); k += lanes_of_patch) {
    const Vec3 end = from.end(k);
    to.end(k) = from.is_open && (k == 0 || k == n)
                    ? (at + end) * 0.5F
                    : subdivision_edge(at, end, to.diagonal(to.before(k)), to.diagonal(k));
  }
  if (rank == 0) {
    for (unsigned k = 1; k < lanes_of_patch; ++k) {
      diagonals = diagonals + shared.diagonals[k];
      ends = ends + shared.ends[k];
    }
    to.centre() = from.is_open ? subdivision_curve(from.end(0), at, from.end(n))
                               : subdivision_vertex(at, diagonals, ends, static_cast<float>(n));
  }
  lanes.sync();
}

// 4. The k-th quad around a centre.
template <class Emit>
__device__ inline void emit_quad(const Application& application, std::uint32_t centre,
                                 const Ring& first, std::uint32_t k, const Emit& emit) {
  const SubdivisionMesh& mesh = application.mesh;
  const SubdivisionPoints& points = application.points;
  const std::uint32_t corner = corner_at(mesh, centre, k);
  const std::uint32_t face_level = application.level_of(corner);
  if (face_level == 0) return;
  const bool is_whole = application.is_regular(corner);
  Place place{corner, Region::whole, 1, 0, 0, subdivision_cells(face_level), 0};
  Quad::Item quad;
  if (centre < mesh.vertices) {
    outer_of_vertex(mesh, points, corner, quad.outer);
    if (is_whole || face_level == 1) {
      Regular::Item regular{place, {}};
      regular.place.boundary = boundary_of(first, k);
      for (unsigned i = 0; i < 16; ++i) regular.net.points[i] = net_point(first, k, quad.outer, i);
      emit(Regular{}, regular);
      return;
    }
    place.region = Region::at_vertex;
  } else {
    if (is_whole || face_level == 1) return;
    place.region = Region::at_face;
    outer_of_face(mesh, points, corner, quad.outer, place.boundary);
  }
  quad.place = place;
  emit(Quad{}, quad);
}

template <class Lanes, class Emit>
__device__ void Poly::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit& emit) {
  const SubdivisionMesh& mesh = application.mesh;
  const unsigned rank = lanes.rank();
  const std::uint32_t centre = item.centre;
  const bool is_vertex = centre < mesh.vertices;
  const std::uint32_t f = centre - mesh.vertices;
  const Ring first = ring_of(application, centre, 1);
  const std::uint32_t n = first.n;

  // The highest level of the faces around it.
  const auto larger = [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; };
  std::uint32_t level = 0;
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch)
    level = larger(level, application.level_of(corner_at(mesh, centre, k)));
  level = lanes.reduce(level, larger);
  if (!is_vertex && level == 0) return put_fan(application, f, n, lanes);

  fill_ring(application, centre, first, lanes);
  lanes.sync();
  if (rank == 0) {
    const std::uint32_t cells = subdivision_cells(level);
    const std::uint32_t vertex =
        is_vertex ? centre : application.places().of(mesh.face_begin[f], cells, cells);
    put_centre(application, vertex, first);
  }

  // Patches need the ring of a regular centre after at most two steps.
  const bool is_regular = n == (first.is_open ? 2 : 4);
  const std::uint32_t last = is_regular && level > 2 ? 2 : level;
  for (std::uint32_t step = 1; step < last; ++step)
    step_ring(ring_of(application, centre, step), ring_of(application, centre, step + 1), lanes,
              shared);
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch)
    emit_quad(application, centre, first, k, emit);
}

// --- Quad-Patch

// The place of a quad: the k-th in the ring of its centre.
struct QuadPlace {
  const Place& place;
  std::uint32_t face;
  bool is_vertex;  // whether the centre is one
  std::uint32_t centre;
  std::uint32_t k;
};
__device__ inline QuadPlace place_of(const SubdivisionMesh& mesh, const Place& place) {
  const std::uint32_t corner = place.corner;
  const std::uint32_t f = mesh.face[corner];
  const bool is_vertex = place.region == Region::at_vertex;
  return {place, f, is_vertex, is_vertex ? mesh.vertex[corner] : mesh.vertices + f,
          is_vertex ? mesh.sector[corner] : corner - mesh.face_begin[f]};
}

// 1. The point (a, b) after a step, where it touches the centre's quads: it is in the ring.
__device__ inline Vec3 point_in_ring(const Ring& fine, std::uint32_t k, int a, int b,
                                     bool is_beyond, Vec3 none) {
  if (a < 0 && b < 0) return fine.n == 4 && !fine.is_open ? fine.diagonal(k + 2) : none;
  if (is_beyond) return none;
  if (a == 1 && b == 1) return fine.diagonal(k);
  if (a == 0 && b == 0) return fine.centre();
  if (b < 0) return a == 0 ? fine.end(fine.before(k)) : fine.diagonal(fine.before(k));
  if (a < 0) return b == 0 ? fine.end(k + 2) : fine.diagonal(k + 1);
  return a == 1 ? fine.end(k) : fine.end(k + 1);
}

// 2. The point (a, b), from 2 on, after the first step: around another centre, whose ring may not
// exist yet.
__device__ inline Vec3 point_of_other_centre(const Application& application, const QuadPlace& quad,
                                             int a, int b, Vec3 none) {
  const SubdivisionMesh& mesh = application.mesh;
  const SubdivisionPoints& points = application.points;
  const std::uint32_t corner = quad.place.corner;
  if (a == 2 && b == 2)
    return points.second[quad.is_vertex ? mesh.vertices + quad.face : mesh.vertex[corner]];
  if (!quad.is_vertex || a + b != 5) return none;
  // On an edge from the face's point, between two of its quads.
  const std::uint32_t other = a == 3 ? mesh.next(corner) : mesh.before(corner);
  const std::uint32_t beyond = a == 3 ? mesh.next(other) : mesh.before(other);
  const Vec3 middle = points.faces[quad.face];
  const auto edge = [&](std::uint32_t of) { return points.edges[mesh.edge[of]]; };
  const auto mean = [&](std::uint32_t of) {
    return subdivision_mean(points.vertices[mesh.vertex[of]], edge(of), middle,
                            edge(mesh.before(of)));
  };
  return subdivision_edge(middle, edge(a == 3 ? other : beyond), mean(other), mean(beyond));
}

// 3. One of the four parts, by the lane with its index.
template <class Emit>
__device__ inline void emit_part(const Application& application, const QuadPlace& quad,
                                 const Ring& coarse, std::uint32_t boundary, Vec3 (&fine)[25],
                                 unsigned number, const Emit& emit) {
  const unsigned i = number % 2;
  const unsigned j = number / 2;
  Place part = part_of(quad.place, i, j);
  part.boundary = (j == 0 ? boundary & near_y : 0) | (i == 0 ? boundary & near_x : 0);
  const bool is_first = quad.place.level == 1;
  if (is_first && (quad.is_vertex ? number == 3 : number != 0)) return;  // another centre's
  if (is_first && number == 1) part.region = Region::along_x;
  if (is_first && number == 2) part.region = Region::along_y;
  if (number != 0 || coarse.n == (coarse.is_open ? 2 : 4)) {
    emit(Regular{}, {part, part_of(fine, i, j)});
  } else if (part.cells == 1) {
    application.put_cell(part, part.x, part.y, 1.0F);
  } else {
    Quad::Item next{part, {}};
    constexpr int outer[7][2] = {{2, -1}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {-1, 2}};
    for (unsigned o = 0; o < 7; ++o) next.outer[o] = fine_at(fine, outer[o][0], outer[o][1]);
    next.place.boundary = 0;
    emit(Quad{}, next);
  }
}

template <class Lanes, class Emit>
__device__ void Quad::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit& emit) {
  const unsigned rank = lanes.rank();
  const QuadPlace quad = place_of(application.mesh, item.place);
  const Ring coarse = ring_of(application, quad.centre, item.place.level);
  const Ring fine = ring_of(application, quad.centre, item.place.level + 1);
  const std::uint32_t boundary = item.place.boundary | boundary_of(coarse, quad.k);
  shared.coarse.points[rank] = net_point(coarse, quad.k, item.outer, rank);
  lanes.sync();

  for (unsigned i = rank; i < 25; i += lanes_of_patch) {
    const int a = static_cast<int>(i % 5) - 1;
    const int b = static_cast<int>(i / 5) - 1;
    Vec3 point = coarse.centre();
    const bool is_beyond =
        (b < 0 && (boundary & near_y) != 0) || (a < 0 && (boundary & near_x) != 0);
    if (a < 2 && b < 2)
      point = point_in_ring(fine, quad.k, a, b, is_beyond, point);
    else if (!is_beyond && item.place.level == 1 && a >= 2 && b >= 2)
      point = point_of_other_centre(application, quad, a, b, point);
    else if (!is_beyond)
      point = fine_point(shared.coarse, a, b, boundary);
    shared.fine[i] = point;
  }
  lanes.sync();
  if (rank < 4) emit_part(application, quad, coarse, boundary, shared.fine, rank, emit);
}

// --- Regular-Patch

// The basis functions of a uniform cubic B-spline at t, and their slopes; symmetric in t and 1 - t,
// bit by bit.
struct Weights {
  float at[4], slope[4];
};
__device__ inline Weights weights_of(float t) {
  const float s = 1.0F - t;
  constexpr float sixth = 1.0F / 6.0F;
  const auto inner = [](float x) { return (3.0F * x - 6.0F) * x * x + 4.0F; };
  return {{s * s * s * sixth, inner(t) * sixth, inner(s) * sixth, t * t * t * sixth},
          {-0.5F * s * s, (1.5F * t - 2.0F) * t, (2.0F - 1.5F * s) * s, 0.5F * t * t}};
}

template <class Lanes, class Emit>
__device__ void Regular::execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit) {
  const unsigned rank = lanes.rank();
  const Place& place = item.place;
  if (place.cells > most_grid) {
    for (unsigned i = rank; i < 25; i += lanes_of_patch) {
      const int a = static_cast<int>(i % 5) - 1;
      const int b = static_cast<int>(i / 5) - 1;
      const bool is_beyond =
          (b < 0 && (place.boundary & near_y) != 0) || (a < 0 && (place.boundary & near_x) != 0);
      shared.fine[i] = is_beyond ? item.net.points[5] : fine_point(item.net, a, b, place.boundary);
    }
    lanes.sync();
    if (rank < 4)
      emit(Regular{},
           {part_of(place, rank % 2, rank / 2), part_of(shared.fine, rank % 2, rank / 2)});
    return;
  }

  // Points beyond a boundary, chosen so that the surface ends with the boundary's own curve.
  const unsigned x = rank % 4;
  const unsigned y = rank / 4;
  Vec3 own = item.net.points[rank];
  const auto beyond_y = [&item](unsigned column) {
    return item.net.points[4 + column] * 2.0F - item.net.points[8 + column];
  };
  if (y == 0 && (place.boundary & near_y) != 0) own = beyond_y(x);
  if (x == 0 && (place.boundary & near_x) != 0)
    own = y == 0 && (place.boundary & near_y) != 0
              ? beyond_y(1) * 2.0F - beyond_y(2)
              : item.net.points[4 * y + 1] * 2.0F - item.net.points[4 * y + 2];
  shared.coarse.points[rank] = own;
  lanes.sync();

  const std::uint32_t cells = place.cells;
  const float step = 1.0F / static_cast<float>(cells);
  for (std::uint32_t i = rank; i < (cells + 1) * (cells + 1); i += lanes_of_patch) {
    const std::uint32_t column = i % (cells + 1);
    const std::uint32_t row = i / (cells + 1);
    const std::uint32_t at_x = place.x + column;
    const std::uint32_t at_y = place.y + row;
    if (!application.is_own(place, at_x, at_y)) continue;
    const Weights u = weights_of(static_cast<float>(column) * step);
    const Weights v = weights_of(static_cast<float>(row) * step);
    Vec3 position{0, 0, 0}, along{0, 0, 0}, across{0, 0, 0};
    for (unsigned k = 0; k < 16; ++k) {
      const Vec3 p = shared.coarse.points[k];
      position = position + p * (u.at[k % 4] * v.at[k / 4]);
      along = along + p * (u.slope[k % 4] * v.at[k / 4]);
      across = across + p * (u.at[k % 4] * v.slope[k / 4]);
    }
    const std::uint32_t n = subdivision_cells(application.level_of(place.corner));
    const bool is_turned = place.region == Region::at_face;
    const std::uint32_t vertex = application.places().of(place.corner, is_turned ? n - at_x : at_x,
                                                         is_turned ? n - at_y : at_y);
    application.put_vertex(vertex, position, cross(along, across));
  }
  float kind = 0.5F;
  if (place.region == Region::whole) kind = application.is_regular(place.corner) ? 0.0F : 1.0F;
  for (std::uint32_t i = rank; i < cells * cells; i += lanes_of_patch)
    application.put_cell(place, place.x + i % cells, place.y + i / cells, kind);
}

}  // namespace warpview::WARPVIEW_BACKEND::subdivision
