// Polygons to triangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/runtime/vec.h"

namespace warpview {

// A vector of doubles: products of any three floats stay finite.
struct DoubleVec3 {
  double x, y, z;
};

// Area times unit normal of a polygon of at least 3 corners, by Newell's sum over its edges. For a
// planar polygon its length is the area; zero for one without area. NaN if a coordinate is.
DoubleVec3 area_normal(std::span<const Vec3> polygon);

// Cuts polygons of n >= 3 corners into exactly n - 2 triangles each, turning the way the polygon
// does. Convex polygons, and ones without area or with a NaN, become a fan around corner 0; others
// lose their ears one by one (Meisters 1975), in O(n r) for r reflex corners. Self-intersecting
// polygons have no right answer and get some triangles.
class Triangulator {
 public:
  // Appends the triangles' corner numbers to `triangles`, three by three. Returns false if the
  // search for ears was given up after a bounded effort and the rest became a fan.
  bool operator()(std::span<const Vec3> polygon, std::vector<std::uint32_t>& triangles);

 private:
  struct Point {
    double x, y;
    bool operator==(const Point&) const = default;
  };
  static double turn(Point a, Point b, Point c);  // twice the signed area: positive to the left

  double turn_at(std::uint32_t corner) const;  // between its neighbours in the ring
  bool is_ear(std::uint32_t corner);
  void note_if_reflex(std::uint32_t corner);

  // Kept between calls to save allocations.
  std::vector<Point> points_;                  // the polygon's projection, turning left
  std::vector<std::uint32_t> before_, after_;  // the ring of the corners that are left
  std::vector<bool> is_reflex_;
  std::vector<std::uint32_t> reflex_;  // every corner that is_reflex_, and some that were
  std::uint64_t effort_ = 0;           // tests of a corner against an ear
};

}  // namespace warpview
