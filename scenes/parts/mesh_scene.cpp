#include "scenes/parts/mesh_scene.h"

#include <cmath>

#include "scenes/parts/deform_reference.h"
#include "scenes/parts/deform_stage.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/mesh_reach.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/planned.h"

namespace warpview {
namespace {

bool is_same_pose(const Deformation& a, const Deformation& b) {
  return a.kind == b.kind && a.axis == b.axis && a.direction == b.direction &&
         a.amplitude == b.amplitude && a.wave_number == b.wave_number && a.phase == b.phase;
}

enum class Work { none, refit, rebuild };  // of a frame, on the tree

struct MeshPlan {
  Work work = Work::none;
  bool is_deformed = false;  // are the vertices those of `deformed_`? else at rest
  bool are_elements_deformed = false;

  bool operator==(const MeshPlan&) const = default;
};

class MeshScene final : public Planned<MeshPlan, MarkedScene> {
 public:
  MeshScene(const SceneRequest& request, const SceneKind& kind, const MeshPreset& preset);

  void load(LoadControl& control) override;
  void compute_after(std::span<const StageId> chosen) override;
  void reset() override {
    turns_ = 0.0;
    refits_ = rebuilds_ = 0;
    if (!preset_.is_built_at_rest) compute();
  }
  void repeat(StageId stage) override;
  bool repeats_alone(StageId stage) const override {
    if (stage == deform_ || tree_.is_ours(stage)) return tree_.repeats_alone(stage);
    return !has_shared_corners() || !plan().is_deformed;
  }
  MeshPlan plan_frame(const Frame& frame) override;
  void queue_stages(const MeshPlan& plan) override;
  void has_queued(const Frame& /*frame*/) override {
    if (plan().work != Work::none) tree_.set_current(plan().work == Work::rebuild);
  }
  Aabb bounds() const override { return rest_bounds_; }
  Aabb reach() const override;
  Outline outline() const override { return moving() ? nullptr : rest_outline_; }
  bool moving() const override { return shape() != Shape::none; }
  bool can_skip_time() const override { return true; }
  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;

 private:
  struct Values {
    Deformation pose;
    std::uint32_t level;
    TriangleValueChoice colours;
  };

  Shape shape() const { return shape_of(controls()); }
  Upkeep upkeep() const { return static_cast<Upkeep>(controls().choice("tree")); }
  bool has_shared_corners() const { return preset_.corners == Corners::shared; }
  const Vertices& vertices() const override { return vertices_; }
  const Tree& tree() const override { return tree_; }
  Tree& tree() override { return tree_; }
  const Vertex* positions() const override {
    return plan().is_deformed ? deformed_.data() : vertices_.vertices();
  }

