// Catmull-Clark subdivision: faces of any number of corners, divided repeatedly, become a smooth
// surface, which is drawn as a grid of triangles on it.
//
//   E. Catmull, J. Clark, "Recursively Generated B-spline Surfaces on Arbitrary Topological
//   Meshes", Computer-Aided Design 10(6), 1978: the rules.
//   J. Stam, "Exact Evaluation of Catmull-Clark Subdivision Surfaces at Arbitrary Parameter
//   Values", SIGGRAPH 1998: patches with one extraordinary vertex, of which three quarters are
//   regular a step later.
//   M. Halstead, M. Kass, T. DeRose, "Efficient, Fair Interpolation using Catmull-Clark Surfaces",
//   SIGGRAPH 1993: the limit position of a vertex, and the normal there.
//   H. Biermann, A. Levin, D. Zorin, "Piecewise Smooth Subdivision Surfaces with Normal Control",
//   SIGGRAPH 2000: the eigenvalues of the rules at the boundary.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its procedures, as a load for schedulers.
//
// A step makes a point of each face, edge and vertex. A face of m corners becomes m quads, which
// are named after its corners: the quad of corner c has the vertex of c, then the points of the
// edge to the next corner, of the face, and of the edge before. A face of level L, 1 to 6, is
// divided L times, so that each of its quads is N x N cells of two triangles, N = 2^(L - 1). In
// such a quad (x, y) counts from the vertex: along the edge to the next corner, and along the edge
// before.
//
// The points drawn lie on the limit surface, not on the mesh after L steps: levels differ in the
// number of points, not in their positions. A point that several faces share exists once, and its
// position determines which quad writes it. Neighbours of different levels thus leave no cracks,
// and the result does not depend on any order.
//
// All of it is compiled without fused multiply-adds, so that all kernels compute the same numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/mesh.h"

namespace warpview {

class HostLoop;

inline constexpr std::uint32_t most_subdivision_level = 6;
inline constexpr std::uint32_t no_corner = 0xffffffffU;

// A mesh of polygons whose surface is a manifold, possibly with boundary: an edge has one face or
// two, which traverse it in opposite directions, and the faces around a vertex form one fan. In
// device memory, or in the host's for the reference. Corners of a face have consecutive indices,
// counter-clockwise.
struct SubdivisionMesh {
  std::uint32_t vertices = 0, edges = 0, faces = 0, corners = 0;
  const Vec3* positions = nullptr;            // [vertices]
  const std::uint32_t* face_begin = nullptr;  // [faces + 1]: first corners
  const std::uint32_t* vertex = nullptr;      // [corners]
  const std::uint32_t* edge = nullptr;        // [corners]: from this corner to the next
  const std::uint32_t* face = nullptr;        // [corners]
  const std::uint32_t* sector = nullptr;      // [corners]: its place in its vertex's fan
  // The corners at a vertex, counter-clockwise. At a boundary, the edge of the first one is on it,
  // and so is the edge before the last one.
  const std::uint32_t* fan_begin = nullptr;  // [vertices + 1]
  const std::uint32_t* fan = nullptr;        // [corners]
  // The one or two corners of each edge, the lower one first; no_corner for a boundary edge.
  const std::uint32_t* edge_corners = nullptr;  // [2 edges]
  const std::uint32_t* material = nullptr;      // [faces]

