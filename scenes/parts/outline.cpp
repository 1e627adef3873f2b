#include "scenes/parts/outline.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace warpview {

// Directions spread evenly over the sphere, along a spiral that turns by the golden angle.
OutlineFinder::OutlineFinder() {
  constexpr int directions = 192;
  constexpr float golden = std::numbers::pi_v<float> * 0.763932F;
  for (int i = 0; i < directions; ++i) {
    const float up = 1.0F - (2.0F * static_cast<float>(i) + 1.0F) / directions;
    const float across = std::sqrt(1.0F - up * up);
    const float angle = golden * static_cast<float>(i);
    farthest_.push_back({.direction = {across * std::cos(angle), up, across * std::sin(angle)},
                         .along = -std::numeric_limits<float>::infinity()});
  }
}

void OutlineFinder::add(const Vec3& point) {
  if (!std::isfinite(dot(point, point))) return;
  has_any_ = true;
  for (Farthest& each : farthest_)
    if (const float along = dot(each.direction, point); along > each.along) {
      each.along = along;
      each.point = point;
    }
}

Outline OutlineFinder::found() const {
  if (!has_any_) return nullptr;
  auto points = std::make_shared<std::vector<Vec3>>();
  for (const Farthest& each : farthest_) points->push_back(each.point);
  return points;
}

}  // namespace warpview
