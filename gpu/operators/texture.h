// Textures in device memory, and how kernels sample them. It uses additions, products and floor()
// alone, and is compiled without contraction: all devices get the same numbers.
//
//   L. Williams, Pyramidal Parametrics, 1983 (mipmaps).
//   P. Heckbert, Survey of Texture Mapping, 1986 (a pixel's footprint).
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// An image with its mipmaps, as a material shows it.
struct Texture {
  // All levels, one behind the other: the whole image first, a single pixel last. A level has half
  // the width and height of the one before, rounded down, and at least 1. Pixels lie row by row
  // from the top: red in the lowest byte, then green, blue and alpha.
  const std::uint32_t* texels = nullptr;
  std::uint32_t width = 0, height = 0;
  std::uint32_t levels = 0;      // 0: there is no texture
  std::uint32_t is_clamped = 0;  // does its edge go on beyond 0 to 1? Else it repeats
  // Texture coordinate t shows the place t * scale + offset; (0, 0) is the lower left corner.
  Vec2 scale{1.0F, 1.0F}, offset{0.0F, 0.0F};
};

struct TextureLevel {
  const std::uint32_t* texels;
  std::uint32_t width, height;
};

HOST_DEVICE inline TextureLevel texture_level(const Texture& texture, std::uint32_t level) {
  TextureLevel found{texture.texels, texture.width, texture.height};
  for (; level > 0; --level) {
    found.texels += std::size_t{found.width} * found.height;
    found.width = found.width > 1 ? found.width / 2 : 1;
    found.height = found.height > 1 ? found.height / 2 : 1;
  }
  return found;
}

// The level of which a footprint covers one to four texels; `texels` is how many of the whole image
// it covers.
HOST_DEVICE inline std::uint32_t texture_level_for(const Texture& texture, float texels) {
  std::uint32_t level = 0;
  for (; texels >= 4.0F && level + 1 < texture.levels; ++level) texels *= 0.25F;
  return level;
}

// Two neighbouring texels along an axis, and the second one's weight.
struct TexturePair {
  std::uint32_t first, second;
  float weight;
};

// What lies at `place`, from 0 to 1 along an axis of `size` texels. Texel i has its centre at
// (i + 1/2) / size. A place that is not finite counts as 0.
HOST_DEVICE inline TexturePair texture_pair(float place, std::uint32_t size, bool is_clamped) {
  place = is_clamped ? place < 1.0F ? place : 1.0F : place - std::floor(place);
  if (!(place > 0.0F)) place = 0.0F;
  // Half a texel beyond the place: its whole part is the second texel.
  const float at = place * static_cast<float>(size) + 0.5F;
  const float whole = std::floor(at);
  const auto second = static_cast<std::uint32_t>(whole);  // 0 to size
  TexturePair pair{second - 1, second, at - whole};
  if (second == 0) pair.first = is_clamped ? 0 : size - 1;
  if (second >= size) pair.second = is_clamped ? size - 1 : 0;
  return pair;
}

// Red, green and blue of a pixel's lowest three bytes, sRGB-encoded, as linear numbers. `linear`
// has that of each byte.
HOST_DEVICE inline Vec3 texel_colour(const float (&linear)[256], std::uint32_t rgba) {
  return {linear[rgba & 255U], linear[rgba >> 8U & 255U], linear[rgba >> 16U & 255U]};
}

// The linear colour at a texture coordinate, mixed of four texels of a level.
HOST_DEVICE inline Vec3 texture_colour(const Texture& texture, std::uint32_t level, Vec2 coordinate,
                                       const float (&linear)[256]) {
  const TextureLevel from = texture_level(texture, level);
  const bool is_clamped = texture.is_clamped != 0;
  const float u = coordinate.x * texture.scale.x + texture.offset.x;
  const float v = coordinate.y * texture.scale.y + texture.offset.y;
  const TexturePair x = texture_pair(u, from.width, is_clamped);
  const TexturePair y = texture_pair(1.0F - v, from.height, is_clamped);  // rows run downwards
  const auto texel = [&from, &linear](std::uint32_t column, std::uint32_t row) -> Vec3 {
    return texel_colour(linear, from.texels[std::size_t{row} * from.width + column]);
  };
  const auto mix = [](Vec3 a, Vec3 b, float weight) { return a + (b - a) * weight; };
  return mix(mix(texel(x.first, y.first), texel(x.second, y.first), x.weight),
             mix(texel(x.first, y.second), texel(x.second, y.second), x.weight), y.weight);
}

}  // namespace warpview
