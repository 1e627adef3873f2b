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

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/steps/deform.h"
#include "scenes/controls.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {

// --- Controls that both presets have, under names by which the scene finds them

enum class Shape { none, wave, twist, bulge, explode };
inline constexpr std::array shapes = {"none", "wave", "twist", "bulge", "explode"};
enum class Upkeep { refit, rebuild, adaptive };
inline constexpr std::array upkeeps = {"refit", "rebuild", "adaptive"};

inline constexpr Need needs_deformation{.control = "shape",
                                        .values = {"wave", "twist", "bulge", "explode"}};

inline constexpr Control shape_control{
    .name = "shape",
    .title = "Shape",
    .tooltip =
        "none: the mesh is at rest. wave: travels along the axis. twist: rotates around the "
        "axis, back and forth. bulge: the middle expands away from the axis. explode: every "
        "triangle flies out and returns.",
    .kind = Control::Kind::choice,
    .choices = shapes,
    .group = "Each frame"};
inline constexpr Control strength_control{
    .name = "strength",
    .title = "Strength",
    .tooltip =
        "Amplitude. At 1 a wave is a third of the mesh's radius high, a twist turns each "
        "end by 360 degrees, a bulge doubles the width, and triangles fly one radius far.",
    .initial = 0.5,
    .group = "Each frame",
    .needs = needs_deformation};
inline constexpr Control axis_control{
    .name = "axis",
    .title = "Axis",
    .tooltip = "Axis along which the shape varies.",
    .kind = Control::Kind::choice,
    .choices = axes,
    .group = "Each frame",
    .needs = {.control = "shape", .values = {"wave", "twist", "bulge"}}};
inline constexpr Control speed_control{.name = "speed",
                                       .title = "Speed",
                                       .tooltip = "Frequency; below 0 a wave travels backwards.",
                                       .initial = 0.5,
                                       .least = -2,
                                       .most = 2,
                                       .unit = "per second",
                                       .group = "Each frame",
                                       .needs = needs_deformation};
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
inline constexpr Control level_control{.name = "level",
                                       .title = "Level",
                                       .tooltip = "BVH level drawn as boxes; 0 is the root.",
                                       .most = 63,
                                       .whole = true,
                                       .group = "BVH boxes",
                                       .needs = {.output = "boxes"}};

template <std::size_t n, std::size_t m>
constexpr std::array<Control, n + m> joined(const std::array<Control, n>& first,
                                            const std::array<Control, m>& second) {
  std::array<Control, n + m> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + n);
  return all;
}
constexpr Control with_initial(Control control, double initial) {
  control.initial = initial;
  return control;
}
constexpr Control with_needs(Control control, const Need& needs) {
  control.needs = needs;
  return control;
}

// --- Presets

// The mesh at rest, in its own units.
struct RestExtent {
  Vec3 centre{};
  Vec3 half{};               // of the bounds' sides
  float radius = 0.0F;       // half the diagonal of the bounds
  float half_length = 0.0F;  // along the axis of the shape; of a flat mesh the radius
};

// What a preset settles beside its controls and their initial values.
struct MeshPreset {
  // Triangles with shared vertices cannot explode. With corners apart no vertices are shared.
  Corners corners = Corners::shared;
  // The pose for which load() and choices of variants build the tree: at rest, or of that moment.
  bool is_built_at_rest = true;
  // Does a frame in which neither time passed nor anything changed deform and refit all the same?
  // Then there are times of it even of a single picture.
  bool works_while_paused = true;
  // The wave `turns` periods after the beginning. Amplitude and wave number need not be finite.
  Deformation (*wave)(const Controls& controls, const RestExtent& rest, float turns) = nullptr;
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
