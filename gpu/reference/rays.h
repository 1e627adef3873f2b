// Rays and triangles, sequentially on the host: what gpu/primitives/trace must find, and how input
// for it is made. A ray's hit is defined there, by RaySlabs::enter and RayShear::meets, which the
// reference shares: their results are exact to the bit by contract. The walk is the reference's
// own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/operators/ray_triangle.h"
#include "gpu/primitives/trace/trace.h"

namespace warpview::reference {

// A tree over triangles, split at the median of their centres.
class RayTracer {
 public:
  // Three indices per triangle. Coordinates are finite.
  RayTracer(std::span<const Vertex> vertices, std::span<const std::uint32_t> indices);

  RayHit nearest(const BoundedRay& ray) const;
  bool any(const BoundedRay& ray) const;
  // By testing each triangle.
  RayHit nearest_of_all(const BoundedRay& ray) const;

  std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners_.size()); }
  const Aabb& bounds() const { return bounds_; }
  // Of unit length, on the side that the ray comes from; 0 for a triangle without area.
  Vec3 normal_towards(const BoundedRay& ray, std::uint32_t triangle) const;

 private:
  struct Corners {
    Vec3 a, b, c;
    Aabb box() const { return {min_of(min_of(a, b), c), max_of(max_of(a, b), c)}; }
  };
  struct Node {
    Aabb box;
    std::uint32_t first = 0, end = 0;  // in order_
    std::uint32_t second_child = 0;    // the first one follows its parent; 0: a leaf
  };
  // The best hit so far: keys as of trace.h.
  struct Best {
    RayHit hit;
    float key;
  };

  std::uint32_t build(std::uint32_t first, std::uint32_t end);
  void meet(const RaySlabs& slabs, const RayShear& shear, std::uint32_t triangle, Best& best) const;
  RayHit walk(const BoundedRay& ray, bool any) const;

  std::vector<Corners> corners_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  Aabb bounds_ = Aabb::empty();
};

}  // namespace warpview::reference
