// What lights the path traced pictures of a mesh: its triangles that emit, and the room around it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/steps/paths.h"
#include "scenes/files/mesh.h"

namespace warpview {

struct PathLightTable {
  std::vector<PathLight> lights;
  float power = 0.0F;  // as PathLights::power
};

// The triangles of materials that emit; `substances` are those of the mesh's materials. Triangles
// without area and those with a coordinate that is not finite emit nothing.
PathLightTable path_lights(const Mesh& mesh, std::span<const Substance> substances);

// Device memory that they take, at most.
std::uint64_t path_light_bytes(const Mesh& mesh);

// The room that RaysLight::room puts around a mesh with these bounds: its floor is just below them.
Aabb path_room_around(const Aabb& bounds);

}  // namespace warpview
