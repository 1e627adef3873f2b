// Colours as files have them: sRGB-encoded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

inline float decode_srgb(float encoded) {
  return encoded <= 0.04045F ? encoded / 12.92F : std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}
inline Vec3 decode_srgb(Vec3 v) { return {decode_srgb(v.x), decode_srgb(v.y), decode_srgb(v.z)}; }

inline float encode_srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
}
inline Vec3 encode_srgb(Vec3 v) { return {encode_srgb(v.x), encode_srgb(v.y), encode_srgb(v.z)}; }

// Red in the lowest 8 bits, then green and blue, and 255 in the highest. Channels beyond 0 to 1 are
// cut.
inline std::uint32_t pack_rgb(Vec3 v) {
  const auto byte = [](float channel) {
    return static_cast<std::uint32_t>(std::lround(255.0F * std::clamp(channel, 0.0F, 1.0F)));
  };
  return byte(v.x) | byte(v.y) << 8U | byte(v.z) << 16U | 0xff000000U;
}
inline Vec3 unpack_rgb(std::uint32_t packed) {
  const auto channel = [packed](unsigned shift) {
    return static_cast<float>(packed >> shift & 0xffU) / 255.0F;
  };
  return {channel(0), channel(8), channel(16)};
}

}  // namespace warpview
