// The scene of trees: two to four trees over the same mesh, side by side. Each is built or refitted
// in every frame as the mesh deforms, and the same rays are traced through it. A tree that costs
// more to build saves time with every ray, so the number of rays decides which is the cheapest.
//
//   upload -> scan -> dedup -> place -> for each tree: boxes -> bounds -> morton -> sort -> build
//   -> refit -> optimise -> statistics -> leaves -> collapse -> [overlap] -> trace -> count
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/steps/deform.h"
#include "gpu/steps/random.h"
#include "gpu/steps/rays_shading.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/legends.h"
#include "scenes/parts/mesh_reach.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/picture_view.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/rays_look.h"
#include "scenes/parts/rays_room.h"
#include "scenes/parts/shape.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree_contender.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::uint32_t most_trees = 4;

// --- What can be set

// Triangles share their vertices, and cannot fly apart.
constexpr Control shape_of_trees = [] {
  Control control = shape_control;
  control.tooltip =
      "none: the mesh is at rest. wave: travels along the axis. twist: rotates around the axis, "
      "back and forth. bulge: the middle expands away from the axis.";
  control.choices = std::span(shapes).first(static_cast<std::size_t>(Shape::explode));
  control.initial = static_cast<double>(Shape::twist);
  return control;
}();
constexpr Need needs_shape{.control = "shape", .values = {"wave", "twist", "bulge"}};
constexpr Control strength_of_trees = [] {
  Control control = with_needs(strength_control, needs_shape);
  control.tooltip =
      "Amplitude. At 1 a wave is a third of the mesh's radius high, a twist turns each end by 360 "
      "degrees, and a bulge doubles the width.";
  return control;
}();

constexpr std::array ray_kinds = {"camera", "random"};
constexpr std::array updates = {"build", "refit"};

constexpr Control update_control(const char* name, const char* group, double initial,
                                 const Need& needs = {}) {
  return {.name = name,
          .title = "Each frame",
          .tooltip =
              "build: a new tree in each frame. refit: the tree of the mesh at rest, whose boxes "
              "are recomputed.",
          .kind = Control::Kind::choice,
          .effect = Effect::plan,
          .initial = initial,
          .choices = updates,
          .group = group,
          .needs = needs};
}
constexpr Control rounds_control(const char* name, const char* group, double initial,
                                 const Need& needs = {}) {
  return {.name = name,
          .title = "Optimise",
          .tooltip = "Rounds in which the tree gets better links after each build; 0: none.",
          .effect = Effect::remake,
          .initial = initial,
          .most = 64,
          .whole = true,
          .unit = "rounds",
          .group = group,
          .needs = needs};
}

// The third and the fourth tree need not be there.
constexpr Need needs_c{.control = "trees", .values = {"3", "4"}};
constexpr Need needs_d{.control = "trees", .values = {"4"}};

constexpr std::array trees_controls = {
    Control{.name = "rays",
            .title = "Rays",
            .tooltip = "Rays that are traced through each tree in a frame.",
            .effect = Effect::remake,
            .initial = 1U << 18U,
            .least = 32,
            .most = 1U << 22U,
            .whole = true,
            .logarithmic = true,
            .unit = "rays",
            .fewest = 1U << 13U,
            .group = "Rays"},
    Control{.name = "ray_kind",
            .title = "Kind",
            .tooltip = "camera: through the pixels of a picture, neighbours together. random: from "
                       "anywhere in the bounds, in any direction.",
            .kind = Control::Kind::choice,
            .effect = Effect::remake,
            .choices = ray_kinds,
            .group = "Rays"},
    Control{.name = "trees",
            .title = "Trees",
            .tooltip = "Trees that are compared. A change loads the scene again.",
            .effect = Effect::remake,
            .initial = most_trees,
            .least = 2,
            .most = most_trees,
            .whole = true,
            .group = "Trees"},
    Control{.name = "overlap",
            .title = "Measure overlap",
            .tooltip =
                "Measures the end-point overlap of each tree in each frame, which takes longer "
                "than a build.",
            .kind = Control::Kind::toggle,
            .effect = Effect::remake,
            .group = "Trees"},
    update_control("a_frame", "Tree A", 1),
    rounds_control("a_optimise", "Tree A", 0),
    update_control("b_frame", "Tree B", 0),
    rounds_control("b_optimise", "Tree B", 0),
    update_control("c_frame", "Tree C", 0, needs_c),
    rounds_control("c_optimise", "Tree C", 0, needs_c),
    update_control("d_frame", "Tree D", 0, needs_d),
    rounds_control("d_optimise", "Tree D", 4, needs_d),
    shape_of_trees,
    strength_of_trees,
    with_initial(axis_control, 1),
    with_needs(with_initial(speed_control, 0.2), needs_shape),
    with_initial(level_control, 5),
    crease_control,
};

