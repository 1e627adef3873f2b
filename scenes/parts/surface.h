// A mesh that is drawn: its streams, and what writes them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

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

// A mesh in device memory, as it is to be drawn.
struct SurfaceArrays {
  const Vertex* vertices = nullptr;  // [SurfaceRoom::copies][SurfaceRoom::vertices]
  const MeshCounts* counts = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* material = nullptr;
  const std::uint32_t* colours = nullptr;  // null: it has none
};
// The most that is drawn of it. Copies lie one behind the other, each with vertices of its own.
struct SurfaceRoom {
  std::uint32_t vertices = 0;  // of a copy
  std::uint32_t triangles = 0;
  bool has_colours = false;
  bool each_frame = false;  // do indices and materials change? Vertices may always
  std::uint32_t copies = 1;
};

// Draw commands of a surface_writer(), counted from its first: triangles, and a point each vertex.
inline constexpr std::size_t points_of_surface = 1;

// Writes the streams of OutputKind::surface, each named with `prefix` before it. `arrays` is asked
// whenever the writer is queued, `counts` after collect().
Writer surface_writer(const SurfaceRoom& room, const std::string& prefix,
                      const std::function<SurfaceArrays()>& arrays,
                      const std::function<MeshCounts()>& counts);
// Writes a mesh whose vertices lie at `positions()` when the writer is queued, or so many copies.
Writer surface_writer(const Vertices& mesh, const std::function<const Vertex*()>& positions,
                      std::uint32_t copies = 1);

}  // namespace warpview
