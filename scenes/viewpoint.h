// From where one looks at a scene.
#pragma once

#include <optional>

#include "gpu/runtime/vec.h"

namespace warpview {

// A direction of view in degrees, in place of the eye. Double precision keeps each bit of the
// camera's floats in radians.
struct ViewAngles {
  double yaw = 0.0;    // 0: the eye is in front; grows to the right
  double pitch = 0.0;  // above the horizon
  // From the target. None: all of the scene is in the view, and there is no target.
  std::optional<double> distance{};
};

// Where from and where to one looks. Only what is given is set.
struct Viewpoint {
  static constexpr float least_field_of_view = 1.0F;  // degrees
  static constexpr float most_field_of_view = 150.0F;

  Vec3 eye{};
  Vec3 target{};
  std::optional<double> field_of_view{};  // vertical, degrees
  std::optional<ViewAngles> angles{};     // given: `eye` is not read
  std::optional<bool> z_up{};             // else y is up
};

}  // namespace warpview
