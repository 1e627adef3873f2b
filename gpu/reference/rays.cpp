#include "gpu/reference/rays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace warpview::reference {
namespace {

constexpr std::uint32_t triangles_of_leaf = 4;
constexpr float farthest = std::numeric_limits<float>::max();
// Nodes that a walk has still to visit: one a level, and halves of 2^32 triangles have 32 levels.
constexpr std::size_t most_open = 33;

}  // namespace

RayTracer::RayTracer(std::span<const Vertex> vertices, std::span<const std::uint32_t> indices) {
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    corners_.push_back({vertices[indices[i]].position, vertices[indices[i + 1]].position,
                        vertices[indices[i + 2]].position});
    bounds_ = merge(bounds_, corners_.back().box());
  }
  order_.resize(corners_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  nodes_.reserve(corners_.size());
  if (!order_.empty()) build(0, triangles());
}

// Adds the node over order_[first, end), and below it its subtree.
std::uint32_t RayTracer::build(std::uint32_t first, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.box = Aabb::empty(), .first = first, .end = end});
  Aabb centres = Aabb::empty();
  for (std::uint32_t i = first; i < end; ++i) {
    const Aabb box = corners_[order_[i]].box();
    nodes_[index].box = merge(nodes_[index].box, box);
    centres = merge(centres, {box.centre(), box.centre()});
  }
  if (end - first <= triangles_of_leaf) return index;

  const Vec3 extent = centres.max - centres.min;
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const auto along = [&](std::uint32_t triangle) {
    const Vec3 centre = corners_[triangle].box().centre();
    return axis == 0 ? centre.x : axis == 1 ? centre.y : centre.z;
  };
  const std::uint32_t middle = first + (end - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                   [&](std::uint32_t p, std::uint32_t q) { return along(p) < along(q); });
  build(first, middle);
  nodes_[index].second_child = build(middle, end);
  return index;
}

void RayTracer::meet(const RaySlabs& slabs, const RayShear& shear, std::uint32_t triangle,
                     Best& best) const {
  const Corners& c = corners_[triangle];
  const Aabb box = c.box();
  const float enters = slabs.enter(box.min, box.max);
  TriangleHit hit;
  if (enters == RaySlabs::misses || !shear.meets(c.a, c.b, c.c, hit)) return;
  const float key = std::max(hit.t, enters);
  if (key < best.key || (key == best.key && triangle < best.hit.triangle))
    best = {{triangle, hit.t, hit.u, hit.v}, key};
}

// Nearer children first: most other nodes then lie behind the hit.
RayHit RayTracer::walk(const BoundedRay& ray, bool any) const {
  Best best{{}, farthest};
  if (nodes_.empty() || !can_hit(ray)) return {};
  const RaySlabs slabs(ray);
  const RayShear shear(ray);
  struct Open {
    std::uint32_t node;
    float enters;
  };
  const auto opened = [&](std::uint32_t node) -> Open {
    return {node, slabs.enter(nodes_[node].box.min, nodes_[node].box.max)};
  };
  std::array<Open, most_open> open;
  std::size_t count = 0;
  open[count++] = opened(0);
  while (count > 0) {
    const auto [index, enters] = open[--count];
    if (!(enters <= best.key)) continue;
    const Node& node = nodes_[index];
    if (node.second_child != 0) {
      Open near = opened(index + 1);
      Open far = opened(node.second_child);
      if (far.enters < near.enters) std::swap(near, far);
      open[count++] = far;
      open[count++] = near;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.end; ++i) meet(slabs, shear, order_[i], best);
    if (any && best.hit.triangle != RayHit::nothing) break;
  }
  return best.hit;
}

RayHit RayTracer::nearest(const BoundedRay& ray) const { return walk(ray, false); }
bool RayTracer::any(const BoundedRay& ray) const {
  return walk(ray, true).triangle != RayHit::nothing;
}

RayHit RayTracer::nearest_of_all(const BoundedRay& ray) const {
  Best best{{}, farthest};
  if (!can_hit(ray)) return {};
  for (std::uint32_t triangle = 0; triangle < triangles(); ++triangle)
    meet(RaySlabs(ray), RayShear(ray), triangle, best);
  return best.hit;
}

Vec3 RayTracer::normal_towards(const BoundedRay& ray, std::uint32_t triangle) const {
  const Corners& c = corners_[triangle];
  const Vec3 across = cross(c.b - c.a, c.c - c.a);
  const float length = std::sqrt(dot(across, across));
  if (!(length > 0.0F)) return {0.0F, 0.0F, 0.0F};
  return across * ((dot(across, ray.direction) > 0.0F ? -1.0F : 1.0F) / length);
}

}  // namespace warpview::reference
