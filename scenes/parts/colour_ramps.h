// The colours that stand for numbers, wherever they are shown: as shaders/colour.glsl has them.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// sRGB-encoded, 0 to 1, of a colour in OKLCH; its hue in turns.
Vec3 from_oklch(float lightness, float chroma, float hue);

// sRGB-encoded, 0 to 1, of a value from 0 to 1.
Vec3 ramp_colour(float value);   // ramp()
Vec3 block_colour(float value);  // block_colour()

}  // namespace warpview
