// The deformation scene: a mesh that is twisted, blown up or torn apart, and what that does to its
// BVH. A tree that is refitted keeps the shape that it was built with, and its boxes come to
// overlap as the mesh leaves the pose that it was built for: the SAH cost says how much. To build
// it anew costs more, and brings the cost back.
//
//   each frame:  deform -> boxes -> [bounds -> morton -> sort -> build ->] refit -> statistics
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gpu/steps/deform.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

enum class Shape { wave, twist, bulge, explode };
constexpr std::array shapes = {"wave", "twist", "bulge", "explode"};
enum class Upkeep { refit, rebuild, adaptive };
constexpr std::array upkeeps = {"refit", "rebuild", "adaptive"};

constexpr std::array controls = {
    Control{
        .name = "shape",
        .title = "Shape",
        .tooltip =
            "wave: travels along the axis. twist: rotates around the axis, back and forth. bulge: "
            "the middle expands away from the axis. explode: every triangle flies out and returns.",
        .kind = Control::Kind::choice,
        .initial = 1,
        .choices = shapes,
        .group = "Deformation"},
    Control{.name = "strength",
            .title = "Strength",
            .tooltip =
                "Amplitude. At 1 a wave is a third of the mesh's radius high, a twist turns each "
                "end by 360 degrees, a bulge doubles the width, and triangles fly one radius far.",
            .initial = 0.5,
            .group = "Deformation"},
    Control{.name = "axis",
            .title = "Axis",
            .tooltip = "Axis along which the shape varies.",
            .kind = Control::Kind::choice,
            .initial = 1,
            .choices = axes,
            .group = "Deformation",
            .needs = {.control = "shape", .values = {"wave", "twist", "bulge"}}},
    Control{.name = "speed",
            .title = "Speed",
            .tooltip = "Frequency; below 0 a wave travels backwards.",
            .initial = 0.2,
            .least = -2,
            .most = 2,
            .unit = "per second",
            .group = "Deformation"},
    Control{.name = "tree",
            .title = "BVH",
            .tooltip = "Update per frame. refit: recompute boxes only. rebuild: build a new tree. "
                       "adaptive: refit, and rebuild when the SAH cost exceeds its growth limit.",
            .kind = Control::Kind::choice,
            .initial = 2,
            .choices = upkeeps,
            .group = "Upkeep"},
    Control{.name = "growth",
            .title = "Growth limit",
            .tooltip = "adaptive: relative growth of the SAH cost since the last build that "
                       "triggers a rebuild.",
            .initial = 0.2,
            .most = 2,
            .group = "Upkeep",
            .needs = {.control = "tree", .values = {"adaptive"}}},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "BVH level drawn as boxes; 0 is the root.",
            .initial = 6,
            .most = 63,
            .whole = true,
            .group = "BVH boxes",
            .needs = {.output = "boxes"}},
    colour_by_control,
    digit_control,
    cut_control,
    cut_axis_control,
    cut_at_control,
    crease_control,
};

enum class Work { none, refit, rebuild };  // of a frame, on the tree

struct DeformationPlan {
  Work work = Work::none;
  bool are_elements_deformed = true;

  bool operator==(const DeformationPlan&) const = default;
};

