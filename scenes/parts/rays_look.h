// From where a ray traced picture is seen.
#pragma once

#include "gpu/steps/rays.h"
#include "scenes/scene.h"

namespace warpview {

// The rays, lights and depths of a view of what these bounds hold, in a picture of so many pixels.
// Everything else has its default.
RaysLook rays_look(const FrameView& view, std::uint32_t width, std::uint32_t height,
                   const Aabb& bounds);

}  // namespace warpview
