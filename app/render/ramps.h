// The colours that the shaders give to values, for legends: as shaders/colour.glsl has them.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// sRGB-encoded, 0 to 1, of a value from 0 to 1.
Vec3 ramp_colour(float value);         // ramp()
Vec3 block_colour(float value);        // block_colour()
Vec3 sphere_ramp_colour(float value);  // sphere_ramp()
Vec3 sphere_hue_colour(float value);   // sphere_hue()
// Of the leaf at this place in Morton order, as gpu/steps/triangle_values.h says, before
// block_colour().
float value_of_leaf(unsigned place);

}  // namespace warpview
