#include "app/render/ramps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/files/colour.h"

namespace warpview {
namespace {

float mix(float a, float b, float share) { return a + (b - a) * share; }

Vec3 from_oklch(float lightness, float chroma, float hue) {
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const float a = chroma * std::cos(turn * hue);
  const float b = chroma * std::sin(turn * hue);
  const auto cube = [](float x) { return x * x * x; };
  const float l = cube(lightness + 0.3963377774F * a + 0.2158037573F * b);
  const float m = cube(lightness - 0.1055613458F * a - 0.0638541728F * b);
  const float s = cube(lightness - 0.0894841775F * a - 1.2914855480F * b);
  const auto channel = [=](float of_l, float of_m, float of_s) {
    return encode_srgb(std::clamp(of_l * l + of_m * m + of_s * s, 0.0F, 1.0F));
  };
  return {channel(4.0767416621F, -3.3077115913F, 0.2309699292F),
          channel(-1.2684380046F, 2.6097574011F, -0.3413193965F),
          channel(-0.0041960863F, -0.7034186147F, 1.7076147010F)};
}

float light(Theme theme) { return theme == Theme::light ? 1.0F : 0.0F; }

}  // namespace

Vec3 ramp_colour(float value) {
  const float t = std::clamp(value, 0.0F, 1.0F);
  const float chroma = mix(0.13F, 0.16F, t) - 0.055F * std::sin(std::numbers::pi_v<float> * t);
  return from_oklch(mix(0.30F, 0.92F, t), chroma, mix(0.80F, 0.29F, t));
}

Vec3 block_colour(float value) {
  const float lightness = 4.0F * value;
  return from_oklch(mix(0.45F, 0.88F, lightness - std::floor(lightness)), 0.11F, value);
}

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

Vec3 box_path_colour(float along, Theme theme) {
  const float lightness = mix(mix(0.62F, 0.93F, along), mix(0.62F, 0.38F, along), light(theme));
  return from_oklch(lightness, 0.14F, mix(0.13F, mix(0.25F, 0.08F, light(theme)), along));
}

}  // namespace warpview