class DeformationScene final : public Planned<DeformationPlan, MarkedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& controls);

  DeformationScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind),
        vertices_(timeline(), mesh(), "", Corners::apart),
        elements_(timeline(), mesh()),
        deformed_(timeline().device(), vertices_.vertex_capacity()),
        values_(timeline().values<Values>()),
        deform_(add_deform()),
        tree_(timeline(), {.vertices = deformed_.data(),
                           .indices = vertices_.indices(),
                           .count = vertices_.triangle_count(),
                           .capacity = vertices_.triangle_capacity()}) {
    add_outputs();
    reserve();
  }

  void load(LoadControl& control) override {
    control.begin_phase("measuring the mesh");
    control.report(0.0F);
    rest_bounds_ = merge(bounds_of_finite(mesh()), bounds_of_elements(mesh()));
    run_phases(control, Vertices::stages + 1 + Tree::stages, [this] {
      vertices_.upload();
      elements_.upload(element_commands());
      compute();
    });
    collect_build();
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (first <= deform_) {
      set_values();
      vertices_.compute(first);
      timeline().run(deform_);
    }
    tree_.rebuild(first);
    forget_work();
    is_build_pending_ = tree_.is_current();
    timeline().queue_read_backs();
  }

  void reset() override {
    turns_ = 0.0;
    refits_ = rebuilds_ = 0;
    compute();
  }

  bool repeats_alone(StageId stage) const override { return tree_.repeats_alone(stage); }

  void repeat(StageId stage) override {
    collect();
    const bool was_current = tree_.is_current();
    if (!tree_.repeat(stage)) timeline().run(stage);
    timeline().queue_read_backs();
    collect();
    // It may have had to build the tree anew: times of two kinds of work are no use.
    if (tree_.is_current() == was_current) return;
    built_cost_ = tree_.statistics().sah_cost;
    forget_work();
  }

  DeformationPlan plan_frame(const Frame& frame) override {
    if (is_build_pending_) collect_build();
    note_last_frame();
    turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
    set_values();
    set_styles();
    const Work work = frame.seconds > 0.0 || is_changed() ? next_work() : Work::none;
    drawn_ = values_now_.deformation;
    refits_ += work == Work::refit ? 1 : 0;
    rebuilds_ += work == Work::rebuild ? 1 : 0;
    return planned(work);
  }

  void queue_stages(const DeformationPlan& plan) override {
    if (plan.work != Work::none) timeline().run(deform_);
    if (plan.work == Work::refit) tree_.refit();
    if (plan.work == Work::rebuild) tree_.rebuild();
    write();
  }

  void has_queued(const Frame& /*frame*/) override {
    if (plan().work != Work::none) tree_.set_current(plan().work == Work::rebuild);
  }

  Aabb bounds() const override { return rest_bounds_; }
  bool moving() const override { return true; }
  bool leaps() const override { return true; }

  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;

 private:
  struct Values {
    Deformation deformation;
    std::uint32_t level;
    TriangleValueChoice colours;
  };

  const Vertices& vertices() const override { return vertices_; }
  const Tree& tree() const override { return tree_; }
  Tree& tree() override { return tree_; }
  const Vertex* positions() const override { return deformed_.data(); }

  // Is there another pose to be shown, though no time passes?
  bool is_changed() const {
    const Deformation& now = values_now_.deformation;
    return now.kind != drawn_.kind || now.axis != drawn_.axis ||
           now.amplitude != drawn_.amplitude || now.phase != drawn_.phase;
  }

  // What a frame grows from is the cost of the tree that compute() built.
  void collect_build() {
    collect();
    is_build_pending_ = false;
    built_cost_ = tree_.statistics().sah_cost;
    rebuild_ms_ = tree_.milliseconds();
  }

  // Takes in what collect() brought of the last frame.
  void note_last_frame() {
    if (plan().work == Work::refit) refit_ms_ = tree_.milliseconds();
    if (plan().work == Work::rebuild) {
      built_cost_ = tree_.statistics().sah_cost;
      rebuild_ms_ = tree_.milliseconds();
    }
  }
  double built_cost() const {
    return plan().work == Work::rebuild ? tree_.statistics().sah_cost : built_cost_;
  }

  Work next_work() const {
    switch (static_cast<Upkeep>(controls().choice("tree"))) {
      case Upkeep::refit:
        return Work::refit;
      case Upkeep::rebuild:
        return Work::rebuild;
      case Upkeep::adaptive:
        break;
    }
    const double most = built_cost_ * (1.0 + controls()["growth"]);
    return tree_.statistics().sah_cost > most ? Work::rebuild : Work::refit;
  }

  void set_values() {
    values_now_ = {.deformation = deformation(),
                   .level = static_cast<std::uint32_t>(controls()["level"]),
                   .colours = colours()};
    values_.set(values_now_);
  }
  Deformation deformation() const;
  DeformationPlan planned(Work work) const {
    // Only triangles can fly apart: what else the file has stays where it is.
    return {.work = work,
            .are_elements_deformed = values_now_.deformation.kind != Deformer::explode};
  }
  // What is on the device is no longer that of the last frame.
  void forget_work() { set_plan(planned(Work::none)); }

  StageId add_deform() {
    return timeline().add({.name = "deform",
                           .title = "Deform",
                           .queue =
                               [this](const StageRun& run) {
                                 run.run<Step::deform>(
                                     DeformArgs{.rest = vertices_.vertices(),
                                                .count = vertices_.vertex_count(),
                                                .n = vertices_.vertex_capacity(),
                                                .deformation = &values_.device()->deformation,
                                                .vertices = deformed_.data()});
                                 elements_.deform(run, &values_.device()->deformation);
                               },
                           .work =
                               [this] {
                                 const std::uint64_t n = vertices_.counts().vertices;
                                 return StageWork{n, 2 * n * sizeof(Vertex)} + elements_.deformed();
                               }});
  }
  void add_outputs();

  Vertices vertices_;
  Elements elements_;
  Buffer<Vertex> deformed_;
  FrameValues<Values> values_;
  StageId deform_;
  Tree tree_;
  Values values_now_;  // of the frame that is being queued
  Deformation drawn_;  // of the last one
  Aabb rest_bounds_ = Aabb::empty();
  double turns_ = 0.0;             // -1 to 1
  bool is_build_pending_ = false;  // compute() was queued, and not waited for
  double built_cost_ = 0.0;        // SAH cost after the last build
  double refit_ms_ = 0.0, rebuild_ms_ = 0.0;
  std::uint64_t refits_ = 0, rebuilds_ = 0;
};

