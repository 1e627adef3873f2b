// Subdivision as procedures for the schedulers: gpu/applications/subdivision.h says what they
// compute.
//
//     begin --> Poly-Patch --> Quad-Patch --> Quad-Patch ...
//                   |              |
//                   +--------------+--> Regular-Patch --> Regular-Patch ...
//
// Poly-Patch has a centre, that is a vertex or a face of any valence, and all that lies around it:
// a ring of points, which it divides as often as will be needed. Quad-Patch has one quad of such a
// ring: of the four that it becomes three are regular, and the one at the centre is a Quad-Patch
// again. Regular-Patch has 4 x 4 control points: it is divided while it is large, and then a grid
// of points and triangles. Each has 16 lanes.
#pragma once

#include "gpu/applications/subdivision.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/random.h"

namespace warpview::WARPVIEW_BACKEND::subdivision {

struct Application;

inline constexpr unsigned lanes_of_patch = 16;
// A regular patch of more cells along a side is divided first.
inline constexpr std::uint32_t most_grid = 8;

// Where in a corner's quad a patch lies. It counts from the vertex, or from the point of the face:
// then both coordinates run the other way.
enum class Region : std::uint32_t {
  whole,      // the whole quad, which is regular after one step
  along_x,    // the quarter beside that of the vertex, along x
  along_y,    // and along y
  at_vertex,  // within the quarter of the vertex
  at_face     // within that of the face's point
};
// Which of its control points do not exist, as its side lies on the boundary: those with y = 0, or
// with x = 0. Or which of the points that a quad ends with are on the boundary.
inline constexpr std::uint32_t near_y = 1, near_x = 2, far_x = 4, far_y = 8;

struct Place {
  std::uint32_t corner;
  Region region;
  std::uint32_t level;  // how often it was divided
  std::uint32_t x, y;   // its first cell, and how many along each side
  std::uint32_t cells;
  std::uint32_t boundary;
};

struct Poly : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Poly>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    std::uint32_t centre;
  };
  struct Shared {
    Vec3 diagonals[lanes_of_patch], ends[lanes_of_patch];  // sums
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

// Control points of a quad and what is around it, four in a row, y by y. Its own are 5, 6, 9 and
// 10; of a quad with an extraordinary centre that is 5, and 0 has no meaning.
struct Net {
  Vec3 points[16];
};

struct Quad : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Quad>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    Place place;
    Vec3 outer[7];  // those that do not touch the centre's quads: 3, 7, 11, 15, 14, 13, 12
  };
  struct Shared {
    Net coarse;
    Vec3 fine[25];  // around it, after a step: from -1 to 3, y by y
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Regular : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Regular>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    Place place;
    Net net;
  };
  struct Shared {
    Net coarse;
    Vec3 fine[25];
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Application {
  using Procedures = schedule::Procedures<Poly, Quad, Regular>;

  SubdivisionMesh mesh;
  SubdivisionPoints points;
  SubdivisionLevels levels;
  const SubdivisionView* view;
  Vec3* rings;
  SubdivisionSurface surface;

  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    emit(Poly{}, {i});
  }

  __device__ std::uint32_t level_of(std::uint32_t corner) const {
    return levels.faces[mesh.face[corner]];
  }
  // Is its quad so after one step?
  __device__ bool is_regular(std::uint32_t corner) const {
    return mesh.valence_of_face(mesh.face[corner]) == 4 && mesh.is_regular(mesh.vertex[corner]);
  }
  __device__ SubdivisionPlaces places() const { return {mesh, levels}; }

  __device__ float value_of(const Place& place, float kind) const {
    const std::uint32_t f = mesh.face[place.corner];
    const auto hashed = [](std::uint32_t key) {
      return static_cast<float>(scramble(key * 0x9e3779b9U + 1) >> 8U) * 0x1p-24F;
    };
    switch (view->colouring) {
      case SubdivisionColouring::faces:
        return hashed(f);
      case SubdivisionColouring::patches:
        return hashed(place.corner ^ scramble(static_cast<std::uint32_t>(place.region) << 20U |
                                              place.level << 16U | place.y << 8U | place.x));
      case SubdivisionColouring::kind:
        return kind;
      case SubdivisionColouring::level:
        return static_cast<float>(levels.faces[f]) / most_subdivision_level;
      case SubdivisionColouring::valence: {
        const std::uint32_t v = mesh.vertex[place.corner];
        const std::uint32_t n =
            mesh.fan_begin[v + 1] - mesh.fan_begin[v] + (mesh.is_open(v) ? 1 : 0);
        constexpr std::uint32_t most = 8;
        return static_cast<float>((n < 2 ? 2 : n > most ? most : n) - 2) / (most - 2);
      }
      default:
        return 0.0F;
    }
  }
  __device__ void put_triangle(std::uint32_t t, std::uint32_t f, std::uint32_t a, std::uint32_t b,
                               std::uint32_t c, float value) const {
    std::uint32_t* const corners = surface.indices + std::size_t{3} * t;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    surface.material[t] = mesh.material[f];
    surface.values[t] = value;
    surface.face[t] = f;
  }
  // Two triangles, of the cell (x, y) of a region.
  __device__ void put_cell(const Place& place, std::uint32_t x, std::uint32_t y, float kind) const {
    const std::uint32_t corner = place.corner;
    const std::uint32_t f = mesh.face[corner];
    const std::uint32_t n = subdivision_cells(levels.faces[f]);
    if (place.region == Region::at_face) {
      x = n - 1 - x;
      y = n - 1 - y;
    }
    const SubdivisionPlaces of = places();
    const std::uint32_t around[4] = {of.of(corner, x, y), of.of(corner, x + 1, y),
                                     of.of(corner, x + 1, y + 1), of.of(corner, x, y + 1)};
    const std::uint32_t t =
        of.first_triangle(f) + 2 * ((corner - mesh.begin_of(corner)) * n * n + y * n + x);
    const float value = value_of(place, kind);
    put_triangle(t, f, around[0], around[1], around[2], value);
    put_triangle(t + 1, f, around[0], around[2], around[3], value);
  }
  // Is place (x, y) of a region for this patch to write?
  __device__ bool is_own(const Place& place, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t n = subdivision_cells(level_of(place.corner));
    const std::uint32_t half = n / 2;
    // What lies between two patches is of the one that begins there; what is farthest out, and
    // between quarters, of those that are no centre's.
    std::uint32_t last_x = ~0U, last_y = ~0U;
    if (place.region == Region::whole) last_x = last_y = n;
    if (place.region == Region::along_x) last_x = n, last_y = half;
    if (place.region == Region::along_y) last_x = half, last_y = n;
    if (x == place.x + place.cells && x != last_x) return false;
    if (y == place.y + place.cells && y != last_y) return false;
    if (place.region == Region::along_y && x == half && y == half) return false;
    if (place.region == Region::at_face) return places().is_own(place.corner, n - x, n - y);
    return places().is_own(place.corner, x, y);
  }
  __device__ void put_vertex(std::uint32_t i, Vec3 position, Vec3 normal) const {
    const float square = dot(normal, normal);
    const Vec3 unit =
        square > 0.0F && square < 3e38F ? normal * (1.0F / std::sqrt(square)) : Vec3{0, 0, 1};
    surface.vertices[i] = {position, unit, {0.0F, 0.0F}};
  }
};