// The builder that each tree begins with.
constexpr std::array<const char*, most_trees> builders = {"karras", "karras", "hploc", "hploc"};
char letter_of(std::size_t tree) { return static_cast<char>('a' + tree); }

// --- Where the copies of the mesh stand

// Rows and columns in which so many copies of these bounds are as large as can be in a wide view.
struct Grid {
  std::uint32_t columns = 1, rows = 1;
};
Grid grid_of(std::uint32_t copies, float width, float height) {
  constexpr float view = 1.6F;  // width over height
  Grid best;
  float largest = 0.0F;
  for (std::uint32_t columns = 1; columns <= copies; ++columns) {
    const std::uint32_t rows = (copies + columns - 1) / columns;
    const float scale = std::min(view / (static_cast<float>(columns) * width),
                                 1.0F / (static_cast<float>(rows) * height));
    if (scale > largest) best = {columns, rows};
    largest = std::max(largest, scale);
  }
  return best;
}

// From the first at the upper left, row by row. Where floats have no room for it, all in one place.
std::vector<Vec3> places_of(std::uint32_t copies, const Aabb& bounds) {
  std::vector<Vec3> places(copies, Vec3{0.0F, 0.0F, 0.0F});
  if (bounds.is_empty()) return places;
  constexpr float gap = 2.3F;  // for each half of a side: the mesh may turn
  const Vec3 half = bounds.max * 0.5F - bounds.min * 0.5F;
  const float depth = 0.5F * half.z;
  const float width = gap * std::hypot(half.x, depth);
  const float height = gap * std::hypot(half.y, depth);
  const float far = static_cast<float>(copies) * (width + height);
  if (!(far > 0.0F) || !std::isfinite(dot(bounds.max - bounds.min, bounds.max - bounds.min)) ||
      !std::isfinite(far * far))
    return places;
  const Grid grid = grid_of(copies, width, height);
  const auto middle_of = [](std::uint32_t number) { return 0.5F * static_cast<float>(number - 1); };
  for (std::uint32_t i = 0; i < copies; ++i) {
    const std::uint32_t row = i / grid.columns;
    const float right = static_cast<float>(i % grid.columns) - middle_of(grid.columns);
    const float down = static_cast<float>(row) - middle_of(grid.rows);
    places[i] = {right * width, -down * height, 0.0F};
  }
  return places;
}
Aabb moved_by(const Aabb& box, const Vec3& way) {
  return box.is_empty() ? box : Aabb{box.min + way, box.max + way};
}

// --- Rays

BoundedRay random_ray(const Aabb& bounds, std::uint32_t i) {
  constexpr std::uint32_t seed = 1;
  const auto number = [i](std::uint32_t which) { return random_signed(i, which, seed); };
  const Vec3 half = bounds.max * 0.5F - bounds.min * 0.5F;
  BoundedRay ray;
  ray.origin = bounds.centre() + rays_product(half, {number(0), number(1), number(2)});
  ray.direction = rays_unit({number(3), number(4), number(5)});
  return ray;
}

// The rays for a mesh where its file has it. A mesh that is seen from within is so by its rays.
std::vector<BoundedRay> rays_through(const Mesh& mesh, const Aabb& bounds, std::uint32_t n,
                                     bool at_random) {
  const auto width = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n) * 4.0 / 3.0));
  const std::uint32_t height = n / width;
  const FrameView view =
      mesh.first_view ? view_from(*mesh.first_view, width, height) : front_view(bounds);
  const RaysLook look = rays_look(view, width, height, bounds);
  std::vector<BoundedRay> rays(n);
  for (std::uint32_t i = 0; i < n; ++i)
    rays[i] = bounds.is_empty() ? rays_nothing()
              : at_random       ? random_ray(bounds, i)
                                : rays_camera_ray(look, i);
  return rays;
}

