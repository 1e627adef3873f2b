#include "scenes/parts/subdivision_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace warpview {
namespace {

using Point = std::array<double, 3>;

Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator*(const Point& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
double length(const Point& a) { return std::hypot(a[0], a[1], a[2]); }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Faces of any number of corners; of each corner, the edge to the next one.
struct Faces {
  std::vector<Point> points;
  std::vector<std::vector<std::uint32_t>> corners, edges;
  std::size_t edge_count = 0;
};

Faces faces_of(const Polygons& polygons) {
  Faces mesh;
  for (const Vec3& p : polygons.positions) mesh.points.push_back({p.x, p.y, p.z});
  for (std::size_t f = 0; f + 1 < polygons.face_begin.size(); ++f) {
    auto& corners = mesh.corners.emplace_back();
    auto& edges = mesh.edges.emplace_back();
    for (std::uint32_t c = polygons.face_begin[f]; c < polygons.face_begin[f + 1]; ++c) {
      corners.push_back(polygons.vertex[c]);
      edges.push_back(polygons.edge[c]);
    }
  }
  mesh.edge_count = polygons.edge_corners.size() / 2;
  return mesh;
}

Faces divided(const Faces& mesh) {
  struct Edge {
    std::uint32_t a = 0, b = 0;
    std::vector<std::uint32_t> faces;
  };
  std::vector<Point> of_faces;
  std::vector<Edge> edges(mesh.edge_count);
  for (std::size_t f = 0; f < mesh.corners.size(); ++f) {
    const auto& corners = mesh.corners[f];
    Point sum{};
    for (std::size_t k = 0; k < corners.size(); ++k) {
      sum = sum + mesh.points[corners[k]];
      Edge& edge = edges[mesh.edges[f][k]];
      edge.a = corners[k];
      edge.b = corners[(k + 1) % corners.size()];
      edge.faces.push_back(static_cast<std::uint32_t>(f));
    }
    of_faces.push_back(sum * (1.0 / static_cast<double>(corners.size())));
  }

  struct Around {
    Point faces{}, middles{}, ends{};  // sums: of face points, of edges' middles, of boundary ends
    std::size_t face_count = 0, edge_count = 0;
    bool is_open = false;
  };
  std::vector<Around> around(mesh.points.size());
  for (std::size_t f = 0; f < mesh.corners.size(); ++f)
    for (const std::uint32_t v : mesh.corners[f]) {
      around[v].faces = around[v].faces + of_faces[f];
      ++around[v].face_count;
    }
  std::vector<Point> of_edges;
  for (const Edge& edge : edges) {
    const Point middle = (mesh.points[edge.a] + mesh.points[edge.b]) * 0.5;
    for (const auto& [v, other] : {std::pair{edge.a, edge.b}, {edge.b, edge.a}}) {
      around[v].middles = around[v].middles + middle;
      ++around[v].edge_count;
      if (edge.faces.size() == 1) {
        around[v].is_open = true;
        around[v].ends = around[v].ends + mesh.points[other];
      }
    }
    of_edges.push_back(edge.faces.size() == 1
                           ? middle
                           : (mesh.points[edge.a] + mesh.points[edge.b] + of_faces[edge.faces[0]] +
                              of_faces[edge.faces[1]]) *
                                 0.25);
  }
  Faces result;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const Around& of = around[v];
    const Point& p = mesh.points[v];
    const auto n = static_cast<double>(of.face_count);
    result.points.push_back(of.is_open ? p * 0.75 + of.ends * 0.125
                                       : (of.faces * (1.0 / n) +
                                          of.middles * (2.0 / static_cast<double>(of.edge_count)) +
                                          p * (n - 3.0)) *
                                             (1.0 / n));
  }
  const auto first_edge = static_cast<std::uint32_t>(result.points.size());
  result.points.insert(result.points.end(), of_edges.begin(), of_edges.end());
  const auto first_face = static_cast<std::uint32_t>(result.points.size());
  result.points.insert(result.points.end(), of_faces.begin(), of_faces.end());

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::size_t f = 0; f < mesh.corners.size(); ++f) {
    const std::size_t m = mesh.corners[f].size();
    for (std::size_t k = 0; k < m; ++k) {
      const std::vector<std::uint32_t> quad = {mesh.corners[f][k], first_edge + mesh.edges[f][k],
                                               first_face + static_cast<std::uint32_t>(f),
                                               first_edge + mesh.edges[f][(k + m - 1) % m]};
      auto& of_quad = result.edges.emplace_back();
      for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t a = quad[i];
        const std::uint32_t b = quad[(i + 1) % 4];
        of_quad.push_back(numbers
                              .try_emplace({std::min(a, b), std::max(a, b)},
                                           static_cast<std::uint32_t>(numbers.size()))
                              .first->second);
      }
      result.corners.push_back(quad);
    }
  }
  result.edge_count = numbers.size();
  return result;
}