// --- rings

// The points around a centre after some steps: the other ends of its edges, and what lies across
// its quads, each by number from the fan's first quad on.
struct Ring {
  Vec3* points;
  std::uint32_t n;  // quads
  bool is_open;

  __device__ std::uint32_t ends() const { return is_open ? n + 1 : n; }
  __device__ std::uint32_t before(std::uint32_t k) const { return is_open ? k - 1 : k + n - 1; }
  __device__ Vec3& centre() const { return points[0]; }
  // Numbers beyond the last go around.
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

// Where the centre comes to lie in the end, and the normal there: across two directions that are
// what a step's largest eigenvalues leave of the ring. At the boundary one is along it, and the
// other, over angles from 0 to pi, has weights for which a step of the rules multiplies all of it
// by `value`.
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
      // Of differences to the centre, whose own share so does not matter.
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
  // Two faces, back to back: which of the two sides is meant is open.
  if (n <= 2) {
    normal = {0, 0, 0};
    for (std::uint32_t k = 0; k < n; ++k)
      normal = normal + cross(ring.end(k) - at, ring.diagonal(k) - at) +
               cross(ring.diagonal(k) - at, ring.end(k + 1) - at);
  }
  application.put_vertex(vertex, place, normal);
}

// Which sides of the k-th quad of a ring are on the boundary.
__device__ inline std::uint32_t boundary_of(const Ring& ring, std::uint32_t k) {
  return (ring.is_open && k == 0 ? near_y : 0) | (ring.is_open && k + 1 == ring.n ? near_x : 0);
}
// The i-th control point of that quad: of the ring, or what lies beyond. One that does not exist is
// the centre.
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