  HOST_DEVICE std::uint32_t centres() const { return vertices + faces; }
  HOST_DEVICE std::uint32_t begin_of(std::uint32_t corner) const {
    return face_begin[face[corner]];
  }
  HOST_DEVICE std::uint32_t next(std::uint32_t corner) const {
    return corner + 1 < face_begin[face[corner] + 1] ? corner + 1 : begin_of(corner);
  }
  HOST_DEVICE std::uint32_t before(std::uint32_t corner) const {
    return corner > begin_of(corner) ? corner - 1 : face_begin[face[corner] + 1] - 1;
  }
  HOST_DEVICE std::uint32_t valence_of_face(std::uint32_t f) const {
    return face_begin[f + 1] - face_begin[f];
  }
  // The other corner of the same edge; no_corner at the boundary.
  HOST_DEVICE std::uint32_t across(std::uint32_t corner) const {
    const std::uint32_t* const pair = edge_corners + std::size_t{2} * edge[corner];
    return pair[0] == corner ? pair[1] : pair[0];
  }
  HOST_DEVICE bool is_open(std::uint32_t v) const { return across(fan[fan_begin[v]]) == no_corner; }
  // Whether the surface around it is a bicubic B-spline after a step.
  HOST_DEVICE bool is_regular(std::uint32_t v) const {
    return fan_begin[v + 1] - fan_begin[v] == (is_open(v) ? 2 : 4);
  }
};

// --- points of the first two steps

// A centre is what a fan of quads surrounds after the first step: a vertex, or the point of a face.
// The indices of face points follow those of the vertices.
struct SubdivisionPoints {
  Vec3* vertices = nullptr;  // [vertices] after one step
  Vec3* edges = nullptr;     // [edges] after one step
  Vec3* faces = nullptr;     // [faces] after one step
  Vec3* second = nullptr;    // [centres] after two steps
};
struct SubdivisionPointsArgs {
  SubdivisionMesh mesh;
  SubdivisionPoints points;
};

// --- how often faces are divided

enum class SubdivisionColouring : std::uint32_t {
  material,
  normal,
  faces,    // each face of the input
  patches,  // each patch that was drawn
  kind,     // regular at once, after several steps, or never
  level,
  valence  // of vertices
};

struct SubdivisionView {
  Vec3 eye;
  float pixels;          // size on the screen of an object as long as it is far away
  float size;            // the longest edge on the screen, in pixels, if `adapts`
  std::uint32_t adapts;  // otherwise all faces have the level
  std::uint32_t level;   // the highest level
  SubdivisionColouring colouring;
};

// The longest edge of a face determines how often the face is divided. Edges that are divided less
// often contribute only every second point, or every fourth ..., to both faces. If there are more
// triangles or vertices than room, all levels are lowered by one, to 0 at least, until they fit.
struct SubdivisionLevels {
  std::uint32_t* edges = nullptr;  // [edges]
  std::uint32_t* faces = nullptr;  // [faces]
  // [edges + 2 faces + 1]: first vertices of edges and then of faces, counted without the vertices
  // of the input; then first triangles of faces, counted on from there.
  std::uint32_t* places = nullptr;
  std::uint64_t* totals =
      nullptr;  // [2 (most level + 1)]: triangles and vertices for each lowering
  std::uint32_t* lowered = nullptr;  // [1] the lowering
};
struct SubdivisionLevelsArgs {
  SubdivisionMesh mesh;
  const Vec3* points = nullptr;           // [vertices]: by which edges are measured
  const SubdivisionView* view = nullptr;  // in device memory
  SubdivisionLevels levels;
  std::uint32_t most_triangles = 0, most_vertices = 0;
  MeshCounts* counts = nullptr;
  ScanFunction* scan = nullptr;
};

// --- the surface

enum class SubdivisionWork : std::uint32_t { poly, quad, regular };
inline constexpr unsigned subdivision_procedures = 3;

// The output, with room for the counts that `levels` were made for. Elements that were not written
// are 0: after a run that refused items, all indices are still valid.
struct SubdivisionSurface {
  Vertex* vertices = nullptr;         // without texture coordinates
  std::uint32_t* indices = nullptr;   // three for each triangle
  std::uint32_t* material = nullptr;  // of each triangle
  float* values = nullptr;            // of each triangle, 0 to 1, by SubdivisionColouring
  std::uint32_t* face = nullptr;      // of each triangle, in the input
};
// Room for the rings that the steps leave around centres: subdivision_ring_places(mesh) per level.
HOST_DEVICE inline std::uint64_t subdivision_ring_places(std::uint64_t corners,
                                                         std::uint64_t centres) {
  return 4 * corners + 2 * centres;
}
struct SubdivisionArgs {
  SubdivisionMesh mesh;
  SubdivisionPoints points;
  SubdivisionLevels levels;
  const SubdivisionView* view = nullptr;
  Vec3* rings = nullptr;  // [most_subdivision_level subdivision_ring_places()]
  SubdivisionSurface surface;
  std::uint32_t most_triangles = 0, most_vertices = 0;  // room for this many
  Scheduler scheduler{};
  ScheduleSettings settings{};  // capacity: by SubdivisionWork
  HostLoop* host = nullptr;     // for schedulers with host_looks()
};

// --- for kernels

HOST_DEVICE inline std::uint32_t subdivision_cells(std::uint32_t level) {
  return level == 0 ? 0 : 1U << (level - 1);
}
// Triangles of a face of m corners.
HOST_DEVICE inline std::uint32_t subdivision_triangles(std::uint32_t m, std::uint32_t level) {
  const std::uint32_t cells = subdivision_cells(level);
  return level == 0 ? m - 2 : 2 * m * cells * cells;
}
// Vertices within it, without those on its edges.
HOST_DEVICE inline std::uint32_t subdivision_inner(std::uint32_t m, std::uint32_t level) {
  const std::uint32_t cells = subdivision_cells(level);
  return level == 0 ? 0 : 1 + m * (cells - 1) * cells;
}
HOST_DEVICE inline std::uint32_t subdivision_on_edge(std::uint32_t level) {
  return (1U << level) - 1;
}

// The index of a vertex of the surface, by its place (x, y) in a corner's quad.
struct SubdivisionPlaces {
  const SubdivisionMesh& mesh;
  const SubdivisionLevels& levels;

