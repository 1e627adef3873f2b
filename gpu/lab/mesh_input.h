// Triangles of a mesh as the input of experiments. Each primitive of the mesh pipeline gets what
// its stage works on: corners, boxes, Morton codes, codes in order. Sequential references make
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/runtime/vertex.h"

namespace warpview::lab {

struct MeshInput {
  static constexpr std::uint32_t usual_triangles = 1024;
  static constexpr std::uint32_t most_triangles = RecordedMesh::most_triangles;

  std::string name;             // of the mesh, for the user
  std::uint32_t whole = 0;      // triangles of the mesh
  std::vector<Vertex> corners;  // of the first of them, three each
  // Axes of the picture: unit vectors to the right and up.
  Vec3 right{1.0F, 0.0F, 0.0F};
  Vec3 up{0.0F, 1.0F, 0.0F};

  std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners.size() / 3); }
};

// The first `most` triangles without a coordinate that is not finite. `corners` are three for each
// triangle. Error if there is none.
MeshInput mesh_input(const std::string& name, std::span<const Vertex> corners, std::uint32_t most);

// The boxes of all its triangles.
std::vector<Aabb> boxes(const MeshInput& mesh);

}  // namespace warpview::lab