// --- The scene

struct TreesPlan {
  bool is_due = false;                    // do pose and trees change?
  std::array<bool, most_trees> refits{};  // of which trees the boxes alone

  bool operator==(const TreesPlan&) const = default;
};

class TreesScene final : public Planned<TreesPlan, PointedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  TreesScene(const SceneRequest& request, const SceneKind& kind);

  void load(LoadControl& control) override;
  void compute_after(std::span<const StageId> chosen) override;
  void reset() override {
    turns_ = 0.0;
    frames_left_ = settling_frames;
  }
  void repeat(StageId stage) override;
  bool repeats_alone(StageId stage) const override;
  TreesPlan plan_frame(const Frame& frame) override;
  void queue_stages(const TreesPlan& plan) override;
  void has_queued(const Frame& frame) override;

  Aabb bounds() const override { return union_of(rest_bounds_); }
  // The copies stand beside the place from which the mesh is seen.
  std::optional<Viewpoint> first_view() const override { return {}; }
  Aabb reach() const override;
  bool moving() const override { return shape_of(controls()) != Shape::none || frames_left_ > 0; }
  bool can_skip_time() const override { return true; }
  double slider_max(std::size_t control) const override;
  std::vector<Fact> facts() const override;
  std::vector<Legend> legends() const override;
  std::optional<Budgets> budgets() const override;
  std::vector<Check> verify() override;

 private:
  // A mesh that stands still is computed in so many frames, for medians of their times.
  static constexpr int settling_frames = 8;

  struct Values {
    std::array<Deformation, most_trees> poses;
    std::array<std::uint32_t, most_trees> levels;
  };

  std::uint32_t count() const { return static_cast<std::uint32_t>(places_.size()); }
  std::uint32_t rays() const { return static_cast<std::uint32_t>(rays_.size() / places_.size()); }
  const Vertex* vertices_of(std::size_t tree) const {
    return deformed_.data() + tree * vertices_.vertex_capacity();
  }
  bool refits(std::size_t tree) const {
    return controls().choice(fmt::format("{}_frame", letter_of(tree))) == 1;
  }
  Aabb union_of(const Aabb& box) const;
  void upload_rays();
  void add_outputs();
  void add_place_stage();
  void add_trees();
  std::vector<PointedSurface> surfaces() override;
  std::vector<Fact> more_of(std::size_t surface, std::uint32_t triangle) const override;
  void set_values(const Deformation& pose);
  // Has all trees built of the mesh at rest, and takes no times.
  void put_to_rest();

  Vertices vertices_;
  std::vector<Vec3> places_;
  Buffer<Vertex> deformed_;  // [count()][vertex_capacity()]
  FrameValues<Values> values_;
  Buffer<BoundedRay> rays_;  // [count()][rays()]
  Buffer<RayHit> hits_;
  Buffer<TraceSteps> steps_;
  StageId place_{};
  std::size_t vertex_stream_ = 0;  // of the meshes
  std::deque<TreeContender> trees_;
  Aabb rest_bounds_ = Aabb::empty();  // of the mesh where its file has it
  Deformation pose_{};                // of the last frame
  bool is_at_rest_ = true;
  double turns_ = 0.0;  // -1 to 1
  int frames_left_ = 0;
};

std::uint32_t rays_wanted(const Controls& controls) {
  return static_cast<std::uint32_t>(rays_of(static_cast<std::uint64_t>(controls["rays"])));
}
std::uint32_t trees_wanted(const Controls& controls) {
  return static_cast<std::uint32_t>(controls["trees"]);
}

// Vertices are numbered by 32 bits, those of all copies together.
void require_few_triangles(const Mesh& mesh, std::uint32_t trees) {
  const std::uint64_t corners = 3 * std::uint64_t{mesh.triangle_count()} * trees;
  if (corners >= 1ULL << 31U)
    throw Error(
        fmt::format("{} copies of a mesh of {} triangles have {} corners, and 2147483647 "
                    "are the most; set trees to less, or open a smaller mesh",
                    trees, mesh.triangle_count(), corners));
}

