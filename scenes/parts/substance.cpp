#include "scenes/parts/substance.h"

#include <algorithm>
#include <cmath>

#include "scenes/files/colour.h"

namespace warpview {
namespace {

float largest_of(Vec3 v) { return std::max({v.x, v.y, v.z}); }
float smallest_of(Vec3 v) { return std::min({v.x, v.y, v.z}); }
Vec3 mixed(Vec3 a, Vec3 b, float share) { return a * (1.0F - share) + b * share; }
Vec3 in_range(Vec3 v) {
  return {std::clamp(v.x, 0.0F, 1.0F), std::clamp(v.y, 0.0F, 1.0F), std::clamp(v.z, 0.0F, 1.0F)};
}

float metallic_of(const Material& material) {
  const float strength = largest_of(material.specular);
  if (strength <= 0.0F) return 0.0F;
  const float colour = (strength - smallest_of(material.specular)) / strength;
  return std::clamp(2.0F * colour, 0.0F, 1.0F) * std::clamp((strength - 0.3F) / 0.3F, 0.0F, 1.0F);
}

// A metal has no diffuse part; what a file calls that is its hue, brought to the strength of the
// highlight, which files often whiten. Without a diffuse part there is only the highlight.
Vec3 metal_colour(const Material& material) {
  constexpr float black = 0.05F;
  const float diffuse = largest_of(material.diffuse);
  if (diffuse < black) return material.specular;
  return material.diffuse * std::max(1.0F, largest_of(material.specular) / diffuse);
}

// What is brighter than 1 keeps its hue.
Vec3 emission_of(Vec3 emissive) {
  const float strength = std::max(1.0F, largest_of(emissive));
  return decode_srgb(in_range(emissive * (1.0F / strength))) * strength;
}

Vec3 mirror_of(const Material& material) {
  if (material.optics.mirror == Optics::Mirror::none) return {0.0F, 0.0F, 0.0F};
  return decode_srgb(in_range(material.specular));
}

}  // namespace

Substance substance_of(const Material& material) {
  const float metallic = metallic_of(material);
  const Vec3 base = in_range(mixed(material.diffuse, metal_colour(material), metallic));
  // Blinn's exponent n is as wide as GGX with alpha^2 = 2 / (n + 2), and roughness^2 = alpha.
  const float roughness = std::pow(2.0F / (std::max(material.shininess, 1.0F) + 2.0F), 0.25F);
  return {.base_colour = decode_srgb(base),
          .roughness = roughness,
          .emission = emission_of(material.emissive),
          .metallic = metallic,
          .filter = decode_srgb(material.optics.filter),
          .clear = material.optics.clear,
          .mirror = mirror_of(material),
          .index = material.optics.index,
          .edge = material.optics.mirror == Optics::Mirror::fresnel ? 1.0F : 0.0F};
}

}  // namespace warpview
