// What a material of a file is made of, as all pictures show it.
#pragma once

#include "gpu/steps/rays.h"
#include "scenes/files/mesh.h"

namespace warpview {

// A strong, coloured highlight makes a material metallic, and its exponent gives the roughness.
Substance substance_of(const Material& material);

}  // namespace warpview
