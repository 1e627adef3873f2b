// Legends that several scenes have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenes/files/mesh.h"
#include "scenes/scene.h"

namespace warpview {

// The materials that triangles of the mesh have, for this output. None where there are fewer than
// two, or where corners have colours of their own. Goes through all triangles.
std::optional<Legend> legend_of_materials(const Mesh& mesh, std::size_t output);
// What x, y and z of a normal are as red, green and blue.
Legend legend_of_normals(std::size_t output);

// What lies over a surface.
struct Overlays {
  std::uint64_t items = 0;  // triangles or boxes that a strip runs through in Morton order
  std::uint32_t level = 0;  // of the boxes that are drawn
  bool is_picked = false;   // is there a path to what was picked?
};
void add_overlay_legends(const Scene& scene, const Overlays& overlays,
                         std::vector<Legend>& legends);

}  // namespace warpview
