#include "app/render/camera.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <vector>

namespace warpview {
namespace {

// The camera's own directions are those of a world in which y is up.
glm::vec3 in_world(UpAxis up, const glm::vec3& v) {
  return up == UpAxis::y ? v : glm::vec3(v.x, -v.z, v.y);
}
glm::vec3 with_y_up(UpAxis up, const glm::vec3& v) {
  return up == UpAxis::y ? v : glm::vec3(v.x, v.z, -v.y);
}

}  // namespace

void Camera::orbit(float yaw_change, float pitch_change) {
  constexpr float steepest = 1.55F;
  yaw = std::remainder(yaw + yaw_change, 2.0F * 3.14159265F);
  pitch = std::clamp(pitch + pitch_change, -steepest, steepest);
}

void Camera::pan(float right_way, float down_way) {
  const float view_height = 2.0F * distance * std::tan(field_of_view / 2.0F);
  target += (up() * down_way - right() * right_way) * view_height;
}

void Camera::zoom(float factor) {
  distance = std::clamp(distance * factor, nearest * scene_radius, farthest * scene_radius);
}

void Camera::zoom_at(float factor, float right_share, float down_share, float aspect) {
  const float before = distance;
  zoom(factor);
  const float tangent = std::tan(field_of_view / 2.0F);
  const glm::vec3 way = right() * ((2.0F * right_share - 1.0F) * tangent * aspect) +
                        up() * ((1.0F - 2.0F * down_share) * tangent);
  target += way * (before - distance);
}

void Camera::turn(float yaw_change, float pitch_change) {
  const glm::vec3 from = eye();
  orbit(yaw_change, pitch_change);
  target = from - backward() * distance;
}

void Camera::move(const glm::vec3& way) {
  const glm::vec3 upwards = world_up();
  const glm::vec3 from = eye();
  glm::vec3 off = from + right() * way.x + upwards * way.y - backward() * way.z - scene_centre;
  // An eye that is farther away already may come nearer.
  const float most = std::max(farthest * scene_radius, glm::length(from - scene_centre));
  if (const float length = glm::length(off); length > most) off *= most / length;
  target += scene_centre + off - from;
}

bool Camera::is_at_home() const {
  Camera home = *this;
  home.look_from(Side::home);
  return *this == home;
}

void Camera::look_from(Side side) {
  constexpr float quarter = 3.14159265F / 2.0F;
  pitch = 0.0F;
  switch (side) {
    case Side::home:
      yaw = scene_is_flat() ? 0.0F : home_yaw;
      pitch = scene_is_flat() ? 0.0F : home_pitch;
      field_of_view = usual_field_of_view;
      return;
    case Side::front:
      yaw = 0.0F;
      return;
    case Side::back:
      yaw = 2.0F * quarter;
      return;
    case Side::left:
      yaw = -quarter;
      return;
    case Side::right:
      yaw = quarter;
      return;
    case Side::top:
    case Side::bottom:
      yaw = 0.0F;
      pitch = side == Side::top ? quarter : -quarter;
      return;
  }
}

namespace {

// What is to be seen, across one axis of a view whose target is the middle of the bounds.
struct Across {
  struct Corner {
    float off = 0.0F;     // from the middle of the view
    float nearer = 0.0F;  // than the target
  };
  std::vector<Corner> corners{};

  // From where the target must be seen so that each corner is inside, |off - middle| <= (distance -
  // nearer) * tangent: with the best middle, or with that of 0.
  float distance(float tangent, bool keeps_centre) const {
    float positive = 0.0F;
    float negative = 0.0F;
    for (const Corner& corner : corners) {
      positive = std::max(positive, corner.nearer * tangent + corner.off);
      negative = std::max(negative, corner.nearer * tangent - corner.off);
    }
    return (keeps_centre ? std::max(positive, negative) : 0.5F * (positive + negative)) / tangent;
  }

