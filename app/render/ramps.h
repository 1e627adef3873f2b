// The colours that the shaders give to values, for legends: as shaders/colour.glsl has them.
#pragma once

#include "app/common/theme.h"
#include "gpu/runtime/vec.h"
#include "scenes/parts/colour_ramps.h"

namespace warpview {

// sRGB-encoded, 0 to 1, of a value from 0 to 1, as those of scenes/parts/colour_ramps.h.
Vec3 sphere_ramp_colour(float value);  // sphere_ramp()
Vec3 sphere_hue_colour(float value);   // sphere_hue()
// Colours of lines over a surface, in a theme.
Vec3 strip_colour(float along, Theme theme);
Vec3 box_level_colour(float level, Theme theme);
Vec3 box_overlap_colour(float overlap, Theme theme);
Vec3 box_path_colour(float along, Theme theme);

}  // namespace warpview
