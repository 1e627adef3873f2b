// Small meshes for tests of recordings that are made from one.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "gpu/lab/mesh_input.h"

namespace warpview::test {

// A wavy sheet of side * side quads, two triangles each, whose corners share (side + 1)^2 vertices.
inline std::shared_ptr<const lab::MeshInput> wavy_sheet(std::uint32_t side) {
  const auto vertex = [side](std::uint32_t x, std::uint32_t y) {
    const float u = static_cast<float>(x) / static_cast<float>(side);
    const float v = static_cast<float>(y) / static_cast<float>(side);
    return Vertex{.position = {u, v, 0.25F * std::sin(6.0F * u) * std::cos(5.0F * v)},
                  .normal = {0.0F, 0.0F, 1.0F},
                  .texcoord = {u, v}};
  };
  lab::MeshInput mesh;
  mesh.name = "sheet";
  mesh.whole = 2 * side * side;
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x)
      for (const auto& [dx, dy] :
           {std::pair{0U, 0U}, {1U, 0U}, {1U, 1U}, {0U, 0U}, {1U, 1U}, {0U, 1U}})
        mesh.corners.push_back(vertex(x + dx, y + dy));
  mesh.right = {0.8F, 0.0F, 0.6F};
  mesh.up = {-0.36F, 0.8F, 0.48F};
  return std::make_shared<const lab::MeshInput>(mesh);
}

}  // namespace warpview::test
