// The stage that deforms a mesh: its vertices, and the points and lines of its file.
#pragma once

#include <functional>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/deform.h"
#include "gpu/timeline/timeline.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/vertices.h"

namespace warpview {

// All of it must outlive the stage. `deformed` may be allocated later: it has room for the
// vertices' capacity when the stage runs. `deformation` returns where the device has it then.
struct Deformable {
  const Vertices& vertices;
  Elements& elements;
  const Buffer<Vertex>& deformed;
  std::function<const Deformation*()> deformation;
};
StageInfo deform_stage(Deformable mesh, const char* name, const char* title, const char* about);

}  // namespace warpview
