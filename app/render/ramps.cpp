#include "app/render/ramps.h"

#include <cmath>
#include <numbers>

namespace warpview {
namespace {

float mix(float a, float b, float share) { return a + (b - a) * share; }

float light(Theme theme) { return theme == Theme::light ? 1.0F : 0.0F; }

}  // namespace

Vec3 sphere_ramp_colour(float value) {
  return from_oklch(0.62F + 0.16F * value, 0.135F, mix(0.70F, 0.10F, value));
}

Vec3 sphere_hue_colour(float value) { return from_oklch(0.74F, 0.12F, value); }

Vec3 strip_colour(float along, Theme theme) {
  const float swell = mix(0.14F, 0.06F, light(theme)) * std::sin(std::numbers::pi_v<float> * along);
  return from_oklch(mix(0.70F, 0.48F, light(theme)) + swell, 0.145F, mix(0.73F, 0.06F, along));
}

Vec3 box_level_colour(float level, Theme theme) {
  return from_oklch(mix(0.82F, 0.46F, light(theme)), 0.125F, 0.55F + 0.381966F * level);
}

Vec3 box_overlap_colour(float overlap, Theme theme) {
  return strip_colour(std::sqrt(overlap), theme);
}

Vec3 box_path_colour(float along, Theme theme) {
  const float lightness = mix(mix(0.62F, 0.93F, along), mix(0.62F, 0.38F, along), light(theme));
  return from_oklch(lightness, 0.14F, mix(0.13F, mix(0.25F, 0.08F, light(theme)), along));
}

}  // namespace warpview
