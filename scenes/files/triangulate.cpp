#include "scenes/files/triangulate.h"

#include <cmath>
#include <cstddef>

namespace warpview {
namespace {

constexpr std::uint64_t most_effort = std::uint64_t{1} << 26U;  // a fraction of a second

DoubleVec3 minus(Vec3 a, Vec3 b) {
  return {double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z};
}

}  // namespace

DoubleVec3 area_normal(std::span<const Vec3> polygon) {
  DoubleVec3 sum = {0.0, 0.0, 0.0};
  // Relative to corner 0, or a small polygon far from the origin would drown in rounding.
  DoubleVec3 a = minus(polygon[1], polygon[0]);
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const DoubleVec3 b = minus(polygon[i], polygon[0]);
    sum.x += 0.5 * (a.y * b.z - a.z * b.y);
    sum.y += 0.5 * (a.z * b.x - a.x * b.z);
    sum.z += 0.5 * (a.x * b.y - a.y * b.x);
    a = b;
  }
  return sum;
}

double Triangulator::turn(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double Triangulator::turn_at(std::uint32_t corner) const {
  return turn(points_[before_[corner]], points_[corner], points_[after_[corner]]);
}

void Triangulator::note_if_reflex(std::uint32_t corner) {
  const bool reflex = turn_at(corner) < 0.0;
  if (reflex && !is_reflex_[corner]) reflex_.push_back(corner);
  is_reflex_[corner] = reflex;
}

// An ear is a corner that turns left, with no other corner of the ring inside its triangle. If any
// corner is inside, a reflex one is. Corners that do not turn have no inside to look into.
bool Triangulator::is_ear(std::uint32_t corner) {
  ++effort_;
  const double turning = turn_at(corner);
  if (turning <= 0.0) return turning == 0.0;
  const Point a = points_[before_[corner]];
  const Point b = points_[corner];
  const Point c = points_[after_[corner]];
  for (std::size_t i = 0; i < reflex_.size();) {
    if (!is_reflex_[reflex_[i]]) {
      reflex_[i] = reflex_.back();
      reflex_.pop_back();
      continue;
    }
    ++effort_;
    const Point p = points_[reflex_[i]];
    const bool is_own_corner = p == a || p == b || p == c;
    if (!is_own_corner && turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0)
      return false;
    ++i;
  }
  return true;
}

bool Triangulator::operator()(std::span<const Vec3> polygon,
                              std::vector<std::uint32_t>& triangles) {
  const auto n = static_cast<std::uint32_t>(polygon.size());
  const auto fan = [&] {
    for (std::uint32_t i = 2; i < n; ++i) triangles.insert(triangles.end(), {0, i - 1, i});
    return true;
  };
  if (n == 3) return fan();

  // Look along the axis in which the polygon is widest, from the side on which it turns left.
  const DoubleVec3 normal = area_normal(polygon);
  const double x = std::abs(normal.x);
  const double y = std::abs(normal.y);
  const double z = std::abs(normal.z);
  if (!(x + y + z > 0.0)) return fan();
  points_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const DoubleVec3 p = minus(polygon[i], polygon[0]);
    if (x >= y && x >= z)
      points_[i] = normal.x > 0.0 ? Point{p.y, p.z} : Point{p.z, p.y};
    else if (y >= z)
      points_[i] = normal.y > 0.0 ? Point{p.z, p.x} : Point{p.x, p.z};
    else
      points_[i] = normal.z > 0.0 ? Point{p.x, p.y} : Point{p.y, p.x};
  }

  before_.resize(n);
  after_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    before_[i] = i == 0 ? n - 1 : i - 1;
    after_[i] = i + 1 == n ? 0 : i + 1;
  }
  is_reflex_.assign(n, false);
  reflex_.clear();
  for (std::uint32_t i = 0; i < n; ++i) note_if_reflex(i);
  if (reflex_.empty()) return fan();

  effort_ = 0;
  std::uint32_t corner = 0;
  std::uint32_t left = n;
  std::uint32_t tried = 0;  // corners since the last ear
  while (left >= 3) {
    // A ring without an ear crosses itself: any corner will do.
    const bool cut = tried == left || effort_ > most_effort || is_ear(corner);
    if (!cut) {
      corner = after_[corner];
      ++tried;
      continue;
    }
    const std::uint32_t previous = before_[corner];
    const std::uint32_t next = after_[corner];
    triangles.insert(triangles.end(), {previous, corner, next});
    after_[previous] = next;
    before_[next] = previous;
    is_reflex_[corner] = false;
    note_if_reflex(previous);
    note_if_reflex(next);
    --left;
    tried = 0;
    // Past the neighbour, so that cuts spread over the ring instead of making a fan of slivers.
    // When given up, do make a fan.
    corner = effort_ > most_effort ? next : after_[next];
  }
  return effort_ <= most_effort;
}

}  // namespace warpview
