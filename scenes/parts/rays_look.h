// From where a ray traced picture is seen.
#pragma once

#include "gpu/steps/rays.h"
#include "scenes/scene.h"

namespace warpview {

// The rays, lights and depths of a view of what these bounds hold, in a picture of so many pixels.
// Everything else has its default.
// The sun moves with the eye.
RaysLook rays_look(const FrameView& view, std::uint32_t width, std::uint32_t height,
                   const Aabb& bounds);

// To the sun of the view `paths`, which stands still in the scene. Of unit length.
Vec3 sun_that_stands_still();

}  // namespace warpview
