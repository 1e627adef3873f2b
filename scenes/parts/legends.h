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

// Adds those of the layers over a surface: of strips, which run through `items` triangles or boxes
// in Morton order; of boxes of one level, whose control is called "level"; and, if something is
// picked, of the path to it.
void add_overlay_legends(const Scene& scene, std::uint64_t items, bool is_picked,
                         std::vector<Legend>& legends);

}  // namespace warpview