// The deformation of this moment. A mesh without extent, or with more than floats can square, keeps
// still.
Deformation DeformationScene::deformation() const {
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const auto shape = static_cast<Shape>(controls().choice("shape"));
  const int axis = controls().choice("axis");
  const auto strength = static_cast<float>(controls()["strength"]);
  const auto t = static_cast<float>(turns_);
  Deformation how{.axis = static_cast<std::uint32_t>(axis),
                  .direction = static_cast<std::uint32_t>((axis + 1) % 3)};
  if (rest_bounds_.is_empty()) return how;
  const Vec3 half = rest_bounds_.max * 0.5F - rest_bounds_.min * 0.5F;
  const float radius = std::hypot(half.x, half.y, half.z);
  // A flat mesh varies as if it were as long as wide.
  const float half_length = axis_of(half, axis) > 1e-3F * radius ? axis_of(half, axis) : radius;
  const float there_and_back = 0.5F * (1.0F - std::cos(turn * t));
  how.centre = rest_bounds_.centre();
  how.half_length = half_length;
  switch (shape) {
    case Shape::wave:
      how.kind = Deformer::wave;
      how.amplitude = strength * radius / 3.0F;
      how.wave_number = turn * 1.5F / (2.0F * half_length);
      how.phase = turn * t;
      break;
    case Shape::twist:
      how.kind = Deformer::twist;
      how.amplitude = strength * turn * std::sin(turn * t) / half_length;
      break;
    case Shape::bulge:
      how.kind = Deformer::bulge;
      how.amplitude = strength * there_and_back;
      break;
    case Shape::explode:
      how.kind = Deformer::explode;
      how.amplitude = strength * there_and_back * radius;
      how.phase = 2.0F * turn * strength * there_and_back;
      break;
  }
  const bool is_finite = std::isfinite(how.amplitude) && std::isfinite(how.wave_number) &&
                         std::isfinite(radius * radius) && radius > 0.0F;
  if (!is_finite) {
    how.kind = Deformer::wave;
    how.amplitude = how.wave_number = how.phase = 0.0F;
  }
  return how;
}

void DeformationScene::add_outputs() {
  const Values* const values = values_.device();
  add_surface({.name = "mesh", .title = "Mesh", .key = '1', .shown = true},
              {.name = "wire", .title = "Wireframe", .key = '2'},
              surface_writer(vertices_, [this] { return positions(); }),
              value_writer(&values->colours));
  add_output(boxes_row('3'), box_writer(tree_, &values->level));
  add_element_outputs(
      elements_, [this] { return plan().are_elements_deformed; }, '4', '5');
  add_picked_outputs('6', '7');
}

std::vector<Fact> DeformationScene::facts() const {
  const TreeStatistics& tree = tree_.statistics();
  const double built = built_cost();
  const double grown = built > 0.0 ? 100.0 * (tree.sah_cost / built - 1.0) : 0.0;
  std::vector<Fact> facts = {
      {.name = "mesh.triangles",
       .title = "Triangles",
       .value = std::uint64_t{vertices_.counts().triangles}},
      {.name = "bvh.sah_cost",
       .title = "SAH cost",
       .value = tree.sah_cost,
       .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                  "root visits. Lower is better.",
       .plotted = true},
      {.name = "bvh.growth",
       .title = "Growth",
       .value = grown,
       .unit = "%",
       .tooltip = "Growth of the SAH cost since the last build."},
      {.name = "bvh.refit_ms",
       .title = "Refit",
       .value = plan().work == Work::refit ? tree_.milliseconds() : refit_ms_,
       .unit = "ms",
       .tooltip = "Time of the last refit: boxes of triangles and of nodes.",
       .plotted = true},
      {.name = "bvh.rebuild_ms",
       .title = "Rebuild",
       .value = plan().work == Work::rebuild ? tree_.milliseconds() : rebuild_ms_,
       .unit = "ms",
       .tooltip = "Time of the last build, starting with the triangles' boxes.",
       .plotted = true},
      {.name = "bvh.refits", .title = "Refits", .value = refits_},
      {.name = "bvh.rebuilds", .title = "Rebuilds", .value = rebuilds_},
      {.name = "bvh.max_depth", .title = "Depth", .value = std::uint64_t{tree.max_depth}},
  };
  add_level_fact(facts);
  return facts;
}

std::vector<Check> DeformationScene::verify() {
  const Vertices::Snapshot at_rest = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(at_rest);
  if (!checks.back().difference.empty()) return checks;
  const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
  const Deformation& how = values_now_.deformation;
  checks.push_back({"deform", first_of({check_deformed(at_rest.vertices, tree.vertices, how),
                                        plan().are_elements_deformed ? elements_.check_deformed(how)
                                                                     : std::string()})});
  if (!checks.back().difference.empty()) return checks;
  for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

std::uint64_t DeformationScene::memory(const Mesh& mesh, const Controls& /*controls*/) {
  const std::uint64_t n = mesh.triangle_count();
  return with_scratch(Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
                      Tree::bytes_needed(n) + 3 * n * sizeof(Vertex));  // deformed
}

}  // namespace

SceneKind deformation_scene() {
  return scene_kind<DeformationScene>(
      {.name = "deformation",
       .title = "Deformation",
       .spelling = "deformation [FILE]",
       .summary = "A deforming mesh, and the cost of refitting and rebuilding its BVH",
       .controls = controls,
       .size_control = nullptr,
       .own_mesh = default_mesh});
}

}  // namespace warpview