// What else is around a quad after the first step. Points that do not exist are the quad's own.
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
// The same seen from the point of the face.
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

// The point (a, b), -1 to 3, after a step: 0 and 2 are those of the quad's corners. It must have
// all points around it, but for those beyond a boundary.
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
// Of a quad's four parts, that at (i, j).
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

// --- the procedures

template <class Lanes, class Emit>
__device__ void Poly::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit& emit) {
  const SubdivisionMesh& mesh = application.mesh;
  const SubdivisionPoints& points = application.points;
  const unsigned rank = lanes.rank();
  const std::uint32_t centre = item.centre;
  const bool is_vertex = centre < mesh.vertices;
  const std::uint32_t f = centre - mesh.vertices;
  const Ring first = ring_of(application, centre, 1);
  const std::uint32_t n = first.n;
  const bool is_regular = n == (first.is_open ? 2 : 4);

  // How far the faces around it are divided.
  const auto larger = [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; };
  std::uint32_t level = 0;
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch)
    level = larger(level, application.level_of(corner_at(mesh, centre, k)));
  level = lanes.reduce(level, larger);
  if (!is_vertex && level == 0) {
    // A fan around its first corner.
    const std::uint32_t corner = mesh.face_begin[f];
    const std::uint32_t t = application.places().first_triangle(f);
    const float value = application.value_of({corner, Region::whole, 0, 0, 0, 0, 0}, 0.0F);
    for (std::uint32_t k = rank; k + 2 < n; k += lanes_of_patch)
      application.put_triangle(t + k, f, mesh.vertex[corner], mesh.vertex[corner + k + 1],
                               mesh.vertex[corner + k + 2], value);
    return;
  }

  // After the first step.
  if (rank == 0) first.centre() = is_vertex ? points.vertices[centre] : points.faces[f];
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch) {
    const std::uint32_t corner = corner_at(mesh, centre, k);
    const std::uint32_t before = mesh.before(corner);
    first.end(k) = points.edges[mesh.edge[is_vertex ? corner : before]];
    first.diagonal(k) =
        is_vertex ? points.faces[mesh.face[corner]] : points.vertices[mesh.vertex[corner]];
    if (first.is_open && k + 1 == n) first.end(n) = points.edges[mesh.edge[before]];
  }
  lanes.sync();
  if (rank == 0) {
    const std::uint32_t cells = subdivision_cells(level);
    const std::uint32_t vertex =
        is_vertex ? centre : application.places().of(mesh.face_begin[f], cells, cells);
    put_centre(application, vertex, first);
  }

  // And after those that follow; of a regular one nobody asks for more than two.
  const std::uint32_t last = is_regular && level > 2 ? 2 : level;
  for (std::uint32_t step = 1; step < last; ++step) {
    const Ring from = ring_of(application, centre, step);
    const Ring to = ring_of(application, centre, step + 1);
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

  // The quads around it.
  for (std::uint32_t k = rank; k < n; k += lanes_of_patch) {
    const std::uint32_t corner = corner_at(mesh, centre, k);
    const std::uint32_t face_level = application.level_of(corner);
    if (face_level == 0) continue;
    const bool is_whole = application.is_regular(corner);
    Place place{corner, Region::whole, 1, 0, 0, subdivision_cells(face_level), 0};
    Quad::Item quad;
    if (is_vertex) {
      outer_of_vertex(mesh, points, corner, quad.outer);
      if (is_whole || face_level == 1) {
        Regular::Item regular{place, {}};
        regular.place.boundary = boundary_of(first, k);
        for (unsigned i = 0; i < 16; ++i)
          regular.net.points[i] = net_point(first, k, quad.outer, i);
        emit(Regular{}, regular);
        continue;
      }
      place.region = Region::at_vertex;
    } else {
      if (is_whole || face_level == 1) continue;
      place.region = Region::at_face;
      outer_of_face(mesh, points, corner, quad.outer, place.boundary);
    }
    quad.place = place;
    emit(Quad{}, quad);
  }
}

