// A camera that goes once around the model.
#pragma once

#include <cstdint>

#include "app/render/camera.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// The camera of a frame: turned around the scene's centre and what is up in it, by an equal angle
// from frame to frame, so that the last frame is as far from the first as from the one before.
Camera turned(const Camera& first, std::uint64_t frame, std::uint64_t frames);

// The camera so far away that the box is in the view from all directions of a revolution.
Camera fitted_all_around(Camera camera, const Aabb& box, float aspect);

}  // namespace warpview
