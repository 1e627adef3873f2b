#include "scenes/parts/colour_ramps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/files/colour.h"

namespace warpview {
namespace {

float mix(float a, float b, float share) { return a + (b - a) * share; }

}  // namespace

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

Vec3 ramp_colour(float value) {
  const float t = std::clamp(value, 0.0F, 1.0F);
  const float chroma = mix(0.13F, 0.16F, t) - 0.055F * std::sin(std::numbers::pi_v<float> * t);
  return from_oklch(mix(0.30F, 0.92F, t), chroma, mix(0.80F, 0.29F, t));
}

Vec3 block_colour(float value) {
  const float lightness = 4.0F * value;
  return from_oklch(mix(0.45F, 0.88F, lightness - std::floor(lightness)), 0.11F, value);
}

}  // namespace warpview
