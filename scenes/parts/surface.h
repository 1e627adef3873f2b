// A mesh that is drawn: its streams, its outputs, and what writes them.
#pragma once

#include <cstdint>
#include <vector>

#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {

// Every scene that shows a mesh has it.
inline constexpr Control crease_control{
    .name = "crease",
    .title = "Crease",
    .tooltip =
        "For faces without normals: edges with a larger angle between their faces are sharp, all "
        "others smooth. A change reads the files again.",
    .effect = Effect::remake,
    .initial = MeshOptions().crease,
    .most = 180,
    .unit = "degrees",
    .of_files = true,
    .group = "Normals"};

// Streams of a surface, in the order in which outputs of kind `surface` and `edges` want them.
struct SurfaceStreams {
  std::size_t vertices = 0, indices = 0, material = 0, colours = 0;
  std::size_t triangles = 0, points = 0;  // draw commands

  std::vector<std::size_t> all() const { return {vertices, indices, material, colours}; }
};

// What a frame wants of a surface, and where it goes.
struct SurfaceTargets {
  Vertex* vertices = nullptr;
  std::uint32_t* indices = nullptr;
  std::uint32_t* material = nullptr;
  std::uint32_t* colours = nullptr;
  DrawCommand* triangles = nullptr;
  DrawCommand* points = nullptr;

  bool any() const { return vertices || indices || material || colours; }
};

// Queues the writing of a mesh whose vertices lie at `positions` now.
void write_surface(const StageRun& run, const Vertices& mesh, const Vertex* positions,
                   const SurfaceTargets& targets);

// The fewest bytes that this moves, as of the last collect(): each is read and written once.
StageWork work_of(const Vertices& mesh, const SurfaceTargets& targets);

}  // namespace warpview
