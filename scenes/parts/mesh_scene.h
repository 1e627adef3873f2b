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
#include <span>
#include <vector>

#include "gpu/steps/deform.h"
#include "scenes/controls.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/tree.h"
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
    .group = "Deformation"};
inline constexpr Control strength_control{
    .name = "strength",
    .title = "Strength",
    .tooltip =
        "Amplitude. At 1 a wave is a third of the mesh's radius high, a twist turns each "
        "end by 360 degrees, a bulge doubles the width, and triangles fly one radius far.",
    .initial = 0.5,
    .group = "Deformation",
    .needs = needs_deformation};
inline constexpr Control axis_control{
    .name = "axis",
    .title = "Axis",
    .tooltip = "Axis along which the shape varies.",
    .kind = Control::Kind::choice,
    .choices = axes,
    .group = "Deformation",
    .needs = {.control = "shape", .values = {"wave", "twist", "bulge"}}};
inline constexpr Control speed_control{.name = "speed",
                                       .title = "Speed",
                                       .tooltip = "Frequency; below 0 a wave travels backwards.",
                                       .initial = 0.5,
                                       .least = -2,
                                       .most = 2,
                                       .unit = "per second",
                                       .group = "Deformation",
                                       .needs = needs_deformation};
inline constexpr Control tree_control{
    .name = "tree",
    .title = "BVH",
    .tooltip =
        "Update per frame. refit: recompute boxes only. rebuild: build a new tree. "
        "adaptive: refit, and rebuild when the SAH cost exceeds its growth limit.",
    .kind = Control::Kind::choice,
    .choices = upkeeps,
    .group = "Upkeep",
    .needs = needs_deformation};
inline constexpr Control growth_control{
    .name = "growth",
    .title = "Growth limit",
    .tooltip =
        "adaptive: relative growth of the SAH cost since the last build that triggers a rebuild.",
    .initial = 0.2,
    .most = 2,
    .group = "Upkeep",
    .needs = {.control = "tree", .values = {"adaptive"}}};
inline constexpr Control level_control{.name = "level",
                                       .title = "Level",
                                       .tooltip = "BVH level drawn as boxes; 0 is the root.",
                                       .most = 63,
                                       .whole = true,
                                       .group = "BVH boxes",
                                       .needs = {.output = "boxes"}};

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

class MeshScene : public MarkedScene {
 public:
  // The preset must outlive this.
  MeshScene(const SceneRequest& request, const SceneKind& kind, const MeshPreset& preset);
  static std::uint64_t memory(const Mesh& mesh, const Controls& controls);

  void load(LoadControl& control) override;
  void compute_after(std::span<const StageId> chosen) override;
  void reset() override;
  void repeat(StageId stage) override;
  bool repeats_alone(StageId stage) const override;
  void queue_frame(const Frame& frame) override;
  Aabb bounds() const override { return rest_bounds_; }
  bool moving() const override { return shape() != Shape::none; }
  bool leaps() const override { return true; }
  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;

 private:
  struct Values {
    Deformation pose;
    std::uint32_t level;
    TriangleValueChoice colours;
  };
  enum class Work { none, refit, rebuild };  // of a frame, on the tree

  Shape shape() const { return static_cast<Shape>(controls().choice("shape")); }
  Upkeep upkeep() const { return static_cast<Upkeep>(controls().choice("tree")); }
  bool has_shared_corners() const { return preset_.corners == Corners::shared; }
  const Vertices& vertices() const override { return vertices_; }
  const Tree& tree() const override { return tree_; }
  Tree& tree() override { return tree_; }
  const Vertex* positions() const override {
    return is_deformed_ ? deformed_.data() : vertices_.vertices();
  }

  StageId add_deform();
  void add_outputs();
  void set_values();
  Deformation pose() const;
  // Only triangles can fly apart: what else the file has stays where it is.
  bool are_elements_deformed() const {
    return is_deformed_ && values_now_.pose.kind != Deformer::explode;
  }
  void leave_rest();
  // The tree is still that of the deformed mesh: it must be rebuilt.
  void put_to_rest();
  bool is_changed() const;
  Work next_work() const;
  void collect_build();
  void note_last_frame();
  double built_cost() const;
  void add_mesh_facts(std::vector<Fact>& facts) const;
  void add_upkeep_facts(std::vector<Fact>& facts) const;

  const MeshPreset& preset_;
  Vertices vertices_;
  Elements elements_;
  StageId deform_;
  Tree tree_;
  FrameValues<Values> values_;
  Buffer<Vertex> deformed_;              // from the first pose that is not at rest
  Values values_now_{};                  // of the frame that is being queued
  Deformation drawn_;                    // of the last one
  Upkeep drawn_upkeep_{};                // of the last one
  Aabb element_bounds_ = Aabb::empty();  // as the file has them
  Aabb rest_bounds_ = Aabb::empty();
  bool is_deformed_ = false;
  double turns_ = 0.0;             // -1 to 1
  Work last_ = Work::none;         // of the last frame
  bool is_build_pending_ = false;  // a build was queued outside of a frame, and not waited for
  double built_cost_ = 0.0;        // SAH cost after the last build
  double refit_ms_ = 0.0, rebuild_ms_ = 0.0;
  std::uint64_t refits_ = 0, rebuilds_ = 0;
};

// The scene of one preset, as scene_kind() takes it.
template <const MeshPreset& preset>
class PresetMeshScene final : public MeshScene {
 public:
  PresetMeshScene(const SceneRequest& request, const SceneKind& kind)
      : MeshScene(request, kind, preset) {}
};

}  // namespace warpview
