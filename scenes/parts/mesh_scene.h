// A mesh and what the primitives compute about it, from its corners to a fitted BVH: at rest, or
// deformed in each frame. A tree that is refitted keeps the topology that it was built with, and
// its boxes come to overlap as the mesh leaves the pose that it was built for: the SAH cost says
// how much. A rebuild costs more, and brings the cost back.
//
//   upload -> scan -> dedup or number -> [deform] -> boxes -> bounds -> morton -> sort -> build ->
//   refit -> statistics
//
// The scenes mesh and deformation are presets of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "scenes/controls.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/shape.h"
#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {

// --- Controls that both presets have, under names by which the scene finds them

enum class Upkeep { refit, rebuild, adaptive };
inline constexpr std::array upkeeps = {"refit", "rebuild", "adaptive"};

inline constexpr Control tree_control{
    .name = "tree",
    .title = "BVH",
    .tooltip =
        "Update per frame. refit: recompute boxes only. rebuild: build a new tree. "
        "adaptive: refit, and rebuild when the SAH cost exceeds its growth limit.",
    .kind = Control::Kind::choice,
    .choices = upkeeps,
    .group = "Each frame",
    .needs = needs_deformation};
inline constexpr Control growth_control{
    .name = "growth",
    .title = "Growth limit",
    .tooltip =
        "adaptive: relative growth of the SAH cost since the last build that triggers a rebuild.",
    .initial = 0.2,
    .most = 2,
    .group = "Each frame",
    .needs = {.control = "tree", .values = {"adaptive"}}};
// --- Presets

// What a preset settles beside its controls and their initial values.
struct MeshPreset {
  // Triangles with shared vertices cannot explode. With corners apart no vertices are shared.
  Corners corners = Corners::shared;
  // The pose for which load() and choices of variants build the tree: at rest, or of that moment.
  bool is_built_at_rest = true;
  // Does a frame in which neither time passed nor anything changed deform and refit all the same?
  // Then there are times of it even of a single picture.
  bool works_while_paused = true;
  Wave* wave = nullptr;
};

// The preset must outlive the scene.
std::unique_ptr<Scene> make_mesh_scene(const SceneRequest& request, const SceneKind& kind,
                                       const MeshPreset& preset);
std::uint64_t memory_of_mesh_scene(const Mesh& mesh, const Controls& controls);

// The row of a preset.
template <const MeshPreset& preset>
constexpr SceneKind mesh_scene_kind(SceneKind row) {
  row.construct = [](const SceneRequest& request, const SceneKind& kind) {
    return make_mesh_scene(request, kind, preset);
  };
  row.memory = memory_of_mesh_scene;
  return row;
}

}  // namespace warpview
