#include "app/viewpoints.h"

#include <fmt/format.h>

#include <cstdlib>
#include <numbers>

namespace warpview {
namespace {

constexpr double degrees_in_radian = 180.0 / std::numbers::pi;

float radians(double degrees) { return static_cast<float>(degrees / degrees_in_radian); }

// The shortest number of degrees that is this angle again.
double degrees(float angle) {
  const double exact = double{angle} * degrees_in_radian;
  constexpr int most_digits = 17;  // that tell two doubles apart
  for (int digits = 1; digits < most_digits; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}g}", exact, digits).c_str(), nullptr);
    if (radians(rounded) == angle) return rounded;
  }
  return exact;
}

// The shortest number that is this length again.
double shortest(float length) { return std::strtod(fmt::format("{}", length).c_str(), nullptr); }

}  // namespace

SceneMemory::View view_of(const Viewpoint& viewpoint, const Camera& camera) {
  Camera there = camera;
  if (viewpoint.z_up) there.up_axis = *viewpoint.z_up ? UpAxis::z : UpAxis::y;
  const Vec3 at = viewpoint.target;
  if (!viewpoint.angles) {
    const Vec3 eye = viewpoint.eye;
    there.look_from({eye.x, eye.y, eye.z}, {at.x, at.y, at.z}, {});
  }
  SceneMemory::View view{.fits = viewpoint.angles && !viewpoint.angles->distance,
                         .up = there.up_axis,
                         .yaw = there.yaw,
                         .pitch = there.pitch,
                         .field_of_view = there.field_of_view,
                         .distance = there.distance,
                         .target = {at.x, at.y, at.z}};
  if (viewpoint.field_of_view) view.field_of_view = radians(*viewpoint.field_of_view);
  if (!viewpoint.angles) return view;
  view.yaw = radians(viewpoint.angles->yaw);
  view.pitch = radians(viewpoint.angles->pitch);
  view.distance = static_cast<float>(viewpoint.angles->distance.value_or(1.0));
  return view;
}

Viewpoint viewpoint_of(const SceneMemory::View& view) {
  Viewpoint viewpoint{.field_of_view = degrees(view.field_of_view),
                      .angles = {{.yaw = degrees(view.yaw), .pitch = degrees(view.pitch)}},
                      .z_up = view.up == UpAxis::z};
  if (view.fits) return viewpoint;
  viewpoint.target = {view.target.x, view.target.y, view.target.z};
  viewpoint.angles->distance = shortest(view.distance);
  return viewpoint;
}

}  // namespace warpview