TreesScene::TreesScene(const SceneRequest& request, const SceneKind& kind)
    : Planned(request, kind),
      vertices_(timeline(), mesh()),
      places_(trees_wanted(controls())),
      values_(timeline().values<Values>()) {
  require_few_triangles(mesh(), count());
  Device& device = timeline().device();
  deformed_ = {device, std::size_t{count()} * vertices_.vertex_capacity()};
  const std::uint32_t n = rays_wanted(controls());
  rays_ = {device, std::size_t{count()} * n};
  hits_ = {device, n};
  steps_ = {device, n};
  add_place_stage();
  add_trees();
  add_outputs();
  reserve();
}

void TreesScene::add_place_stage() {
  place_ = timeline().add(
      {.name = "place",
       .title = "Deform and place",
       .about = "Deforms the mesh, a copy for each tree, and moves each copy to its place.",
       .queue =
           [this](const StageRun& run) {
             for (std::uint32_t i = 0; i < count(); ++i)
               run.run<Step::deform>(DeformArgs{
                   .rest = vertices_.vertices(),
                   .count = vertices_.vertex_count(),
                   .n = vertices_.vertex_capacity(),
                   .deformation = &values_.device()->poses[i],
                   .vertices = deformed_.data() + std::size_t{i} * vertices_.vertex_capacity()});
           },
       .work =
           [this] {
             const std::uint64_t n = std::uint64_t{count()} * vertices_.counts().vertices;
             return StageWork{n, 2 * n * sizeof(Vertex)};
           }});
}

void TreesScene::add_trees() {
  const std::uint32_t n = rays();
  for (std::uint32_t i = 0; i < count(); ++i) {
    const char letter = letter_of(i);
    trees_.emplace_back(timeline(),
                        Tree::Triangles{.vertices = vertices_of(i),
                                        .indices = vertices_.indices(),
                                        .count = vertices_.triangle_count(),
                                        .capacity = vertices_.triangle_capacity()},
                        ContenderRays{.rays = rays_.data() + std::size_t{i} * n,
                                      .n = n,
                                      .hits = hits_.data(),
                                      .steps = steps_.data()},
                        ContenderSetup{.group = std::string(1, letter),
                                       .build = builders[i],
                                       .optimise_rounds = static_cast<std::uint32_t>(
                                           controls()[fmt::format("{}_optimise", letter)]),
                                       .measures_overlap = controls().on("overlap")});
  }
}

void TreesScene::add_outputs() {
  const auto* const values = values_.device();
  const WrittenAt surface = add_surface(
      {.name = "mesh",
       .title = "Meshes",
       .about = "The triangles of each copy with their materials; A is at the left.",
       .key = '1',
       .shown = true},
      {.name = "wire", .title = "Wireframe", .about = "The edges of all triangles.", .key = '2'},
      surface_writer(
          vertices_, [this] { return deformed_.data(); }, count()));
  vertex_stream_ = surface.stream;
  std::vector<const Tree*> trees;
  for (const TreeContender& one : trees_) trees.push_back(&one.tree());
  Output boxes = boxes_row('3');
  boxes.about =
      "The boxes of all nodes of one level of each tree. Colours say how far the boxes of a node's "
      "two children overlap.";
  boxes.shown = true;
  boxes.style = BoxStyle{.by_overlap = true};
  add_output(boxes, overlapping_box_writer(trees, values->levels.data()));
  add_picked_outputs('4', '5');
}

Aabb TreesScene::union_of(const Aabb& box) const {
  Aabb all = Aabb::empty();
  for (const Vec3& place : places_) all = merge(all, moved_by(box, place));
  return all;
}

Aabb TreesScene::reach() const {
  const Shape shape = shape_of(controls());
  if (shape == Shape::none || rest_bounds_.is_empty()) return bounds();
  const int axis = controls().choice("axis");
  return union_of(reach_of(shape, rest_bounds_, extent_of(rest_bounds_, axis), axis,
                           static_cast<float>(controls()["strength"])));
}

void TreesScene::set_values(const Deformation& pose) {
  Values values{};
  for (std::uint32_t i = 0; i < count(); ++i) {
    values.poses[i] = pose;
    values.poses[i].moved = places_[i];
    values.levels[i] = trees_[i].tree().level_for(controls()["level"]);
  }
  values_.set(values);
  pose_ = pose;
}

