// A camera that turns around a point.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "gpu/runtime/vec.h"

namespace warpview {

// Right-handed world, y up. Angles in radians, distances in units of the mesh.
struct Camera {
  glm::vec3 target{0.0F};
  float yaw = 0.65F;    // 0: the eye is on the +z side of the target; grows towards +x
  float pitch = 0.38F;  // above the horizon
  float distance = 3.0F;
  float field_of_view = 0.61F;  // vertical
  // What must lie between the clipping planes.
  glm::vec3 scene_centre{0.0F};
  float scene_radius = 1.0F;

  bool operator==(const Camera&) const = default;

  void orbit(float yaw_change, float pitch_change);  // pitch stays short of the poles
  // The point under the cursor follows it; a cursor's way in fractions of the view's height, y
  // down.
  void pan(float right, float down);
  void zoom(float factor);  // below 1: nearer
  // Keeps the angles and moves so that the box fills a view of this aspect (width / height) with a
  // small margin. Empty boxes and boxes without extent are framed as if they had some.
  void fit(const Aabb& box, float aspect);
  // From one point to another; a vertical field of view in degrees, or the one there is.
  void look_from(const glm::vec3& eye, const glm::vec3& at, std::optional<float> degrees);

  // Through a place of the view, in fractions of its width and height from the upper left.
  Ray ray(float right, float down, float aspect) const;

  glm::vec3 eye() const;
  glm::vec3 right() const;
  glm::vec3 up() const;
  glm::vec3 backward() const;  // from the target to the eye
  glm::mat4 view() const;
  glm::mat4 projection(float aspect) const;
};

}  // namespace warpview
