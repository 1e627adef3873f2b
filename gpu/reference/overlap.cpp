#include "gpu/reference/overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace warpview::reference {
namespace {

using Point = std::array<double, 3>;
using Polygon = std::vector<Point>;

// What lies below (sign 1) or above (sign -1) the limit along the axis.
Polygon clipped(const Polygon& polygon, std::size_t axis, double limit, double sign) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& from = polygon[i];
    const Point& to = polygon[(i + 1) % polygon.size()];
    const double a = sign * (limit - from[axis]);
    const double b = sign * (limit - to[axis]);
    if (a >= 0.0) kept.push_back(from);
    if ((a >= 0.0) == (b >= 0.0)) continue;
    Point between{};
    for (std::size_t k = 0; k < 3; ++k) between[k] = from[k] + (to[k] - from[k]) * (a / (a - b));
    kept.push_back(between);
  }
  return kept;
}

double area_of(const Polygon& polygon) {
  Point sum{};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    for (std::size_t k = 0; k < 3; ++k)
      sum[k] += p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
  }
  return 0.5 * std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

// Corners are taken from a point near them, so that products of large coordinates do not cancel.
double area_inside(const LeafTriangle& triangle, const Aabb& box) {
  const Vec3 from = triangle.a;
  const auto point = [&](const Vec3& p) {
    return Point{double{p.x} - double{from.x}, double{p.y} - double{from.y},
                 double{p.z} - double{from.z}};
  };
  Polygon polygon{point(triangle.a), point(triangle.b), point(triangle.c)};
  const Point least = point(box.min);
  const Point most = point(box.max);
  for (std::size_t axis = 0; axis < 3; ++axis)
    polygon = clipped(clipped(polygon, axis, most[axis], 1.0), axis, least[axis], -1.0);
  return area_of(polygon);
}

}  // namespace

TreeOverlap overlap(const Tree& tree, std::span<const LeafTriangle> leaves) {
  TreeOverlap sum{};
  for (std::uint32_t place = 0; place < tree.count; ++place) {
    const LeafTriangle& triangle = leaves[place];
    std::vector<std::uint32_t> above;  // the nodes that the triangle is below, and its leaf
    for (std::uint32_t node = tree.first_leaf() + place; node != Bvh::no_node;
         node = tree.parent[node])
      above.push_back(node);
    sum.triangles += area_inside(triangle, triangle.box());
    std::vector<std::uint32_t> open{tree.root};
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      const BvhNode& here = tree.nodes[node];
      if (!touch(here.box(), triangle.box())) continue;
      if (std::find(above.begin(), above.end(), node) == above.end())
        sum.foreign += area_inside(triangle, here.box());
      if (!here.is_leaf()) open.insert(open.end(), {here.left, here.right});
    }
  }
  return sum;
}

}  // namespace warpview::reference
