// What a mesh fills, at rest and as it is deformed.
#pragma once

#include "gpu/runtime/vec.h"
#include "scenes/files/mesh.h"
#include "scenes/parts/mesh_scene.h"
#include "scenes/parts/outline.h"

namespace warpview {

// `box`: the mesh's bounds. `elements`: the bounds of its points and lines, empty without them.
Outline outline_of(const Mesh& mesh, const Aabb& box, const Aabb& elements);

// The box at rest, grown by what the shape moves out of it at this strength at any moment. Twists
// and waves stay about where the mesh is at rest.
Aabb reach_of(Shape shape, const Aabb& box, const RestExtent& rest, int axis, float strength);

}  // namespace warpview
