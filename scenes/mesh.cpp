// The mesh scene: everything about a mesh that the primitives compute, from its corners to a fitted
// BVH; and a wave through it, with the BVH refitted or built anew in each frame.
//
//   upload -> scan -> dedup -> [deform] -> boxes -> bounds -> morton -> sort -> build -> refit
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gpu/steps/deform.h"
#include "gpu/steps/mesh.h"
#include "gpu/steps/tree.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/mesh_controls.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

struct MeshPlan {
  bool is_deformed = false;  // are the vertices where `deformed_` is? else at rest
  bool rebuilds = false;     // a deformed mesh's tree; else it is refitted

  bool operator==(const MeshPlan&) const = default;
};

class MeshScene final : public Planned<MeshPlan, MarkedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& controls);

  MeshScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind),
        vertices_(timeline(), mesh()),
        elements_(timeline(), mesh()),
        deform_(add_deform()),
        tree_(timeline(), {.vertices = vertices_.vertices(),
                           .indices = vertices_.indices(),
                           .count = vertices_.triangle_count(),
                           .capacity = vertices_.triangle_capacity()}),
        values_(timeline().values<Values>()) {
    add_outputs();
    reserve();
  }

  void load(LoadControl& control) override {
    run_phases(control, Vertices::stages + Tree::stages, [this] {
      vertices_.upload();
      elements_.upload(element_commands());
      compute();
    });
    element_bounds_ = bounds_of_elements(mesh());
    rest_bounds_ = merge(tree_.bounds().points, element_bounds_);
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (plan().is_deformed && !tree_.keeps_topology(first)) put_to_rest();
    vertices_.compute(first);
    tree_.rebuild(first);
    timeline().queue_read_backs();
  }

  void reset() override { turns_ = 0.0; }
  bool leaps() const override { return true; }

  void repeat(StageId stage) override {
    collect();
    if (stage == deform_) {
      if (deformed_.size() > 0) timeline().run(stage);
    } else if (!tree_.repeat(stage)) {
      // What uploads, drops and de-duplicates makes the mesh at rest.
      if (plan().is_deformed) {
        put_to_rest();
        tree_.rebuild_untimed();
      }
      timeline().run(stage);
    }
    timeline().queue_read_backs();
    collect();
  }

  bool repeats_alone(StageId stage) const override {
    if (stage == deform_) return true;
    return tree_.is_ours(stage) ? tree_.repeats_alone(stage) : !plan().is_deformed;
  }

  MeshPlan plan_frame(const Frame& frame) override {
    const bool moves = moving();
    if (moves && deformed_.size() == 0)
      deformed_ = {timeline().device(), vertices_.vertex_capacity()};
    if (!moves && plan().is_deformed) {
      put_to_rest();
      tree_.rebuild();
    }
    const MeshPlan plan{.is_deformed = moves, .rebuilds = animation() == Animation::rebuild};
    tree_.set_vertices(positions_of(plan));
    turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
    values_now_ = {.wave = wave(),
                   .level = static_cast<std::uint32_t>(controls()["level"]),
                   .colours = colours()};
    values_.set(values_now_);
    set_styles();
    return plan;
  }

  void queue_stages(const MeshPlan& plan) override {
    if (plan.is_deformed) {
      timeline().run(deform_);
      if (plan.rebuilds)
        tree_.rebuild();
      else
        tree_.refit();
    }
    write();
  }

  void has_queued(const Frame& /*frame*/) override {
    if (plan().is_deformed) tree_.set_current(plan().rebuilds);
  }

  Aabb bounds() const override { return rest_bounds_; }
  bool moving() const override { return animation() != Animation::off; }

  std::vector<Fact> facts() const override {
    const MeshCounts& counts = vertices_.counts();
    const TreeStatistics& tree = tree_.statistics();
    const auto number = [](std::uint64_t n) { return std::uint64_t{n}; };
    std::vector<Fact> facts = {
        {.name = "mesh.triangles", .title = "Triangles", .value = number(counts.triangles)},
        {.name = "mesh.corners", .title = "Corners", .value = number(counts.corners)},
        {.name = "mesh.unique_vertices",
         .title = "Vertices",
         .value = number(counts.vertices),
         .tooltip = "Unique vertices: corners with equal position, normal and texture coordinate "
                    "are merged."},
        {.name = "mesh.dropped_triangles",
         .title = "Rejected",
         .value = number(counts.dropped),
         .tooltip = "Triangles with a coordinate that is not finite. Faces of the file that were "
                    "dropped before, for missing or invalid indices: " +
                    std::to_string(mesh().dropped_faces) + "."},
        {.name = "mesh.points",
         .title = "Points",
         .value = number(mesh().points.size()),
         .tooltip = "Points in the file, beside its triangles."},
        {.name = "mesh.lines",
         .title = "Lines",
         .value = number(mesh().line_count()),
         .tooltip = "Line segments in the file, beside its triangles."},
        {.name = "mesh.bounds",
         .title = "Bounds",
         .value = merge(tree_.bounds().points, element_bounds_)},
        {.name = "bvh.internal_nodes", .title = "Inner nodes", .value = number(tree.inner_nodes)},
        {.name = "bvh.max_depth", .title = "Depth", .value = number(tree.max_depth)},
        {.name = "bvh.sah_cost",
         .title = "SAH cost",
         .value = tree.sah_cost,
         .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                    "root visits. Lower is better."},
    };
    add_level_fact(facts);
    return facts;
  }

  std::vector<Check> verify() override {
    const Vertices::Snapshot at_rest = vertices_.snapshot();
    std::vector<Check> checks = vertices_.verify(at_rest);
    if (!checks.back().difference.empty()) return checks;
    const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
    if (plan().is_deformed)
      checks.push_back(
          {"deform", first_of({check_deformed(at_rest.vertices, tree.vertices, values_now_.wave),
                               elements_.check_deformed(values_now_.wave)})});
    if (!checks.back().difference.empty()) return checks;
    for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
    if (!checks.back().difference.empty()) return checks;
    checks.push_back(check_writers());
    return checks;
  }

 private:
  struct Values {
    Deformation wave;
    std::uint32_t level;
    TriangleValueChoice colours;
  };

  Animation animation() const { return static_cast<Animation>(controls().choice("animation")); }
  // The tree is still that of the wave: it must be rebuilt.
  void put_to_rest() {
    set_plan({});
    tree_.set_vertices(vertices_.vertices());
    tree_.set_current(false);
  }
  const Vertices& vertices() const override { return vertices_; }
  const Tree& tree() const override { return tree_; }
  Tree& tree() override { return tree_; }
  const Vertex* positions() const override { return positions_of(plan()); }
  const Vertex* positions_of(const MeshPlan& plan) const {
    return plan.is_deformed ? deformed_.data() : vertices_.vertices();
  }

  StageId add_deform() {
    return timeline().add({.name = "deform",
                           .title = "Deform",
                           .queue =
                               [this](const StageRun& run) {
                                 run.run<Step::deform>(
                                     DeformArgs{.rest = vertices_.vertices(),
                                                .count = vertices_.vertex_count(),
                                                .n = vertices_.vertex_capacity(),
                                                .deformation = &values_.device()->wave,
                                                .vertices = deformed_.data()});
                                 elements_.deform(run, &values_.device()->wave);
                               },
                           .work =
                               [this] {
                                 const std::uint64_t n = vertices_.counts().vertices;
                                 return StageWork{n, 2 * n * sizeof(Vertex)} + elements_.deformed();
                               }});
  }

  void add_outputs() {
    const auto* const values = values_.device();
    const WrittenAt surface = add_surface(
        {.name = "mesh", .title = "Mesh", .key = '1', .shown = true},
        {.name = "wire", .title = "Wireframe", .key = '2'},
        surface_writer(vertices_, [this] { return positions(); }), value_writer(&values->colours));
    add_output(boxes_row('3'), box_writer(tree_, &values->level));
    add_output(curve_row('4'), curve_writer(tree_));
    add_output({.kind = OutputKind::points,
                .name = "points",
                .title = "Unique vertices",
                .key = '5',
                .streams = {surface.stream},
                .command = surface.command + points_of_surface});
    add_element_outputs(
        elements_, [this] { return plan().is_deformed; }, '6', '7');
    add_picked_outputs('8', '9');
  }

  // The wave of this moment. A mesh without extent, or with more than floats can square, keeps
  // still.
  Deformation wave() const {
    if (!moving() || rest_bounds_.is_empty()) return {};
    constexpr float turn = 2.0F * std::numbers::pi_v<float>;
    const int axis = controls().choice("travels");
    const Vec3 half = rest_bounds_.max * 0.5F - rest_bounds_.min * 0.5F;
    const float radius = std::hypot(half.x, half.y, half.z);
    const float along = 2.0F * axis_of(half, axis);
    const float length = along > 0.0F ? along : 2.0F * radius;
    Deformation wave{.axis = static_cast<std::uint32_t>(axis),
                     .direction = static_cast<std::uint32_t>(controls().choice("displaces")),
                     .amplitude = static_cast<float>(controls()["amplitude"]) * radius,
                     .wave_number = turn * static_cast<float>(controls()["waves"]) / length,
                     .phase = turn * static_cast<float>(turns_)};
    if (!std::isfinite(wave.amplitude) || !std::isfinite(wave.wave_number))
      wave.amplitude = wave.wave_number = 0.0F;
    return wave;
  }

  Vertices vertices_;
  Elements elements_;
  StageId deform_;
  Tree tree_;
  FrameValues<Values> values_;
  Buffer<Vertex> deformed_;              // from the first frame that moves
  Values values_now_{};                  // of the frame that is being queued
  Aabb element_bounds_ = Aabb::empty();  // as the file has them
  Aabb rest_bounds_ = Aabb::empty();
  double turns_ = 0.0;  // phase of the wave, 0 to 1
};

std::uint64_t MeshScene::memory(const Mesh& mesh, const Controls& /*controls*/) {
  const std::uint64_t n = mesh.triangle_count();
  const std::uint64_t deformed = 3 * n * sizeof(Vertex);
  return with_scratch(Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
                      Tree::bytes_needed(n) + deformed);
}

}  // namespace

SceneKind mesh_scene() {
  return scene_kind<MeshScene>(
      {.name = "mesh",
       .title = "Mesh",
       .spelling = "[mesh] FILE",
       .summary = "Everything the primitives compute about a mesh, at rest or deformed by a wave",
       .controls = mesh_controls,
       .size_control = nullptr,
       .own_mesh = default_mesh});
}

}  // namespace warpview