// Where each vertex of a mesh of quads comes to lie in the end, and the normal there.
std::vector<SubdivisionPoint> in_the_end(const Faces& mesh) {
  struct Sector {
    std::uint32_t end, diagonal, next;
  };
  std::vector<std::vector<Sector>> sectors(mesh.points.size());
  for (const auto& quad : mesh.corners)
    for (std::size_t k = 0; k < 4; ++k)
      sectors[quad[k]].push_back({quad[(k + 1) % 4], quad[(k + 2) % 4], quad[(k + 3) % 4]});
  std::vector<SubdivisionPoint> result(mesh.points.size());
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const std::vector<Sector>& all = sectors[v];
    const std::size_t n = all.size();
    // In order: from one that no other one leads to, if there is such a one.
    std::map<std::uint32_t, std::size_t> by_end, by_next;
    for (std::size_t i = 0; i < n; ++i) {
      by_end[all[i].end] = i;
      by_next[all[i].next] = i;
    }
    std::size_t first = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (!by_next.contains(all[i].end)) first = i;
    const bool is_open = !by_next.contains(all[first].end);
    std::vector<Point> ends, diagonals;
    for (std::size_t i = first; ends.size() < n;) {
      ends.push_back(mesh.points[all[i].end]);
      diagonals.push_back(mesh.points[all[i].diagonal]);
      if (ends.size() == n) {
        if (is_open) ends.push_back(mesh.points[all[i].next]);
        break;
      }
      i = by_end.at(all[i].next);
    }

    const Point& at = mesh.points[v];
    const auto count = static_cast<double>(n);
    Point along{}, across{}, place{};
    if (is_open) {
      place = at * (4.0 / 6.0) + (ends.front() + ends.back()) * (1.0 / 6.0);
      along = ends.front() - ends.back();
      if (n == 1) {
        along = ends[0] - at;
        across = ends[1] - at;
      } else {
        const double angle = std::numbers::pi / count;
        // Weights of points on which a step of the rules acts as a factor.
        const double c = std::cos(angle);
        const double factor = (5.0 + c + std::sqrt((c + 9.0) * (c + 1.0))) / 16.0;
        const double inner = 16.0 * factor - 4.0;
        const double p = std::sin(angle) * (inner / 16.0 + 0.25);
        const double q = (0.375 * inner + 0.5) / std::tan(angle / 2.0);
        const double determinant = (factor - 1.0) * (factor - 0.25);
        const double outer = ((factor - 0.75) * p + q / 8.0) / determinant;
        const double own = (p + (factor - 0.5) * q) / determinant;
        across = at * own + (ends.front() + ends.back()) * outer;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = angle * static_cast<double>(k);
          across = across + ends[k] * (inner * std::sin(a)) +
                   diagonals[k] * (std::sin(a) + std::sin(a + angle));
        }
      }
    } else {
      const double turn = 2.0 * std::numbers::pi / count;
      const double weight =
          1.0 + std::cos(turn) + std::cos(turn / 2.0) * std::sqrt(2.0 * (9.0 + std::cos(turn)));
      place = at * (count * count);
      for (std::size_t k = 0; k < n; ++k) {
        const double a = turn * static_cast<double>(k);
        place = place + ends[k] * 4.0 + diagonals[k];
        along = along + ends[k] * (weight * std::cos(a)) +
                diagonals[k] * (std::cos(a) + std::cos(a + turn));
        across = across + ends[k] * (weight * std::sin(a)) +
                 diagonals[k] * (std::sin(a) + std::sin(a + turn));
      }
      place = place * (1.0 / (count * (count + 5.0)));
    }
    Point normal = cross(along, across);
    // Where two directions are nearly one, or one is next to nothing, as in a fold, nothing is said
    // of the normal.
    const double size = length(normal);
    double spread = 0.0;
    for (const Point& end : ends) spread = std::max(spread, length(end - at));
    constexpr double least = 0.05;
    const bool is_told = (is_open || n > 2) && size > least * length(along) * length(across) &&
                         std::min(length(along), length(across)) > least * spread;
    result[v] = {place, is_told ? normal * (1.0 / size) : Point{}};
  }
  return result;
}

std::uint32_t log2_of(std::uint32_t side) {
  std::uint32_t level = 0;
  while (1U << level < side) ++level;
  return level;
}

// A point of the reference, by its place in a quad of a face that is divided `level` times.
class Sampled {
 public:
  Sampled(const SubdivisionReference& reference, std::uint32_t level)
      : reference_(reference), step_(1U << (reference.level() - level)) {}
  std::uint32_t operator()(std::uint32_t corner, std::uint32_t x, std::uint32_t y) const {
    return reference_.vertex(corner, x * step_, y * step_);
  }