template <class Lanes, class Emit>
__device__ void Quad::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit& emit) {
  const SubdivisionMesh& mesh = application.mesh;
  const unsigned rank = lanes.rank();
  const Place& place = item.place;
  const std::uint32_t corner = place.corner;
  const std::uint32_t f = mesh.face[corner];
  const bool is_vertex = place.region == Region::at_vertex;
  const std::uint32_t centre = is_vertex ? mesh.vertex[corner] : mesh.vertices + f;
  const std::uint32_t k = is_vertex ? mesh.sector[corner] : corner - mesh.face_begin[f];
  const Ring coarse = ring_of(application, centre, place.level);
  const Ring fine = ring_of(application, centre, place.level + 1);
  const std::uint32_t boundary = place.boundary | boundary_of(coarse, k);
  shared.coarse.points[rank] = net_point(coarse, k, item.outer, rank);
  lanes.sync();

  // Points after a step. What touches the centre's quads is in its ring.
  for (unsigned i = rank; i < 25; i += lanes_of_patch) {
    const int a = static_cast<int>(i % 5) - 1;
    const int b = static_cast<int>(i / 5) - 1;
    Vec3 point = coarse.centre();
    const bool is_beyond =
        (b < 0 && (boundary & near_y) != 0) || (a < 0 && (boundary & near_x) != 0);
    if (a < 2 && b < 2) {
      if (a < 0 && b < 0) {
        if (fine.n == 4 && !fine.is_open) point = fine.diagonal(k + 2);
      } else if (is_beyond) {
      } else if (a == 1 && b == 1) {
        point = fine.diagonal(k);
      } else if (a == 0 && b == 0) {
        point = fine.centre();
      } else if (b < 0) {
        point = a == 0 ? fine.end(fine.before(k)) : fine.diagonal(fine.before(k));
      } else if (a < 0) {
        point = b == 0 ? fine.end(k + 2) : fine.diagonal(k + 1);
      } else {
        point = a == 1 ? fine.end(k) : fine.end(k + 1);
      }
    } else if (!is_beyond && place.level == 1 && a >= 2 && b >= 2) {
      // Here is another centre, of a ring that is not there yet.
      const SubdivisionPoints& points = application.points;
      if (a == 2 && b == 2) {
        point = points.second[is_vertex ? mesh.vertices + f : mesh.vertex[corner]];
      } else if (is_vertex && a + b == 5) {
        // On an edge of the face's point, between two of its quads.
        const std::uint32_t other = a == 3 ? mesh.next(corner) : mesh.before(corner);
        const std::uint32_t beyond = a == 3 ? mesh.next(other) : mesh.before(other);
        const Vec3 middle = points.faces[f];
        const auto edge = [&](std::uint32_t of) { return points.edges[mesh.edge[of]]; };
        const auto quad = [&](std::uint32_t of) {
          return subdivision_mean(points.vertices[mesh.vertex[of]], edge(of), middle,
                                  edge(mesh.before(of)));
        };
        point = subdivision_edge(middle, edge(a == 3 ? other : beyond), quad(other), quad(beyond));
      }
    } else if (!is_beyond) {
      point = fine_point(shared.coarse, a, b, boundary);
    }
    shared.fine[i] = point;
  }
  lanes.sync();

  // Its four parts, a lane for each.
  if (rank >= 4) return;
  const unsigned i = rank % 2;
  const unsigned j = rank / 2;
  Place part = part_of(place, i, j);
  part.boundary = (j == 0 ? boundary & near_y : 0) | (i == 0 ? boundary & near_x : 0);
  const bool is_first = place.level == 1;
  if (is_first && (is_vertex ? rank == 3 : rank != 0)) return;  // another centre's
  if (is_first && rank == 1) part.region = Region::along_x;
  if (is_first && rank == 2) part.region = Region::along_y;
  if (rank != 0 || coarse.n == (coarse.is_open ? 2 : 4)) {
    emit(Regular{}, {part, part_of(shared.fine, i, j)});
  } else if (part.cells == 1) {
    application.put_cell(part, part.x, part.y, 1.0F);
  } else {
    Item quad{part, {}};
    constexpr int outer[7][2] = {{2, -1}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {-1, 2}};
    for (unsigned o = 0; o < 7; ++o) quad.outer[o] = fine_at(shared.fine, outer[o][0], outer[o][1]);
    quad.place.boundary = 0;
    emit(Quad{}, quad);
  }
}

// The curves of a uniform cubic B-spline at t, and their slopes; the same bits for s = 1 - t, the
// other way around.
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

  // Beyond a boundary, points such that the surface ends with the boundary's own curve.
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
