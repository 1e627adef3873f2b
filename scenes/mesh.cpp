// The mesh scene: a mesh at rest, or deformed by a wave that is set in detail. A bare file is
// opened with it.
#include <array>
#include <numbers>
#include <span>

#include "scenes/files/open_mesh.h"
#include "scenes/parts/mesh_scene.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr Need needs_shape{.control = "shape", .values = {"wave", "twist", "bulge"}};
constexpr Need needs_wave{.control = "shape", .values = {"wave"}};

// Triangles that share vertices cannot fly apart.
constexpr Control shape_of_shared = [] {
  Control control = shape_control;
  control.tooltip =
      "none: the mesh is at rest, and its BVH was built once. wave: travels along the axis. twist: "
      "rotates around the axis, back and forth. bulge: the middle expands away from the axis.";
  control.choices = std::span(shapes).first(static_cast<std::size_t>(Shape::explode));
  return control;
}();
// The wave has an amplitude instead.
constexpr Control strength_of_others = [] {
  Control control = strength_control;
  control.tooltip =
      "Amplitude. At 1 a twist turns each end by 360 degrees, and a bulge doubles the width.";
  control.needs = {.control = "shape", .values = {"twist", "bulge"}};
  return control;
}();

constexpr std::array own_controls = {
    shape_of_shared,
    strength_of_others,
    axis_control,
    Control{.name = "displaces",
            .title = "Direction",
            .tooltip = "Axis along which the wave moves the vertices.",
            .kind = Control::Kind::choice,
            .initial = 1,
            .choices = axes,
            .group = "Each frame",
            .needs = needs_wave},
    Control{.name = "amplitude",
            .title = "Amplitude",
            .tooltip = "Maximum displacement of a vertex by the wave, in radii of the mesh.",
            .initial = 0.06,
            .most = 0.5,
            .unit = "radii",
            .group = "Each frame",
            .needs = needs_wave},
    Control{.name = "waves",
            .title = "Waves",
            .tooltip = "Number of wavelengths along the mesh.",
            .initial = 2,
            .least = 0.25,
            .most = 12,
            .group = "Each frame",
            .needs = needs_wave},
    with_needs(speed_control, needs_shape),
    with_needs(tree_control, needs_shape),
    growth_control,
    level_control,
};
constexpr std::array mesh_controls = joined(own_controls, viewing_controls);

// Before there were shapes, `animation` was a wave and the tree's upkeep in one.
constexpr std::array old_settings = {
    OldSetting{.name = "animation", .value = "off", .today = {{{"shape", "none"}}}},
    OldSetting{
        .name = "animation", .value = "refit", .today = {{{"shape", "wave"}, {"tree", "refit"}}}},
    OldSetting{.name = "animation",
               .value = "rebuild",
               .today = {{{"shape", "wave"}, {"tree", "rebuild"}}}},
    OldSetting{.name = "travels", .today = {{{"axis"}}}},
};

Deformation detailed_wave(const Controls& controls, const RestExtent& rest, float turns) {
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const int axis = controls.choice("axis");
  const float along = 2.0F * axis_of(rest.half, axis);
  const float length = along > 0.0F ? along : 2.0F * rest.radius;
  return {.axis = static_cast<std::uint32_t>(axis),
          .direction = static_cast<std::uint32_t>(controls.choice("displaces")),
          .amplitude = static_cast<float>(controls["amplitude"]) * rest.radius,
          .wave_number = turn * static_cast<float>(controls["waves"]) / length,
          .phase = turn * turns};
}

constexpr MeshPreset mesh_preset = {.corners = Corners::shared,
                                    .is_built_at_rest = true,
                                    .works_while_paused = true,
                                    .wave = detailed_wave};

}  // namespace

SceneKind mesh_scene() {
  return mesh_scene_kind<mesh_preset>(
      {.name = "mesh",
       .title = "Mesh",
       .usage = "[mesh] FILE",
       .summary = "Everything the primitives compute about a mesh, at rest or deformed",
       .invitation = "A mesh and the BVH over it. Click a triangle, tick BVH boxes.",
       .thumbnail = "mesh generated:knot --show mesh,boxes --level 5",
       .controls = mesh_controls,
       .old_settings = old_settings,
       .size_control = nullptr,
       .own_mesh = default_mesh});
}

}  // namespace warpview
