// What surfaces are made of, as shaders take it.
#pragma once

#include <cstdint>
#include <vector>

#include "app/render/textures.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// What a triangle is made of. Colours are linear. Laid out as GLSL's std430 asks.
struct alignas(16) Surface {
  Vec3 base_colour{0.70F, 0.69F, 0.67F};
  float roughness = 0.45F;
  Vec3 emission{0.0F, 0.0F, 0.0F};
  float metallic = 0.0F;
  std::int32_t texture = -1;  // which of the images multiplies base_colour; -1: none
  std::int32_t array = 0;     // where the shader finds it: the renderer fills this in
  std::int32_t layer = -1;
  std::uint32_t is_clamped = 0;  // the texture, beyond 0 to 1: its edge goes on
  // Texture coordinate t shows the texel at t * scale + offset.
  Vec2 texture_scale{1.0F, 1.0F};
  Vec2 texture_offset{0.0F, 0.0F};
};
static_assert(sizeof(Surface) == 64);

struct SurfaceLook {
  std::vector<Surface> materials;  // empty: one default material
  TextureArrays images;            // texture coordinate (0, 0) is the lower left of each
};

}  // namespace warpview