void TreesScene::load(LoadControl& control) {
  control.begin_phase("measuring the mesh");
  control.report(0.0F);
  rest_bounds_ = bounds_of_finite(mesh());
  places_ = places_of(count(), rest_bounds_);
  upload_rays();
  run_phases(control, Vertices::stages + 1 + static_cast<int>(count()) * TreeContender::stages,
             [this] {
               vertices_.upload();
               compute();
             });
}

// Each copy has the same rays, moved to its place.
void TreesScene::upload_rays() {
  const std::vector<BoundedRay> rays =
      rays_through(mesh(), rest_bounds_, this->rays(), controls().choice("ray_kind") == 1);
  std::vector<BoundedRay> all;
  all.reserve(rays_.size());
  for (const Vec3& place : places_)
    for (BoundedRay ray : rays) {
      ray.origin = ray.origin + place;
      all.push_back(ray);
    }
  rays_.upload(timeline().stream(), all);
}

// Trees are built of the mesh at rest; the next frame moves it to its pose.
void TreesScene::compute_after(std::span<const StageId> chosen) {
  const StageId first = chosen.front();
  vertices_.compute(first);
  if (first <= place_) {
    set_values({});
    timeline().run(place_);
    is_at_rest_ = true;
    for (TreeContender& tree : trees_) tree.compute();
  } else {
    if (!is_at_rest_) put_to_rest();
    for (TreeContender& tree : trees_) {
      const auto ours = std::find_if(chosen.begin(), chosen.end(),
                                     [&tree](StageId stage) { return tree.is_ours(stage); });
      if (ours != chosen.end()) tree.compute(*ours);
    }
  }
  frames_left_ = settling_frames;
  timeline().queue_read_backs();
}

void TreesScene::put_to_rest() {
  set_values({});
  timeline().run_untimed(place_);
  is_at_rest_ = true;
  for (TreeContender& tree : trees_) tree.compute_untimed();
}

bool TreesScene::repeats_alone(StageId stage) const {
  if (stage < place_) return is_at_rest_;
  for (const TreeContender& tree : trees_)
    if (tree.is_ours(stage)) return tree.tree().repeats_alone(stage);
  return true;
}

void TreesScene::repeat(StageId stage) {
  collect();
  if (!repeats_alone(stage)) {
    put_to_rest();
    frames_left_ = std::max(frames_left_, 1);
  }
  const auto ours = std::find_if(trees_.begin(), trees_.end(), [stage](const TreeContender& tree) {
    return tree.is_ours(stage);
  });
  if (ours != trees_.end())
    ours->repeat(stage);
  else
    timeline().run(stage);
  timeline().queue_read_backs();
  collect();
}

TreesPlan TreesScene::plan_frame(const Frame& frame) {
  turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
  const Deformation before = pose_;
  set_values(pose_of(controls(), rest_bounds_, turns_, plain_wave));
  TreesPlan plan;
  for (std::uint32_t i = 0; i < count(); ++i) plan.refits[i] = refits(i);
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits are what is meant
  const bool is_other_pose = std::memcmp(&before, &pose_, sizeof before) != 0;
  plan.is_due = frames_left_ > 0 || is_other_pose || plan.refits != this->plan().refits;
  return plan;
}

void TreesScene::queue_stages(const TreesPlan& plan) {
  if (plan.is_due) {
    timeline().run(place_);
    for (std::uint32_t i = 0; i < count(); ++i) trees_[i].update(plan.refits[i]);
  }
  write();
}

void TreesScene::has_queued(const Frame& /*frame*/) {
  if (!plan().is_due) return;
  frames_left_ = std::max(frames_left_ - 1, 0);
  is_at_rest_ = shape_of(controls()) == Shape::none;
  for (std::uint32_t i = 0; i < count(); ++i) trees_[i].tree().set_current(!plan().refits[i]);
}

double TreesScene::slider_max(std::size_t control) const {
  if (control != controls().find("level")) return Scene::slider_max(control);
  std::uint32_t deepest = 1;
  for (const TreeContender& tree : trees_)
    deepest = std::max(deepest, tree.tree().statistics().max_depth);
  return deepest;
}