  // For a corner's edge, the i-th of 2^level places along it.
  HOST_DEVICE std::uint32_t on_edge(std::uint32_t corner, std::uint32_t i,
                                    std::uint32_t level) const {
    const std::uint32_t e = mesh.edge[corner];
    const std::uint32_t own = levels.edges[e];
    const std::uint32_t fewer = level - own;
    const std::uint32_t first = mesh.edge_corners[std::size_t{2} * e];
    // Counted from the end where the first of the two faces begins, so that both get the same
    // index.
    if (first != corner) i = (1U << level) - i;
    const std::uint32_t place = (i + ((1U << fewer) >> 1U)) >> fewer;
    if (place == 0) return mesh.vertex[first];
    if (place == 1U << own) return mesh.vertex[mesh.next(first)];
    return mesh.vertices + levels.places[e] + place - 1;
  }
  HOST_DEVICE std::uint32_t of(std::uint32_t corner, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t f = mesh.face[corner];
    const std::uint32_t level = levels.faces[f];
    const std::uint32_t cells = subdivision_cells(level);
    if (x == 0 && y == 0) return mesh.vertex[corner];
    if (y == 0) return on_edge(corner, x, level);
    const std::uint32_t m = mesh.valence_of_face(f);
    if (x == 0) return on_edge(mesh.before(corner), 2 * cells - y, level);
    const std::uint32_t inner = mesh.vertices + levels.places[mesh.edges + f];
    const std::uint32_t first = mesh.face_begin[f];
    if (x == cells && y == cells) return inner;
    if (x == cells) return inner + 1 + (corner - first) * (cells - 1) + y - 1;
    if (y == cells) return inner + 1 + (mesh.before(corner) - first) * (cells - 1) + x - 1;
    return inner + 1 + m * (cells - 1) + (corner - first) * (cells - 1) * (cells - 1) +
           (y - 1) * (cells - 1) + x - 1;
  }
  // Whether this quad writes it: exactly one of all quads that share it does. Centres are excluded.
  HOST_DEVICE bool is_own(std::uint32_t corner, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t level = levels.faces[mesh.face[corner]];
    const std::uint32_t cells = subdivision_cells(level);
    if ((x == 0 && y == 0) || (x == cells && y == cells)) return false;
    if (x > 0 && y > 0) return y < cells;
    if (x == 0 && y == cells) return false;
    const std::uint32_t of = y == 0 ? corner : mesh.before(corner);
    const std::uint32_t e = mesh.edge[of];
    if (mesh.edge_corners[std::size_t{2} * e] != of) return false;
    const std::uint32_t along = y == 0 ? x : 2 * cells - y;
    return along % (1U << (level - levels.edges[e])) == 0;
  }
  HOST_DEVICE std::uint32_t first_triangle(std::uint32_t f) const {
    const std::uint32_t* const of_faces = levels.places + mesh.edges + mesh.faces;
    return of_faces[f] - of_faces[0];
  }
};

// The mean of a quad's corners, the same for any first corner.
HOST_DEVICE inline Vec3 subdivision_mean(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  return ((a + c) + (b + d)) * 0.25F;
}
HOST_DEVICE inline Vec3 subdivision_edge(Vec3 end, Vec3 other, Vec3 left, Vec3 right) {
  return ((end + other) + (left + right)) * 0.25F;
}
// The vertex rule on a curve.
HOST_DEVICE inline Vec3 subdivision_curve(Vec3 before, Vec3 at, Vec3 after) {
  return (at * 6.0F + (before + after)) * 0.125F;
}
// The vertex rule among n faces, by the sums of their points and of the other ends of n edges.
HOST_DEVICE inline Vec3 subdivision_vertex(Vec3 at, Vec3 faces, Vec3 ends, float n) {
  const float share = 1.0F / n;
  return (faces * share + ends * share + at * (n - 2.0F)) * share;
}

}  // namespace warpview
