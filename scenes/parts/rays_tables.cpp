#include "scenes/parts/rays_tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "scenes/files/colour.h"
#include "scenes/parts/colour_ramps.h"

namespace warpview {
namespace {

// As shaders/lighting.glsl has it.
float exposed(float linear) { return 1.0F - std::exp(-1.1F * linear); }

std::uint8_t as_byte(float linear) {
  return static_cast<std::uint8_t>(
      std::lround(255.0F * encode_srgb(std::clamp(linear, 0.0F, 1.0F))));
}

}  // namespace

std::unique_ptr<RaysTables> rays_tables() {
  auto tables = std::make_unique<RaysTables>();
  for (std::uint32_t i = 0; i < RaysTables::colours; ++i) {
    const float share = static_cast<float>(i) / (RaysTables::colours - 1);
    tables->ramp[i] = decode_srgb(ramp_colour(share));
    tables->blocks[i] = decode_srgb(block_colour(share));
  }
  for (std::size_t i = 0; i < std::size(tables->linear); ++i)
    tables->linear[i] = decode_srgb(static_cast<float>(i) / 255.0F);
  for (std::uint32_t i = 0; i < RaysTables::shades; ++i) {
    const float root = static_cast<float>(i) / (RaysTables::shades - 1);
    tables->plain[i] = as_byte(root * root);
    tables->exposed[i] = as_byte(exposed(RaysTables::brightest * root * root));
  }
  return tables;
}

}  // namespace warpview
