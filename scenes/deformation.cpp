// The deformation scene: the mesh scene, set to show what a deformation does to a BVH. No vertices
// are shared, so that triangles can fly apart.
#include <array>

#include "scenes/files/open_mesh.h"
#include "scenes/parts/mesh_scene.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr double initial(Shape shape) { return static_cast<double>(shape); }
constexpr double initial(Upkeep upkeep) { return static_cast<double>(upkeep); }

constexpr std::array own_controls = {
    with_initial(shape_control, initial(Shape::twist)),
    strength_control,
    with_initial(axis_control, 1),
    with_initial(speed_control, 0.2),
    with_initial(tree_control, initial(Upkeep::adaptive)),
    growth_control,
    with_initial(level_control, 6),
};
constexpr std::array deformation_controls = joined(own_controls, viewing_controls);

constexpr MeshPreset deformation_preset = {.corners = Corners::apart,
                                           .is_built_at_rest = false,
                                           .works_while_paused = false,
                                           .wave = plain_wave};

}  // namespace

SceneKind deformation_scene() {
  return mesh_scene_kind<deformation_preset>(
      {.name = "deformation",
       .title = "Deformation",
       .usage = "deformation [FILE]",
       .summary = "A deforming mesh, and the cost of refitting and rebuilding its BVH",
       .invitation = "A mesh twists, and its BVH follows. Set Shape to Explode.",
       .thumbnail = "deformation --set shape=twist --set strength=0.8 --time 1.2 --show mesh",
       .controls = deformation_controls,
       .size_control = nullptr,
       .own_mesh = default_mesh});
}

}  // namespace warpview