 private:
  const SubdivisionReference& reference_;
  std::uint32_t step_;
};

}  // namespace

SubdivisionReference::SubdivisionReference(const Polygons& polygons, std::uint32_t level)
    : level_(level) {
  Faces mesh = faces_of(polygons);
  const auto quads = static_cast<std::uint32_t>(polygons.vertex.size());
  for (std::uint32_t step = 0; step < level; ++step) mesh = divided(mesh);
  points_ = in_the_end(mesh);
  for (const auto& quad : mesh.corners) corners_.insert(corners_.end(), quad.begin(), quad.end());

  // The k-th part of a quad begins with its k-th corner: from its number follows where it lies.
  const std::uint32_t cells = 1U << (level - 1);
  const std::size_t side = std::size_t{cells} + 1;
  const std::uint32_t each = cells * cells;
  grid_.resize(quads * side * side);
  for (std::uint32_t q = 0; q < quads * each; ++q) {
    using Place = std::array<std::uint32_t, 2>;
    std::array<Place, 4> at = {{{0, 0}, {cells, 0}, {cells, cells}, {0, cells}}};
    for (std::uint32_t bits = 2 * log2_of(cells); bits > 0; bits -= 2) {
      const std::uint32_t k = q % each >> (bits - 2) & 3U;
      const auto middle = [&at](std::uint32_t i, std::uint32_t j) {
        return Place{(at[i % 4][0] + at[j % 4][0]) / 2, (at[i % 4][1] + at[j % 4][1]) / 2};
      };
      at = {at[k], middle(k, k + 1), middle(0, 2), middle(k + 3, k)};
    }
    for (std::size_t i = 0; i < 4; ++i)
      grid_[(q / each * side + at[i][1]) * side + at[i][0]] = corners_[4 * q + i];
  }
}

SubdivisionLevelsReference subdivision_levels_one_by_one(const Polygons& polygons,
                                                         std::span<const Vec3> points,
                                                         const SubdivisionView& view,
                                                         std::uint64_t most_triangles,
                                                         std::uint64_t most_vertices) {
  const SubdivisionMesh mesh = polygons.view();
  SubdivisionLevelsReference asked;
  for (std::uint32_t e = 0; e < mesh.edges; ++e) {
    std::uint32_t level = view.level;
    if (view.adapts != 0) {
      const std::uint32_t corner = mesh.edge_corners[2 * e];
      const Vec3 a = points[mesh.vertex[corner]];
      const Vec3 b = points[mesh.vertex[mesh.next(corner)]];
      const Vec3 to_eye = view.eye - (a * 0.5F + b * 0.5F);
      const float length = std::sqrt(dot(b - a, b - a));
      const float away = std::max(std::sqrt(dot(to_eye, to_eye)), 0.5F * length);
      level = 0;
      for (float least = view.size * away; level < view.level && length * view.pixels > least;
           least *= 2.0F)
        ++level;
    }
    asked.edges.push_back(level);
  }
  for (std::uint32_t f = 0; f < mesh.faces; ++f) {
    std::uint32_t most = 0;
    for (std::uint32_t c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c)
      most = std::max(most, asked.edges[mesh.edge[c]]);
    asked.faces.push_back(most);
  }
  for (std::uint32_t by = 0;; ++by) {
    SubdivisionLevelsReference result;
    result.lowered = by;
    result.vertices = mesh.vertices;
    for (const std::uint32_t level : asked.edges) {
      result.edges.push_back(level > by ? level - by : 0);
      result.vertices += (std::uint64_t{1} << result.edges.back()) - 1;
    }
    for (std::uint32_t f = 0; f < mesh.faces; ++f) {
      const std::uint32_t level = asked.faces[f] > by ? asked.faces[f] - by : 0;
      const std::uint64_t m = mesh.valence_of_face(f);
      const std::uint64_t cells = level == 0 ? 0 : std::uint64_t{1} << (level - 1);
      result.faces.push_back(level);
      result.triangles += level == 0 ? m - 2 : 2 * m * cells * cells;
      if (level > 0) result.vertices += 1 + m * (cells - 1) + m * (cells - 1) * (cells - 1);
    }
    if (by == most_subdivision_level ||
        (result.triangles <= most_triangles && result.vertices <= most_vertices))
      return result;
  }
}

