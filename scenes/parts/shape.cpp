#include "scenes/parts/shape.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace warpview {

RestExtent extent_of(const Aabb& bounds, int axis) {
  RestExtent rest{.centre = bounds.centre(), .half = bounds.max * 0.5F - bounds.min * 0.5F};
  rest.radius = std::hypot(rest.half.x, rest.half.y, rest.half.z);
  const float along = axis_of(rest.half, axis);
  rest.half_length = along > 1e-3F * rest.radius ? along : rest.radius;
  return rest;
}

Deformation plain_wave(const Controls& controls, const RestExtent& rest, float turns) {
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const auto axis = static_cast<std::uint32_t>(controls.choice("axis"));
  return {.axis = axis,
          .direction = (axis + 1) % 3,
          .amplitude = static_cast<float>(controls["strength"]) * rest.radius / 3.0F,
          .wave_number = turn * 1.5F / (2.0F * rest.half_length),
          .phase = turn * turns,
          .centre = rest.centre,
          .half_length = rest.half_length};
}

Deformation pose_of(const Controls& controls, const Aabb& at_rest, double turns, Wave* wave) {
  const Shape shape = shape_of(controls);
  if (shape == Shape::none || at_rest.is_empty()) return {};
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const int axis = controls.choice("axis");
  const RestExtent rest = extent_of(at_rest, axis);
  const auto strength = static_cast<float>(controls["strength"]);
  const auto t = static_cast<float>(turns);
  const float there_and_back = 0.5F * (1.0F - std::cos(turn * t));
  Deformation how{.axis = static_cast<std::uint32_t>(axis),
                  .direction = static_cast<std::uint32_t>((axis + 1) % 3),
                  .centre = rest.centre,
                  .half_length = rest.half_length};
  switch (shape) {
    case Shape::none:
      break;
    case Shape::wave:
      how = wave(controls, rest, t);
      break;
    case Shape::twist:
      how.kind = Deformer::twist;
      how.amplitude = strength * turn * std::sin(turn * t) / rest.half_length;
      break;
    case Shape::bulge:
      how.kind = Deformer::bulge;
      how.amplitude = strength * there_and_back;
      break;
    case Shape::explode:
      how.kind = Deformer::explode;
      how.amplitude = strength * there_and_back * rest.radius;
      how.phase = 2.0F * turn * strength * there_and_back;
      break;
  }
  const bool is_finite = std::isfinite(how.amplitude) && std::isfinite(how.wave_number) &&
                         std::isfinite(rest.radius * rest.radius) && rest.radius > 0.0F;
  if (!is_finite) {
    how.kind = Deformer::wave;
    how.amplitude = how.wave_number = how.phase = 0.0F;
  }
  return how;
}

}  // namespace warpview
