// Runs subdivision on a scheduler, after computing its first steps: gpu/applications/subdivision.h.
#include "gpu/applications/subdivision.h"

#include "gpu/applications/subdivision_procedures.h"
#include "gpu/primitives/schedule/schedulers.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr std::uint32_t lowerings = most_subdivision_level + 1;

// --- points of the first two steps, one thread each

__device__ Vec3 face_point(const SubdivisionMesh& mesh, std::uint32_t f) {
  const std::uint32_t begin = mesh.face_begin[f];
  const std::uint32_t end = mesh.face_begin[f + 1];
  Vec3 sum{0.0F, 0.0F, 0.0F};
  for (std::uint32_t c = begin; c < end; ++c) sum = sum + mesh.positions[mesh.vertex[c]];
  return sum * (1.0F / static_cast<float>(end - begin));
}
__device__ Vec3 end_of(const SubdivisionMesh& mesh, std::uint32_t corner) {
  return mesh.positions[mesh.vertex[mesh.next(corner)]];
}

__global__ void face_points_kernel(SubdivisionPointsArgs args) {
  const std::uint32_t f = global_thread();
  if (f < args.mesh.faces) args.points.faces[f] = face_point(args.mesh, f);
}

__global__ void edge_points_kernel(SubdivisionPointsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const std::uint32_t e = global_thread();
  if (e >= mesh.edges) return;
  const std::uint32_t corner = mesh.edge_corners[std::size_t{2} * e];
  const std::uint32_t other = mesh.edge_corners[std::size_t{2} * e + 1];
  const Vec3 a = mesh.positions[mesh.vertex[corner]];
  const Vec3 b = end_of(mesh, corner);
  args.points.edges[e] = other == no_corner
                             ? (a + b) * 0.5F
                             : subdivision_edge(a, b, args.points.faces[mesh.face[corner]],
                                                args.points.faces[mesh.face[other]]);
}

__global__ void vertex_points_kernel(SubdivisionPointsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const std::uint32_t v = global_thread();
  if (v >= mesh.vertices) return;
  const std::uint32_t begin = mesh.fan_begin[v];
  const std::uint32_t end = mesh.fan_begin[v + 1];
  const Vec3 at = mesh.positions[v];
  if (mesh.is_open(v)) {
    const Vec3 last = mesh.positions[mesh.vertex[mesh.before(mesh.fan[end - 1])]];
    args.points.vertices[v] = subdivision_curve(end_of(mesh, mesh.fan[begin]), at, last);
    return;
  }
  Vec3 faces{0.0F, 0.0F, 0.0F}, ends{0.0F, 0.0F, 0.0F};
  for (std::uint32_t i = begin; i < end; ++i) {
    faces = faces + args.points.faces[mesh.face[mesh.fan[i]]];
    ends = ends + end_of(mesh, mesh.fan[i]);
  }
  args.points.vertices[v] = subdivision_vertex(at, faces, ends, static_cast<float>(end - begin));
}

__global__ void second_points_kernel(SubdivisionPointsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const SubdivisionPoints& points = args.points;
  const std::uint32_t i = global_thread();
  if (i >= mesh.centres()) return;
  const bool is_vertex = i < mesh.vertices;
  const std::uint32_t f = i - mesh.vertices;
  const std::uint32_t begin = is_vertex ? mesh.fan_begin[i] : mesh.face_begin[f];
  const std::uint32_t end = is_vertex ? mesh.fan_begin[i + 1] : mesh.face_begin[f + 1];
  const Vec3 at = is_vertex ? points.vertices[i] : points.faces[f];
  if (is_vertex && mesh.is_open(i)) {
    points.second[i] = subdivision_curve(points.edges[mesh.edge[mesh.fan[begin]]], at,
                                         points.edges[mesh.edge[mesh.before(mesh.fan[end - 1])]]);
    return;
  }
  Vec3 faces{0.0F, 0.0F, 0.0F}, ends{0.0F, 0.0F, 0.0F};
  for (std::uint32_t k = begin; k < end; ++k) {
    const std::uint32_t c = is_vertex ? mesh.fan[k] : k;
    const Vec3 after = points.edges[mesh.edge[c]];
    faces =
        faces + subdivision_mean(points.vertices[mesh.vertex[c]], after, points.faces[mesh.face[c]],
                                 points.edges[mesh.edge[mesh.before(c)]]);
    ends = ends + after;
  }
  points.second[i] = subdivision_vertex(at, faces, ends, static_cast<float>(end - begin));
}

// --- levels

__device__ std::uint32_t lowered_by(std::uint32_t level, std::uint32_t by) {
  return level > by ? level - by : 0;
}
__device__ void count(const SubdivisionLevels& levels, std::uint32_t by, std::uint32_t triangles,
                      std::uint32_t vertices) {
  if (triangles > 0) atomicAdd(&levels.totals[std::size_t{2} * by], std::uint64_t{triangles});
  if (vertices > 0) atomicAdd(&levels.totals[std::size_t{2} * by + 1], std::uint64_t{vertices});
}