  StageId add_deform();
  void add_outputs();
  void set_values() {
    values_now_ = {.pose = pose(), .level = box_level(), .colours = colours()};
    values_.set(values_now_);
  }
  Deformation pose() const { return pose_of(controls(), rest_bounds_, turns_, preset_.wave); }
  // The plan for the pose that set_values() has set.
  MeshPlan planned(Work work, bool is_deformed) const {
    // Only triangles can fly apart: what else the file has stays where it is.
    return {.work = work,
            .is_deformed = is_deformed,
            .are_elements_deformed = is_deformed && values_now_.pose.kind != Deformer::explode};
  }
  // Times of the last frame's work are no longer those of the tree.
  void forget_work() { set_plan(planned(Work::none, plan().is_deformed)); }
  void leave_rest() {
    if (deformed_.size() == 0) deformed_ = {timeline().device(), vertices_.vertex_capacity()};
    tree_.set_vertices(deformed_.data());
  }
  // The tree is still that of the deformed mesh: it must be rebuilt.
  void put_to_rest() {
    set_plan({.work = plan().work});
    tree_.set_vertices(vertices_.vertices());
    tree_.set_current(false);
  }
  // Is another pose, or another tree, to be shown, though no time passes?
  bool is_changed() const {
    return !plan().is_deformed || upkeep() != drawn_upkeep_ ||
           !is_same_pose(values_now_.pose, drawn_);
  }
  Work next_work() const {
    switch (upkeep()) {
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
  // What a frame grows from is the cost of the tree that was built before it.
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
  std::vector<Fact> mesh_facts() const;    // of the vertices, the file and the bounds
  std::vector<Fact> upkeep_facts() const;  // of what keeping the tree costs

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
  Outline rest_outline_;
  double turns_ = 0.0;             // -1 to 1
  bool is_build_pending_ = false;  // a build was queued outside of a frame, and not waited for
  double built_cost_ = 0.0;        // SAH cost after the last build
  double refit_ms_ = 0.0, rebuild_ms_ = 0.0;
  std::uint64_t refits_ = 0, rebuilds_ = 0;
};

MeshScene::MeshScene(const SceneRequest& request, const SceneKind& kind, const MeshPreset& preset)
    : Planned(request, kind),
      preset_(preset),
      vertices_(timeline(), mesh(), "", preset.corners),
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

StageId MeshScene::add_deform() {
  return timeline().add(deform_stage(
      {.vertices = vertices_,
       .elements = elements_,
       .deformed = deformed_,
       .deformation = [this] { return &values_.device()->pose; }},
      "deform", "Deform", "Moves each vertex, and its normal, to where the chosen shape puts it."));
}

void MeshScene::add_outputs() {
  const auto* const values = values_.device();
  const WrittenAt surface = add_surface(
      {.name = "mesh",
       .title = "Mesh",
       .about = "The triangles with their materials, or in the colours that are chosen below.",
       .key = '1',
       .shown = true},
      {.name = "wire", .title = "Wireframe", .about = "The edges of all triangles.", .key = '2'},
      surface_writer(vertices_, [this] { return positions(); }), value_writer(&values->colours));
  add_output(boxes_row('3'), box_writer(tree_, &values->level));
  char key = '4';
  const auto next_key = [&key] { return key++; };
  if (has_shared_corners()) {
    add_output(curve_row(next_key()), curve_writer(tree_));
    add_output({.kind = OutputKind::points,
                .name = "points",
                .title = "Unique vertices",
                .about = "The vertices that de-duplication left.",
                .key = next_key(),
                .streams = {surface.stream},
                .command = surface.command + points_of_surface});
  }
  const char dots_key = next_key();
  const char lines_key = next_key();
  add_element_outputs(
      elements_, [this] { return plan().are_elements_deformed; }, dots_key, lines_key);
  const char path_key = next_key();
  add_picked_outputs(path_key, next_key());
}

void MeshScene::load(LoadControl& control) {
  element_bounds_ = bounds_of_elements(mesh());
  if (!preset_.is_built_at_rest) {
    control.begin_phase("measuring the mesh");
    control.report(0.0F);
    rest_bounds_ = merge(bounds_of_finite(mesh()), element_bounds_);
  }
  const int pose_stages = preset_.is_built_at_rest ? 0 : 1;
  run_phases(control, Vertices::stages + pose_stages + Tree::stages, [this] {
    vertices_.upload();
    elements_.upload(element_commands());
    compute();
  });
  if (preset_.is_built_at_rest) rest_bounds_ = merge(tree_.bounds().points, element_bounds_);
  rest_outline_ = outline_of(mesh(), rest_bounds_, element_bounds_);
  collect_build();
}

void MeshScene::compute_after(std::span<const StageId> chosen) {
  const StageId first = chosen.front();
  if (preset_.is_built_at_rest && plan().is_deformed && !tree_.keeps_topology(first)) put_to_rest();
  vertices_.compute(first);
  if (!preset_.is_built_at_rest && moving() && first <= deform_) {
    leave_rest();
    set_values();
    set_plan(planned(Work::none, true));
    timeline().run(deform_);
  }
  tree_.rebuild(first);
  forget_work();
  is_build_pending_ = tree_.is_current();
  timeline().queue_read_backs();
}

void MeshScene::repeat(StageId stage) {
  collect();
  const bool was_current = tree_.is_current();
  if (stage == deform_) {
    if (deformed_.size() > 0) timeline().run(stage);
  } else if (!tree_.repeat(stage)) {
    // De-duplication may number the vertices otherwise than those that were deformed.
    if (plan().is_deformed && has_shared_corners()) {
      put_to_rest();
      tree_.rebuild_untimed();
    }
    timeline().run(stage);
  }
  timeline().queue_read_backs();
  collect();
  // It may have had to build the tree anew: times of two kinds of work are no use.
  if (tree_.is_current() == was_current) return;
  built_cost_ = tree_.statistics().sah_cost;
  forget_work();
}

MeshPlan MeshScene::plan_frame(const Frame& frame) {
  if (is_build_pending_ && moving()) collect_build();
  note_last_frame();
  if (!moving() && plan().is_deformed) {
    put_to_rest();
    tree_.rebuild();
    is_build_pending_ = true;
  }
  turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
  set_values();
  set_styles();
  const bool is_due =
      moving() && (frame.seconds > 0.0 || preset_.works_while_paused || is_changed());
  const Work work = is_due ? next_work() : Work::none;
  if (moving()) leave_rest();
  drawn_ = values_now_.pose;
  drawn_upkeep_ = upkeep();
  refits_ += work == Work::refit ? 1 : 0;
  rebuilds_ += work == Work::rebuild ? 1 : 0;
  return planned(work, moving());
}

void MeshScene::queue_stages(const MeshPlan& plan) {
  if (plan.work != Work::none) timeline().run(deform_);
  if (plan.work == Work::refit) tree_.refit();
  if (plan.work == Work::rebuild) tree_.rebuild();
  write();
}

Aabb MeshScene::reach() const {
  if (!moving() || rest_bounds_.is_empty()) return rest_bounds_;
  const int axis = controls().choice("axis");
  return reach_of(shape(), rest_bounds_, extent_of(rest_bounds_, axis), axis,
                  static_cast<float>(controls()["strength"]));
}

std::vector<Fact> MeshScene::facts() const {
  std::vector<Fact> facts = {
      {.name = "mesh.triangles",
       .title = "Triangles",
       .value = std::uint64_t{vertices_.counts().triangles},
       .tooltip = "Triangles of the mesh, without those that were rejected."}};
  const auto add = [&facts](const std::vector<Fact>& more) {
    facts.insert(facts.end(), more.begin(), more.end());
  };
  if (has_shared_corners()) add(mesh_facts());
  const TreeStatistics& tree = tree_.statistics();
  add({{.name = "bvh.max_depth",
        .title = "Depth",
        .value = std::uint64_t{tree.max_depth},
        .tooltip = "Depth of the deepest leaf of the BVH: the longest way from the root."},
       {.name = "bvh.sah_cost",
        .title = "SAH cost",
        .value = tree.sah_cost,
        .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                   "root visits. Lower is better.",
        .plotted = moving()}});
  if (moving()) add(upkeep_facts());
  add_level_fact(facts);
  return facts;
}

std::vector<Fact> MeshScene::mesh_facts() const {
  const MeshCounts& counts = vertices_.counts();
  const auto number = [](std::uint64_t n) { return std::uint64_t{n}; };
  return {
      {.name = "mesh.corners",
       .title = "Corners",
       .value = number(counts.corners),
       .tooltip = "Corners of all triangles, before equal ones are merged."},
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
       .value = merge(tree_.bounds().points, element_bounds_),
       .tooltip = "The smallest box around the mesh, at rest."},
      {.name = "bvh.internal_nodes",
       .title = "Inner nodes",
       .value = number(tree_.statistics().inner_nodes),
       .tooltip = "Nodes of the BVH with two children: one fewer than leaves."},
  };
}

std::vector<Fact> MeshScene::upkeep_facts() const {
  const double built = built_cost();
  return {
      {.name = "bvh.growth",
       .title = "Growth",
       .value = built > 0.0 ? 100.0 * (tree_.statistics().sah_cost / built - 1.0) : 0.0,
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
      {.name = "bvh.refits",
       .title = "Refits",
       .value = refits_,
       .tooltip = "Frames that kept the tree and refitted its boxes, so far."},
      {.name = "bvh.rebuilds",
       .title = "Rebuilds",
       .value = rebuilds_,
       .tooltip = "Frames that rebuilt the tree, so far."},
  };
}

std::vector<Check> MeshScene::verify() {
  const Vertices::Snapshot at_rest = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(at_rest);
  if (!checks.back().difference.empty()) return checks;
  const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
  const Deformation& how = values_now_.pose;
  if (plan().is_deformed)
    checks.push_back(
        {"deform",
         first_of({check_deformed(at_rest.vertices, tree.vertices, how),
                   plan().are_elements_deformed ? elements_.check_deformed(how) : std::string()})});
  if (!checks.back().difference.empty()) return checks;
  for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

}  // namespace

std::unique_ptr<Scene> make_mesh_scene(const SceneRequest& request, const SceneKind& kind,
                                       const MeshPreset& preset) {
  return std::make_unique<MeshScene>(request, kind, preset);
}

std::uint64_t memory_of_mesh_scene(const Mesh& mesh, const Controls& /*controls*/) {
  const std::uint64_t deformed = 3 * mesh.triangle_count() * sizeof(Vertex);
  return with_scratch(Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
                      Tree::bytes_needed(mesh.triangle_count()) + deformed);
}

}  // namespace warpview