  // The middle that leaves as much room on both sides, from that distance.
  float middle(float distance, float size) const {
    float low = -size;
    float high = size;
    for (int i = 0; i < 40; ++i) {
      const float middle = 0.5F * (low + high);
      float most = -1e30F;
      float least = 1e30F;
      for (const Corner& corner : corners) {
        const float seen = (corner.off - middle) / (distance - corner.nearer);
        most = std::max(most, seen);
        least = std::min(least, seen);
      }
      (most + least > 0.0F ? low : high) = middle;
    }
    return 0.5F * (low + high);
  }
};

}  // namespace

void Camera::fit(const Aabb& box, float aspect, std::span<const Vec3> outline) {
  frame(box, aspect, outline, false);
}
void Camera::fit_centred(const Aabb& box, float aspect) { frame(box, aspect, {}, true); }

void Camera::enclose(const Aabb& box) {
  scene_centre = glm::vec3(0.0F);
  scene_half = glm::vec3(1.0F);
  if (!box.is_empty()) {
    const Vec3 c = box.centre();
    scene_centre = {c.x, c.y, c.z};
    scene_half = glm::vec3(box.max.x, box.max.y, box.max.z) - scene_centre;
  }
  // Not so small that the eye's place cannot be told from the target's.
  scene_radius = std::max(glm::length(scene_half), 1e-4F * glm::length(scene_centre));
  if (scene_radius == 0.0F) scene_radius = 1.0F;
}

void Camera::frame(const Aabb& box, float aspect, std::span<const Vec3> outline,
                   bool keeps_centre) {
  constexpr float margin = 1.06F;
  enclose(box);
  target = scene_centre;
  const float size = scene_radius;
  const glm::vec3 half = glm::max(scene_half, glm::vec3(0.01F * size));

  const float tangent_y = std::tan(field_of_view / 2.0F) / margin;
  const float tangent_x = tangent_y * aspect;
  Across sideways, upwards;
  float nearest_point = -size;
  const auto add = [&](const glm::vec3& offset) {
    const float nearer = glm::dot(offset, backward());
    nearest_point = std::max(nearest_point, nearer);
    sideways.corners.push_back({glm::dot(offset, right()), nearer});
    upwards.corners.push_back({glm::dot(offset, up()), nearer});
  };
  for (const Vec3& point : outline) add(glm::vec3(point.x, point.y, point.z) - scene_centre);
  for (std::size_t corner = 0; outline.empty() && corner < 8; ++corner) {
    const glm::vec3 sign((corner & 1U) != 0 ? 1.0F : -1.0F, (corner & 2U) != 0 ? 1.0F : -1.0F,
                         (corner & 4U) != 0 ? 1.0F : -1.0F);
    add(half * sign);
  }
  distance = std::max(sideways.distance(tangent_x, keeps_centre),
                      upwards.distance(tangent_y, keeps_centre));
  distance = std::max(distance, nearest_point + 0.01F * size);  // of points in a line, say
  if (keeps_centre) return;
  target += right() * sideways.middle(distance, size) + up() * upwards.middle(distance, size);
}

float Camera::floor_height() const {
  // A little below, so that what lies flat on it stays visible.
  constexpr float gap = 0.004F;
  const glm::vec3 upwards = world_up();
  return glm::dot(upwards, scene_centre) - glm::dot(upwards, scene_half) - gap * scene_radius;
}

void Camera::look_from(const glm::vec3& eye, const glm::vec3& at, std::optional<float> degrees) {
  const glm::vec3 way = with_y_up(up_axis, eye - at);
  target = at;
  distance = glm::length(way);
  yaw = std::atan2(way.x, way.z);
  pitch = 0.0F;
  orbit(0.0F, std::asin(std::clamp(way.y / distance, -1.0F, 1.0F)));
  if (degrees) field_of_view = *degrees * 3.14159265F / 180.0F;
}

Ray Camera::ray(float right_share, float down_share, float aspect) const {
  const float tangent = std::tan(field_of_view / 2.0F);
  const glm::vec3 way = right() * ((2.0F * right_share - 1.0F) * tangent * aspect) +
                        up() * ((1.0F - 2.0F * down_share) * tangent) - backward();
  const glm::vec3 from = eye();
  return {{from.x, from.y, from.z}, {way.x, way.y, way.z}};
}

glm::vec3 Camera::backward() const {
  return in_world(
      up_axis, {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)});
}
glm::vec3 Camera::world_up() const { return in_world(up_axis, {0.0F, 1.0F, 0.0F}); }
glm::vec3 Camera::right() const { return in_world(up_axis, {std::cos(yaw), 0.0F, -std::sin(yaw)}); }
glm::vec3 Camera::up() const { return glm::cross(backward(), right()); }
glm::vec3 Camera::eye() const { return target + backward() * distance; }

glm::mat4 Camera::view() const { return glm::lookAt(eye(), target, up()); }

glm::mat4 Camera::projection(float aspect) const {
  // Twice the radius: an animated mesh moves out of its bounds.
  const float reach = 2.0F * scene_radius;
  const float depth = glm::dot(eye() - scene_centre, backward());
  const float near_plane = std::max(depth - reach, 0.004F * scene_radius);
  const float far_plane = std::max(depth + reach, 2.0F * near_plane);
  return glm::perspective(field_of_view, aspect, near_plane, far_plane);
}

}  // namespace warpview