__global__ void edge_levels_kernel(SubdivisionLevelsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const SubdivisionView& view = *args.view;
  const std::uint32_t e = global_thread();
  if (e >= mesh.edges) return;
  std::uint32_t level = view.level;
  if (view.adapts != 0) {
    const std::uint32_t corner = mesh.edge_corners[std::size_t{2} * e];
    const Vec3 a = args.points[mesh.vertex[corner]];
    const Vec3 b = args.points[mesh.vertex[mesh.next(corner)]];
    const Vec3 to_eye = view.eye - (a * 0.5F + b * 0.5F);
    const float length = std::sqrt(dot(b - a, b - a));
    // The eye may be on the edge: half its length is the least distance.
    const float away = max_of(std::sqrt(dot(to_eye, to_eye)), 0.5F * length);
    const float seen = length * view.pixels;
    float least = view.size * away;
    for (level = 0; level < view.level && seen > least; ++level) least *= 2.0F;
  }
  args.levels.edges[e] = level;
  for (std::uint32_t by = 0; by < lowerings; ++by)
    count(args.levels, by, 0, subdivision_on_edge(lowered_by(level, by)));
}

__global__ void face_levels_kernel(SubdivisionLevelsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const std::uint32_t f = global_thread();
  if (f >= mesh.faces) return;
  std::uint32_t level = 0;
  for (std::uint32_t c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c) {
    const std::uint32_t of_edge = args.levels.edges[mesh.edge[c]];
    if (of_edge > level) level = of_edge;
  }
  args.levels.faces[f] = level;
  const std::uint32_t m = mesh.valence_of_face(f);
  for (std::uint32_t by = 0; by < lowerings; ++by) {
    const std::uint32_t lowered = lowered_by(level, by);
    count(args.levels, by, subdivision_triangles(m, lowered), subdivision_inner(m, lowered));
  }
}

__global__ void lowering_kernel(SubdivisionLevelsArgs args) {
  if (global_thread() > 0) return;
  std::uint32_t by = 0;
  while (by + 1 < lowerings &&
         (args.levels.totals[std::size_t{2} * by] > args.most_triangles ||
          args.levels.totals[std::size_t{2} * by + 1] + args.mesh.vertices > args.most_vertices))
    ++by;
  *args.levels.lowered = by;
  const auto triangles = static_cast<std::uint32_t>(args.levels.totals[std::size_t{2} * by]);
  const auto others = static_cast<std::uint32_t>(args.levels.totals[std::size_t{2} * by + 1]);
  *args.counts = {triangles, 3 * triangles, others + args.mesh.vertices, 0};
}

// The counts of each edge and face, to be summed.
__global__ void shares_kernel(SubdivisionLevelsArgs args) {
  const SubdivisionMesh& mesh = args.mesh;
  const SubdivisionLevels& levels = args.levels;
  const std::uint32_t i = global_thread();
  const std::uint32_t by = *levels.lowered;
  if (i < mesh.edges) {
    const std::uint32_t level = lowered_by(levels.edges[i], by);
    levels.edges[i] = level;
    levels.places[i] = subdivision_on_edge(level);
  }
  if (i < mesh.faces) {
    const std::uint32_t level = lowered_by(levels.faces[i], by);
    const std::uint32_t m = mesh.valence_of_face(i);
    levels.faces[i] = level;
    levels.places[mesh.edges + i] = subdivision_inner(m, level);
    levels.places[mesh.edges + mesh.faces + i] = subdivision_triangles(m, level);
  }
  if (i == 0) levels.places[mesh.edges + 2 * mesh.faces] = 0;
}

}  // namespace

void subdivision_points(Stream& stream, const SubdivisionPointsArgs& args, Scratch& scratch) {
  const SubdivisionMesh& mesh = args.mesh;
  if (scratch.measuring() || mesh.faces == 0) return;
  launch(stream, KERNEL(face_points_kernel), one_thread_each(mesh.faces), args);
  launch(stream, KERNEL(edge_points_kernel), one_thread_each(mesh.edges), args);
  launch(stream, KERNEL(vertex_points_kernel), one_thread_each(mesh.vertices), args);
  launch(stream, KERNEL(second_points_kernel), one_thread_each(mesh.centres()), args);
}

void subdivision_levels(Stream& stream, const SubdivisionLevelsArgs& args, Scratch& scratch) {
  const SubdivisionMesh& mesh = args.mesh;
  const std::uint32_t places = mesh.edges + 2 * mesh.faces + 1;
  if (!scratch.measuring()) {
    stream.fill(args.levels.totals, 0, std::size_t{2} * lowerings * sizeof *args.levels.totals);
    if (mesh.faces > 0) {
      launch(stream, KERNEL(edge_levels_kernel), one_thread_each(mesh.edges), args);
      launch(stream, KERNEL(face_levels_kernel), one_thread_each(mesh.faces), args);
    }
    launch(stream, KERNEL(lowering_kernel), one_thread_each(1), args);
    launch(stream, KERNEL(shares_kernel),
           one_thread_each(mesh.edges > mesh.faces ? mesh.edges : mesh.faces + 1), args);
  }
  args.scan(stream, {.in = args.levels.places, .out = args.levels.places, .n = places}, scratch);
}

void subdivide(Stream& stream, const SubdivisionArgs& args, Scratch& scratch) {
  const subdivision::Application application{args.mesh, args.points, args.levels,
                                             args.view, args.rings,  args.surface};
  if (!scratch.measuring() && args.most_triangles > 0) {
    const SubdivisionSurface& surface = args.surface;
    const std::size_t words = args.most_triangles * sizeof(std::uint32_t);
    stream.fill(surface.vertices, 0, args.most_vertices * sizeof *surface.vertices);
    stream.fill(surface.indices, 0, 3 * words);
    stream.fill(surface.material, 0, words);
    stream.fill(surface.values, 0, words);
    stream.fill(surface.face, 0, words);
  }
  const schedule::Run run{stream,        application, args.mesh.centres(),
                          args.settings, scratch,     args.host};
  schedule::run_by(args.scheduler, run);
}

}  // namespace warpview::WARPVIEW_BACKEND
