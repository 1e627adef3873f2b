// Where one looks from, in the two forms that it has: in a scene's description, and as the window
// keeps it.
#pragma once

#include "app/common/scene_memory.h"
#include "app/render/camera.h"
#include "scenes/description.h"

namespace warpview {

// What the viewpoint does not say is as `camera` has it.
SceneMemory::View view_of(const Viewpoint& viewpoint, const Camera& camera);
// By angles. view_of() gives the view back, bit by bit.
Viewpoint viewpoint_of(const SceneMemory::View& view);

}  // namespace warpview
