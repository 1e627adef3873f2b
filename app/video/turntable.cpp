#include "app/video/turntable.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpview {
namespace {

// By an angle around what is up, counter-clockwise from above: as the eye goes where yaw grows.
glm::vec3 rotated(const glm::vec3& v, UpAxis up, double angle) {
  const auto c = static_cast<float>(std::cos(angle));
  const auto s = static_cast<float>(std::sin(angle));
  if (up == UpAxis::y) return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

}  // namespace

Camera turned(const Camera& first, std::uint64_t frame, std::uint64_t frames) {
  if (frame == 0) return first;
  const double angle =
      2.0 * std::numbers::pi * static_cast<double>(frame) / static_cast<double>(frames);
  Camera camera = first;
  camera.yaw = static_cast<float>(std::remainder(first.yaw + angle, 2.0 * std::numbers::pi));
  camera.target =
      first.scene_centre + rotated(first.target - first.scene_centre, first.up_axis, angle);
  return camera;
}

Camera fitted_all_around(Camera camera, const Aabb& box, float aspect) {
  constexpr std::uint64_t directions = 72;
  float farthest = 0.0F;
  for (std::uint64_t i = 0; i < directions; ++i) {
    Camera there = turned(camera, i, directions);
    there.fit_centred(box, aspect);
    farthest = std::max(farthest, there.distance);
  }
  camera.fit_centred(box, aspect);
  camera.distance = farthest;
  return camera;
}

}  // namespace warpview
