// What a mesh is made of on the device.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// A triangle's data for one of its corners, and a vertex's data. 32 bytes: two 16-byte loads.
struct alignas(16) Vertex {
  Vec3 position;
  Vec3 normal;
  Vec2 texcoord;
};
static_assert(sizeof(Vertex) == 32);

}  // namespace warpview
