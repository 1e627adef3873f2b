// A camera that turns around a point.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>

#include "gpu/runtime/vec.h"

namespace warpview {

// What is up in a scene. Many programs write meshes that lie on their side where y is taken for up.
enum class UpAxis { y, z };

// From where one looks at a scene. Front: from the side that the eye is on at yaw 0.
enum class Side { home, front, back, left, right, top, bottom };

// Right-handed world. Angles in radians, distances in units of the mesh.
struct Camera {
  static constexpr float home_yaw = 0.65F;
  static constexpr float home_pitch = 0.38F;
  static constexpr float usual_field_of_view = 0.61F;

  glm::vec3 target{0.0F};
  // 0: the eye is on the +z side of the target, or on the -y side where z is up; grows towards +x.
  float yaw = home_yaw;
  float pitch = home_pitch;  // above the horizon
  UpAxis up_axis = UpAxis::y;
  float distance = 3.0F;
  float field_of_view = usual_field_of_view;  // vertical
  // What must lie between the clipping planes.
  glm::vec3 scene_centre{0.0F};
  float scene_radius = 1.0F;
  glm::vec3 scene_half{1.0F};  // from its centre to the highest corner of its box

  bool operator==(const Camera&) const = default;

  void orbit(float yaw_change, float pitch_change);  // pitch stays short of the poles
  // The point under the cursor follows it; a cursor's way in fractions of the view's height, y
  // down.
  void pan(float right, float down);
  // Below 1: nearer, but not than `nearest` radii of the scene.
  static constexpr float nearest = 0.01F;
  void zoom(float factor);
  // Zooms about a place of the view, as in ray(): a point there at the target's distance stays
  // there.
  void zoom_at(float factor, float right, float down, float aspect);
  // Turns around the target. Straight down and up, too. Home has the usual field of view as well;
  // a flat scene is seen from the front there.
  void look_from(Side side);
  bool is_at_home() const;  // by its angles and its field of view
  // Turns the head: the eye stays where it is, and the target as far away as it was.
  void turn(float yaw_change, float pitch_change);
  // Eye and target move on: to the right, towards what is up in the scene, and to where one looks,
  // in units of the world. The eye stays within `farthest` radii of the scene's centre.
  static constexpr float farthest = 100.0F;
  void move(const glm::vec3& way);
  // From now on it turns around this point, which it brings to the middle of the view.
  void set_pivot(const glm::vec3& point) { target = point; }
  // Keeps the angles and moves so that the box, or of it the points of an outline, as they are
  // seen, fill a view of this aspect (width / height): the margins at both sides, or those above
  // and below, are small and equal, and so are the two others. Empty boxes and boxes without extent
  // are framed as if they had some.
  void fit(const Aabb& box, float aspect, std::span<const Vec3> outline = {});
  // From now on the scene fills this box; eye and target stay.
  void enclose(const Aabb& box);
  // With the box's centre as the target, around which it can be turned; no side is cut off, but one
  // may have more room than another.
  void fit_centred(const Aabb& box, float aspect);
  // From one point to another; a vertical field of view in degrees, or the one there is.
  void look_from(const glm::vec3& eye, const glm::vec3& at, std::optional<float> degrees);

  // Through a place of the view, in fractions of its width and height from the upper left.
  Ray ray(float right, float down, float aspect) const;

  // A page, which no horizon lies behind.
  bool scene_is_flat() const { return scene_half.z <= 1e-6F * scene_radius; }
  // Height of the ground on which the scene stands, along world_up().
  float floor_height() const;

  glm::vec3 eye() const;
  glm::vec3 world_up() const;
  glm::vec3 right() const;
  glm::vec3 up() const;
  glm::vec3 backward() const;  // from the target to the eye
  glm::mat4 view() const;
  glm::mat4 projection(float aspect) const;

 private:
  void frame(const Aabb& box, float aspect, std::span<const Vec3> outline, bool keeps_centre);
};

}  // namespace warpview