std::vector<Fact> TreesScene::facts() const {
  std::vector<Fact> facts = {
      {.name = "mesh.triangles",
       .title = "Triangles",
       .value = std::uint64_t{vertices_.counts().triangles},
       .tooltip = "Triangles of the mesh, without those that were rejected."},
      {.name = "rays.number",
       .title = "Rays",
       .value = std::uint64_t{rays()},
       .tooltip = "Rays that are traced through each tree."},
      {.name = "rays.cheapest",
       .title = "Cheapest",
       .value = cheapest_in_words(*budgets()),
       .tooltip = "The tree for which its build, or refit, and so many rays take the least time "
                  "together.",
       .varies = true}};
  for (std::uint32_t i = 0; i < count(); ++i)
    for (Fact& fact : trees_[i].facts(plan().refits[i])) facts.push_back(std::move(fact));
  return facts;
}

std::vector<Legend> TreesScene::legends() const {
  std::vector<Legend> legends;
  if (const auto& of_mesh = legend_of_mesh()) legends.push_back(*of_mesh);
  add_overlay_legends(*this, {.is_picked = is_picked()}, legends);
  return legends;
}

std::optional<Budgets> TreesScene::budgets() const {
  Budgets budgets{.unit = "rays", .measured = static_cast<double>(rays())};
  for (std::uint32_t i = 0; i < count(); ++i)
    budgets.contenders.push_back(trees_[i].contender(plan().refits[i]));
  return budgets;
}

std::vector<PointedSurface> TreesScene::surfaces() {
  std::vector<PointedSurface> surfaces;
  for (std::uint32_t i = 0; i < count(); ++i)
    surfaces.push_back({.tree = &trees_[i].tree(),
                        .positions = vertices_of(i),
                        .indices = vertices_.indices(),
                        .material = vertices_.material(),
                        .materials = mesh().materials,
                        .is_drawn = is_drawn(vertex_stream_)});
  return surfaces;
}

std::vector<Fact> TreesScene::more_of(std::size_t surface, std::uint32_t /*triangle*/) const {
  return {{.name = "pick.tree",
           .title = "Tree",
           .value = trees_[surface].contender(plan().refits[surface]).name,
           .tooltip = "The tree over the copy that was picked."}};
}

std::vector<Check> TreesScene::verify() {
  const Vertices::Snapshot at_rest = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(at_rest);
  if (!checks.back().difference.empty()) return checks;
  std::vector<Tree::Snapshot> snapshots;
  for (std::uint32_t i = 0; i < count(); ++i) {
    snapshots.push_back(trees_[i].tree().snapshot(at_rest.counts.vertices));
    Deformation how = is_at_rest_ ? Deformation{} : pose_;
    how.moved = places_[i];
    if (!append(checks, {{"place", check_deformed(at_rest.vertices, snapshots[i].vertices, how)}}))
      return checks;
  }
  for (std::uint32_t i = 0; i < count(); ++i)
    if (!append(checks, trees_[i].verify(snapshots[i]))) return checks;
  checks.push_back(check_writers());
  return checks;
}

std::uint64_t TreesScene::memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t triangles = mesh.triangle_count();
  const std::uint64_t trees = trees_wanted(asked);
  const std::uint64_t rays = rays_wanted(asked);
  return with_scratch(Vertices::bytes_needed(mesh) +
                      trees * (3 * triangles * sizeof(Vertex) +
                               TreeContender::bytes_needed(triangles) + rays * sizeof(BoundedRay)) +
                      rays * (sizeof(RayHit) + sizeof(TraceSteps)));
}

}  // namespace

SceneKind trees_scene() {
  return scene_kind<TreesScene>(
      {.name = "trees",
       .title = "Trees",
       .usage = "trees[:RAYS] [FILE]",
       .summary = "Two to four BVHs over one mesh, and what each costs and saves the rays",
       .invitation = "Four BVHs over a mesh. Choose other builders, see what pays.",
       .thumbnail = "trees:1024 generated:knot --time 1.5",
       .controls = trees_controls,
       .size_control = "rays",
       .own_mesh = default_mesh});
}

}  // namespace warpview