std::string difference_of_surface(const Polygons& polygons,
                                  const SubdivisionLevelsReference& levels,
                                  std::span<const Vertex> vertices,
                                  std::span<const std::uint32_t> indices,
                                  std::span<const std::uint32_t> material,
                                  std::span<const std::uint32_t> face) {
  const SubdivisionMesh mesh = polygons.view();
  std::uint32_t most = 1;
  for (const std::uint32_t level : levels.faces) most = std::max(most, level);
  const SubdivisionReference reference(polygons, most);
  const Vec3 far = max_of(polygons.bounds.max, polygons.bounds.min * -1.0F);
  const double slack = 2e-5 * std::max({far.x, far.y, far.z});
  constexpr double normal_slack = 0.02;

  std::vector<std::uint32_t> own(vertices.size(),
                                 no_corner);  // whose vertex it is in the reference
  std::size_t t = 0;
  std::string found;
  const auto holds = [&](std::uint32_t f, std::array<std::uint32_t, 3> corners) {
    if (t >= material.size() || t >= face.size() || 3 * t + 2 >= indices.size()) {
      found = fmt::format("there are {} triangles, too few", material.size());
      return false;
    }
    if (face[t] != f || material[t] != mesh.material[f]) {
      found = fmt::format("triangle {} is of face {} in material {}, not {} in {}", t, face[t],
                          material[t], f, mesh.material[f]);
      return false;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t i = indices[3 * t + k];
      if (i >= vertices.size()) {
        found =
            fmt::format("corner {} of triangle {} is vertex {}, of {}", k, t, i, vertices.size());
        return false;
      }
      if (own[i] != no_corner && own[i] != corners[k]) {
        found = fmt::format("vertex {} is in two places", i);
        return false;
      }
      own[i] = corners[k];
      const Vertex& vertex = vertices[i];
      const SubdivisionPoint& expected = reference.point(corners[k]);
      const Point p{vertex.position.x, vertex.position.y, vertex.position.z};
      const Point n{vertex.normal.x, vertex.normal.y, vertex.normal.z};
      if (!(length(p - expected.position) <= slack)) {
        found = fmt::format("vertex {}, of face {}, is at ({}, {}, {}), not ({}, {}, {})", i, f,
                            p[0], p[1], p[2], expected.position[0], expected.position[1],
                            expected.position[2]);
        return false;
      }
      const double off =
          length(expected.normal) > 0.0 ? length(n - expected.normal) : std::abs(length(n) - 1.0);
      if (!(off <= normal_slack)) {
        found = fmt::format("vertex {}, of face {}, has the normal ({}, {}, {}), not ({}, {}, {})",
                            i, f, n[0], n[1], n[2], expected.normal[0], expected.normal[1],
                            expected.normal[2]);
        return false;
      }
    }
    ++t;
    return true;
  };

  for (std::uint32_t f = 0; f < mesh.faces; ++f) {
    const std::uint32_t begin = mesh.face_begin[f];
    const std::uint32_t m = mesh.valence_of_face(f);
    const std::uint32_t level = levels.faces[f];
    if (level == 0) {
      for (std::uint32_t k = 1; k + 1 < m; ++k)
        if (!holds(f, {reference.vertex(begin, 0, 0), reference.vertex(begin + k, 0, 0),
                       reference.vertex(begin + k + 1, 0, 0)}))
          return found;
      continue;
    }
    const std::uint32_t cells = 1U << (level - 1);
    const Sampled at(reference, level);
    // On an edge the nearest of the places that both of its faces have. Half way, it is the one
    // farther along for the first of them.
    const auto on_edge = [&](std::uint32_t corner, std::uint32_t i) {
      const std::uint32_t e = mesh.edge[corner];
      const bool is_first = mesh.edge_corners[2 * e] == corner;
      const double step = std::exp2(static_cast<double>(level - levels.edges[e]));
      const double along = (is_first ? i : 2 * cells - i) / step;
      auto place = static_cast<std::uint32_t>(std::floor(along + 0.5) * step);
      if (!is_first) place = 2 * cells - place;
      return place <= cells ? at(corner, place, 0) : at(mesh.next(corner), 0, 2 * cells - place);
    };
    for (std::uint32_t c = begin; c < begin + m; ++c) {
      const auto vertex = [&](std::uint32_t x, std::uint32_t y) {
        if (y == 0) return on_edge(c, x);
        if (x == 0) return on_edge(mesh.before(c), 2 * cells - y);
        return at(c, x, y);
      };
      for (std::uint32_t y = 0; y < cells; ++y)
        for (std::uint32_t x = 0; x < cells; ++x) {
          const std::array<std::uint32_t, 4> quad = {vertex(x, y), vertex(x + 1, y),
                                                     vertex(x + 1, y + 1), vertex(x, y + 1)};
          if (!holds(f, {quad[0], quad[1], quad[2]}) || !holds(f, {quad[0], quad[2], quad[3]}))
            return found;
        }
    }
  }
  if (t != material.size())
    return fmt::format("there are {} triangles, not {}", material.size(), t);
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (own[v] == no_corner) return fmt::format("vertex {} is of no triangle", v);
  return {};
}

}  // namespace warpview
