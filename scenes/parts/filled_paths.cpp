#include "scenes/parts/filled_paths.h"

#include <algorithm>
#include <cmath>

#include "gpu/applications/svg.h"
#include "gpu/applications/svg_edges.h"
#include "scenes/files/colour.h"

namespace warpview {
namespace {

SvgSegment straight(const Vec3& from, const Vec3& to) {
  return {SvgCurve::line, {from.x, to.x, to.x, to.x}, {from.y, to.y, to.y, to.y}};
}
bool can_be_drawn(const Vec3& place) {
  return std::abs(place.x) <= svg_farthest && std::abs(place.y) <= svg_farthest;
}

// Those of a mesh's triangles that can be drawn.
template <class Use>
void each_drawn_triangle(const Mesh& mesh, Use use) {
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Vec3& a = mesh.corners[3 * i].position;
    const Vec3& b = mesh.corners[3 * i + 1].position;
    const Vec3& c = mesh.corners[3 * i + 2].position;
    if (can_be_drawn(a) && can_be_drawn(b) && can_be_drawn(c)) use(i, a, b, c);
  }
}

PathPicture triangles_as_paths(const Mesh& mesh) {
  PathPicture picture;
  const auto add = [&picture](std::initializer_list<Vec3> places, std::uint32_t fill) {
    const auto first = static_cast<std::uint32_t>(picture.segments.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      picture.segments.push_back(
          straight(places.begin()[i], places.begin()[(i + 1) % places.size()]));
    picture.paths.push_back(
        {first, static_cast<std::uint32_t>(places.size()), fill, SvgRule::nonzero});
  };
  Aabb page = Aabb::empty();
  each_drawn_triangle(mesh, [&page](std::size_t, const Vec3& a, const Vec3& b, const Vec3& c) {
    for (const Vec3& p : {a, b, c}) page = merge(page, {{p.x, p.y, 0.0F}, {p.x, p.y, 0.0F}});
  });
  if (page.is_empty()) return picture;
  picture.page = page;
  add({page.min, {page.max.x, page.min.y, 0.0F}, page.max, {page.min.x, page.max.y, 0.0F}},
      0xffffffffU);
  std::vector<std::uint32_t> colours;
  for (const Material& material : mesh.materials)
    colours.push_back(pack_rgb(material.diffuse) | 0xff000000U);
  each_drawn_triangle(mesh, [&](std::size_t i, const Vec3& a, const Vec3& b, const Vec3& c) {
    add({a, b, c}, colours[mesh.triangle_material[i]]);
  });
  picture.names.resize(picture.paths.size());
  picture.names.front() = "page";
  return picture;
}

}  // namespace

FilledPaths filled_paths_of(const Mesh& mesh) {
  FilledPaths paths;
  paths.picture = mesh.is_picture() ? mesh.picture : triangles_as_paths(mesh);
  for (const SvgPath& path : paths.picture.paths) {
    Aabb box = Aabb::empty();
    for (std::uint32_t i = 0; i < path.count; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        const SvgSegment& segment = paths.picture.segments[path.first + i];
        const Vec3 place{segment.x[k], segment.y[k], 0.0F};
        box = merge(box, {place, place});
      }
    paths.boxes.push_back(box);
    paths.bounds = merge(paths.bounds, box);
  }
  return paths;
}

std::optional<std::uint32_t> path_at(const FilledPaths& paths, double x, double y,
                                     std::uint32_t first) {
  constexpr int pieces = 48;  // of a curve
  const PathPicture& picture = paths.picture;
  for (auto i = static_cast<std::uint32_t>(picture.paths.size()); i-- > first;) {
    const Aabb& box = paths.boxes[i];
    if (!(x >= double{box.min.x} && x <= double{box.max.x} && y >= double{box.min.y} &&
          y <= double{box.max.y}))
      continue;
    const SvgPath& path = picture.paths[i];
    std::int32_t winding = 0;
    for (std::uint32_t k = 0; k < path.count; ++k) {
      const SvgSegment& segment = picture.segments[path.first + k];
      const int count = segment.kind == SvgCurve::line ? 1 : pieces;
      SvgPoint a = svg_at(segment, 0.0);
      for (int piece = 1; piece <= count; ++piece) {
        const SvgPoint b = svg_at(segment, static_cast<double>(piece) / count);
        if ((a.y <= y) != (b.y <= y) &&
            ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0.0) == (b.y < a.y))
          winding += b.y > a.y ? 1 : -1;
        a = b;
      }
    }
    if (svg_is_inside(static_cast<std::uint32_t>(path.rule), winding)) return i;
  }
  return {};
}

}  // namespace warpview
