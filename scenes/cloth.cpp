// The cloth scene: points that springs hold together fall on a mesh, find it by its BVH and each
// other by spatial hashing, once in a frame, between dozens of short iterations.
//
//   each frame:  iterate (30 launches) -> spheres -> cells -> apart -> mesh contacts -> settle
//                -> vertices -> the cloth's own BVH, refitted
//
// Where points are, and were an iteration before, stands in two pairs of arrays: a launch reads the
// one and writes the other. So many small kernels are what a graph is for: `launch` has them
// launched piece by piece instead, and the facts tell what either takes.
#include <algorithm>
#include <array>
#include <iterator>

#include "gpu/steps/cloth.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/cloth_reference.h"
#include "scenes/parts/cloth_rules.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/grid.h"
#include "scenes/parts/particle_reference.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array pins = {"none", "two", "four"};
enum class Launch { graph, stream };
constexpr std::array launches = {"graph", "stream"};

constexpr std::array controls = {
    Control{.name = "side",
            .title = "Points",
            .tooltip = "Points along one side. The cloth has the square of this.",
            .effect = Effect::remake,
            .initial = 64,
            .least = 8,
            .most = 512,
            .whole = true,
            .logarithmic = true,
            .group = "Cloth"},
    Control{.name = "pinned",
            .title = "Pinned",
            .tooltip = "Corners that stay fixed.",
            .kind = Control::Kind::choice,
            .effect = Effect::reset,
            .choices = pins,
            .group = "Cloth"},
    Control{.name = "iterations",
            .title = "Iterations",
            .tooltip = "Iterations per frame. Each advances all points in time and applies the "
                       "spring constraints once. More iterations make the cloth stiffer.",
            .effect = Effect::plan,
            .initial = 30,
            .least = 1,
            .most = 120,
            .whole = true,
            .group = "Cloth"},
    Control{.name = "shear",
            .title = "Shear",
            .tooltip =
                "Weight of the diagonal springs; the springs along rows and columns have weight 1.",
            .initial = 0.5,
            .group = "Cloth"},
    Control{.name = "bend",
            .title = "Bend",
            .tooltip = "Weight of the springs to the second neighbour: resistance to folding.",
            .initial = 0.1,
            .group = "Cloth"},
    Control{.name = "gravity",
            .title = "Gravity",
            .tooltip = "In cloth sides per second squared.",
            .initial = 3,
            .most = 20,
            .group = "Forces"},
    Control{.name = "damping",
            .title = "Damping",
            .tooltip = "Fraction of its speed that the cloth loses per second.",
            .initial = 0.6,
            .most = 0.99,
            .group = "Forces"},
    Control{
        .name = "friction",
        .title = "Friction",
        .tooltip = "Fraction of its tangential speed along the mesh that a point loses per frame.",
        .initial = 0.5,
        .group = "Forces"},
    Control{.name = "thickness",
            .title = "Thickness",
            .tooltip = "Minimum distance between points that are not neighbours, and to the mesh, "
                       "in distances between neighbours.",
            .effect = Effect::remake,
            .initial = 1,
            .least = 0.1,
            .most = 1.5,
            .group = "Contacts"},
    Control{.name = "self",
            .title = "Self-collision",
            .tooltip = "Does the cloth collide with itself?",
            .kind = Control::Kind::toggle,
            .effect = Effect::plan,
            .initial = 1,
            .group = "Contacts"},
    Control{.name = "obstacle",
            .title = "Mesh collision",
            .tooltip = "Does the cloth collide with the mesh?",
            .kind = Control::Kind::toggle,
            .effect = Effect::plan,
            .initial = 1,
            .group = "Contacts"},
    Control{.name = "together",
            .title = "Per launch",
            .tooltip = "Iterations per launch. More iterations need fewer dependent launches, but "
                       "several blocks compute more of the points redundantly.",
            .effect = Effect::plan,
            .initial = 1,
            .least = 1,
            .most = ClothIterateArgs::most_iterations,
            .whole = true,
            .group = "Frame"},
    Control{.name = "launch",
            .title = "Launch",
            .tooltip = "graph: a frame's kernels are captured once and launched together. stream: "
                       "they are launched one by one. The facts show both times.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = launches,
            .group = "Frame"},
    crease_control,
};

Grid::Space space_of(const ClothSetting& setting, float thickness) {
  return {.radius = thickness, .cell_side = thickness, .world = setting.bounds};
}

std::vector<Vec3> places_of(const std::vector<Vec4>& points) {
  std::vector<Vec3> places;
  places.reserve(points.size());
  for (const Vec4& point : points) places.push_back(point.xyz);
  return places;
}

struct ClothPlan {
  bool moves = false;       // else the cloth stays where it is
  std::uint32_t phase = 0;  // which pair of arrays the points are in when the frame begins
  std::uint32_t iterations = 0;
  std::uint32_t together = 1;  // iterations of a launch
  bool meets_itself = false;
  bool meets_mesh = false;

  std::uint32_t launches() const { return (iterations + together - 1) / together; }
  // Which pair the points are in once they have moved.
  std::uint32_t end() const { return moves ? (phase + launches()) % 2 : phase; }

  bool operator==(const ClothPlan&) const = default;
};

class ClothScene final : public Planned<ClothPlan, PointedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  ClothScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind),
        setting_(cloth_setting_of(mesh(), controls())),
        n_(setting_.shape.points()),
        vertices_(timeline(), mesh()),
        elements_(timeline(), mesh()),
        tree_(timeline(), {.vertices = vertices_.vertices(),
                           .indices = vertices_.indices(),
                           .count = vertices_.triangle_count(),
                           .capacity = vertices_.triangle_capacity()}),
        values_(timeline().values<Values>()),
        start_(timeline().device(), n_),
        spheres_(timeline().device(), n_),
        motions_(timeline().device(), n_),
        unpushed_(timeline().device(), n_),
        planes_(timeline().device(), n_),
        cloth_vertices_(timeline().device(), n_),
        cloth_indices_(timeline().device(), 3 * std::size_t{setting_.shape.triangles()}),
        cloth_material_(timeline().device(), setting_.shape.triangles()),
        counts_(timeline().device(), 1),
        facts_(timeline().device(), 1),
        sphere_facts_(timeline().device(), 1),
        materials_(mesh().materials) {
    for (Buffer<Vec4>& points : points_) points = {timeline().device(), n_};
    // The mesh's own materials, and the cloth's.
    materials_.push_back({.name = "cloth",
                          .diffuse = {0.62F, 0.16F, 0.12F},
                          .specular = {0.05F, 0.05F, 0.05F},
                          .shininess = 8.0F});
    add_stages();
    add_outputs();
    read_facts_ = timeline().read_back(facts_.data());
    read_sphere_facts_ = timeline().read_back(sphere_facts_.data());
    reserve();
  }

  void load(LoadControl& control) override {
    bounds_ = merge(setting_.bounds, bounds_of_elements(mesh()));
    upload_lattice();
    run_phases(control, Vertices::stages + 2 * Tree::stages + 1, [this] {
      vertices_.upload();
      elements_.upload(element_commands());
      vertices_.compute();
      tree_.rebuild();
      reset();
      timeline().queue_read_backs();
    });
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (first <= tree_.last_stage()) {
      vertices_.compute(first);
      tree_.rebuild(first);
    }
    const auto is_grids = [this](StageId stage) { return grid_->is_ours(stage); };
    if (plan().meets_itself && std::any_of(chosen.begin(), chosen.end(), is_grids)) grid_->run();
    const auto of_cloth = std::find_if(chosen.begin(), chosen.end(), [this](StageId stage) {
      return cloth_tree_->is_ours(stage);
    });
    if (of_cloth != chosen.end()) cloth_tree_->rebuild(*of_cloth);
    timeline().queue_read_backs();
  }

  void reset() override {
    at_rest_ = cloth_at_rest(setting_, controls());
    Stream& stream = timeline().stream();
    for (Buffer<Vec4>& points : points_)
      stream.copy(points.data(), at_rest_.data(), points.bytes(), Copy::host_to_device);
    stream.copy(start_.data(), at_rest_.data(), start_.bytes(), Copy::host_to_device);
    // The distance to the mesh is unknown.
    spheres_at_rest_ = at_rest_;
    for (Vec4& sphere : spheres_at_rest_) sphere.w = -1.0F;
    stream.copy(spheres_.data(), spheres_at_rest_.data(), spheres_.bytes(), Copy::host_to_device);
    stream.fill(planes_.data(), 0, planes_.bytes());
    stream.fill(facts_.data(), 0, facts_.bytes());
    stream.fill(sphere_facts_.data(), 0, sphere_facts_.bytes());
    set_plan(planned(false, 0));
    last_dt_ = 0.0;
    set_values(0.0);
    timeline().run(vertices_stage_);
    cloth_tree_->rebuild();
  }

  void repeat(StageId stage) override {
    collect();
    if (grid_->is_ours(stage))
      grid_->run();
    else if (!tree_.repeat(stage) && !cloth_tree_->repeat(stage))
      timeline().run(stage);
    timeline().queue_read_backs();
    collect();
  }

  bool repeats_alone(StageId stage) const override {
    return tree_.repeats_alone(stage) && cloth_tree_->repeats_alone(stage);
  }

  ClothPlan plan_frame(const Frame& frame) override {
    note_last_frame();
    const auto launch = static_cast<Launch>(controls().choice("launch"));
    if (launch != launch_) timeline().allow_graphs(launch == Launch::graph);
    launch_ = launch;
    const bool moves = frame.seconds > 0.0;
    if (moves) set_values(frame.seconds);
    return planned(moves, plan().phase);
  }

  void queue_stages(const ClothPlan& plan) override {
    if (plan.moves) move(plan);
    write();
  }

  void has_queued(const Frame& frame) override {
    moved_ = plan().moves;
    if (moved_) has_moved(frame.seconds);
  }

  SceneMaterials materials() const override { return {materials_, mesh().textures}; }
  Aabb bounds() const override { return bounds_; }
  bool moving() const override { return true; }

  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;

 private:
  struct Values {
    ClothRules cloth;
    ParticleRules spheres;
  };
  // As controls are set.
  ClothPlan planned(bool moves, std::uint32_t phase) const {
    return {.moves = moves,
            .phase = phase,
            .iterations = iterations_of(controls()),
            .together = static_cast<std::uint32_t>(controls()["together"]),
            .meets_itself = controls().on("self"),
            .meets_mesh = controls().on("obstacle") && mesh().triangle_count() > 0};
  }
  Vec4* here(std::uint32_t phase) const { return points_[2 * phase].data(); }
  Vec4* before(std::uint32_t phase) const { return points_[2 * phase + 1].data(); }

  void set_values(double seconds) {
    values_now_ = {cloth_rules_of(setting_, controls(), seconds, last_dt_),
                   sphere_rules_of(setting_, controls(), seconds)};
    values_.set(values_now_);
  }

  // A frame in which time passes.
  void move(const ClothPlan& plan) {
    timeline().stream().fill(facts_.data(), 0, facts_.bytes());
    timeline().stream().fill(sphere_facts_.data(), 0, sphere_facts_.bytes());
    timeline().run(iterate_);
    timeline().run(spheres_stage_);
    if (plan.meets_itself) {
      grid_->run();
      timeline().run(apart_);
    }
    if (plan.meets_mesh) timeline().run(mesh_contacts_);
    timeline().run(settle_);
    timeline().run(vertices_stage_);
    cloth_tree_->refit();
  }
  // All stages ran: the points are where the plan says that they end.
  void has_moved(double seconds) {
    last_dt_ = seconds / plan().iterations;
    cloth_tree_->set_current(false);
    set_plan(planned(false, plan().end()));
  }

  // Takes in what collect() brought: how long the last frame took, as it was launched.
  void note_last_frame() {
    const StageTimes& times = timeline().frame_times();
    if (times.taken() == taken_) return;
    taken_ = times.taken();
    if (moved_) frames_[static_cast<std::size_t>(launch_)].add(times.last());
  }

  // The cloth, and what it falls on.
  std::vector<PointedSurface> surfaces() override;
  std::vector<Fact> more_of(std::size_t surface, std::uint32_t triangle) const override;

  MeshCounts cloth_counts() const {
    const std::uint32_t triangles = setting_.shape.triangles();
    return {.triangles = triangles, .corners = 3 * triangles, .vertices = n_, .dropped = 0};
  }
  void upload_lattice();
  void add_stages();
  StageId add(const char* name, const char* title, const char* about,
              std::function<void(const StageRun&, const ClothPlan&)> queue, std::size_t bytes_each,
              bool repeatable);
  void add_outputs();
  template <class T>
  std::vector<T> read(const T* from, std::size_t count);
  // What is in a pair of arrays.
  ClothState state(std::uint32_t phase) { return {read(here(phase), n_), read(before(phase), n_)}; }
  Check check_iterations(const ClothState& from, double seconds);
  Check check_contacts(const Tree::Snapshot& tree);
  Check check_vertices();

  ClothSetting setting_;
  std::uint32_t n_;
  Vertices vertices_;
  Elements elements_;
  Tree tree_;
  FrameValues<Values> values_;
  std::array<Buffer<Vec4>, 4> points_;
  Buffer<Vec4> start_;                                  // where the frame began
  Buffer<Vec4> spheres_, motions_, unpushed_, planes_;  // by number
  Buffer<Vertex> cloth_vertices_;
  Buffer<std::uint32_t> cloth_indices_, cloth_material_;
  Buffer<MeshCounts> counts_;  // of the cloth
  Buffer<ClothFacts> facts_;
  Buffer<ParticleFacts> sphere_facts_;
  std::vector<Material> materials_;
  StageId iterate_{}, spheres_stage_{}, apart_{}, mesh_contacts_{}, settle_{}, vertices_stage_{};
  std::optional<Grid> grid_;
  std::optional<Tree> cloth_tree_;
  ReadBack<ClothFacts> read_facts_;
  ReadBack<ParticleFacts> read_sphere_facts_;
  std::size_t cloth_stream_ = 0, mesh_stream_ = 0;  // the first of each surface
  std::vector<Vec4> at_rest_, spheres_at_rest_;     // while they are copied
  Aabb bounds_ = Aabb::empty();
  Values values_now_{};                             // of the frame that is being queued
  double last_dt_ = 0.0;                            // of an iteration of the last frame that moved
  Launch launch_ = Launch::graph;                   // of the last frame
  bool moved_ = false;                              // of the last frame
  std::uint64_t taken_ = 0;                         // frame times that were looked at
  std::array<StageTimes, launches.size()> frames_;  // that moved, by how they were launched
};

// What is the same as long as the scene lives.
void ClothScene::upload_lattice() {
  const ClothShape& shape = setting_.shape;
  const std::vector<std::uint32_t> indices = cloth_indices(shape);
  const std::vector<std::uint32_t> material(shape.triangles(),
                                            static_cast<std::uint32_t>(materials_.size() - 1));
  const MeshCounts counts = cloth_counts();
  Stream& stream = timeline().stream();
  stream.copy(cloth_indices_.data(), indices.data(), cloth_indices_.bytes(), Copy::host_to_device);
  stream.copy(cloth_material_.data(), material.data(), cloth_material_.bytes(),
              Copy::host_to_device);
  stream.copy(counts_.data(), &counts, sizeof counts, Copy::host_to_device);
  stream.synchronize();
}

StageId ClothScene::add(const char* name, const char* title, const char* about,
                        std::function<void(const StageRun&, const ClothPlan&)> queue,
                        std::size_t bytes_each, bool repeatable) {
  return add_stage({.name = name,
                    .title = title,
                    .about = about,
                    .work =
                        [this, bytes_each] {
                          return StageWork{n_, n_ * bytes_each};
                        },
                    .repeatable = repeatable},
                   std::move(queue));
}

void ClothScene::add_stages() {
  const auto rules = [this] { return &values_.device()->cloth; };
  const auto sphere_rules = [this] { return &values_.device()->spheres; };
  iterate_ =
      add_stage({.name = "iterate",
                 .title = "Iterate",
                 .about = "Moves each point, and corrects it towards the length of its springs, "
                          "once per iteration.",
                 .work =
                     [this] {
                       // What launches read and write.
                       return StageWork{n_, n_ * plan().launches() * 5 * sizeof(Vec4)};
                     },
                 .repeatable = false},
                [this, rules](const StageRun& run, const ClothPlan& plan) {
                  if (run.measuring()) return;
                  run.run<Step::cloth_begin>(ClothBeginArgs{.rules = rules(),
                                                            .n = n_,
                                                            .here = here(plan.phase),
                                                            .before = before(plan.phase),
                                                            .start = start_.data()});
                  std::uint32_t phase = plan.phase;
                  for (std::uint32_t left = plan.iterations; left > 0; phase = 1 - phase) {
                    const std::uint32_t now = std::min(left, plan.together);
                    left -= now;
                    run.run<Step::cloth_iterate>(ClothIterateArgs{.rules = rules(),
                                                                  .shape = setting_.shape,
                                                                  .iterations = now,
                                                                  .planes = planes_.data(),
                                                                  .before = before(phase),
                                                                  .here = here(phase),
                                                                  .last_before = before(1 - phase),
                                                                  .last_here = here(1 - phase)});
                  }
                });
  spheres_stage_ = add(
      "spheres", "Spheres", "Turns the points into spheres with velocities, for the collisions.",
      [this, sphere_rules](const StageRun& run, const ClothPlan& plan) {
        run.run<Step::cloth_spheres>(ClothSpheresArgs{.rules = sphere_rules(),
                                                      .n = n_,
                                                      .start = start_.data(),
                                                      .points = here(plan.end()),
                                                      .spheres = spheres_.data(),
                                                      .motions = motions_.data()});
      },
      4 * sizeof(Vec4), false);
  // In the same order in every run, and so the sums over neighbours.
  grid_.emplace(timeline(),
                Grid::Particles{.positions = spheres_.data(), .payload = motions_.data(), .n = n_},
                space_of(setting_, thickness_of(setting_, controls())), "sort");
  apart_ = add(
      "apart", "Separate",
      "Pushes points apart that are closer than the thickness and no neighbours.",
      [this, rules, sphere_rules](const StageRun& run, const ClothPlan& plan) {
        if (run.measuring()) return;
        run.run<Step::cloth_apart>(ClothApartArgs{.rules = rules(),
                                                  .sphere_rules = sphere_rules(),
                                                  .shape = setting_.shape,
                                                  .cells = grid_->cells(),
                                                  .start = start_.data(),
                                                  .points = here(plan.end()),
                                                  .spheres = spheres_.data(),
                                                  .motions = motions_.data(),
                                                  .touching = &facts_.data()->touching});
      },
      2 * sizeof(Vec4), false);
  mesh_contacts_ = add(
      "mesh_contacts", "Mesh contacts",
      "Tests each point against the triangles near its path, by a BVH traversal.",
      [this, sphere_rules](const StageRun& run, const ClothPlan& /*plan*/) {
        if (!run.measuring())
          run.stream().copy(unpushed_.data(), spheres_.data(), spheres_.bytes(),
                            Copy::device_to_device);
        run.run<Step::mesh_contacts>(MeshContactArgs{.rules = sphere_rules(),
                                                     .substep = 1,
                                                     .n = n_,
                                                     .positions = start_.data(),
                                                     .moved = spheres_.data(),
                                                     .motions = motions_.data(),
                                                     .count = tree_.count(),
                                                     .bvh = tree_.bvh(),
                                                     .vertices = vertices_.vertices(),
                                                     .indices = vertices_.indices(),
                                                     .facts = sphere_facts_.data()});
      },
      2 * sizeof(Vec4), false);
  settle_ = add(
      "settle", "Settle", "Turns the spheres back into points, and stops them at the floor.",
      [this, rules](const StageRun& run, const ClothPlan& plan) {
        run.run<Step::cloth_settle>(
            ClothSettleArgs{.rules = rules(),
                            .n = n_,
                            .unpushed = plan.meets_mesh ? unpushed_.data() : nullptr,
                            .spheres = spheres_.data(),
                            .motions = motions_.data(),
                            .points = here(plan.end()),
                            .before = before(plan.end()),
                            .planes = planes_.data()});
      },
      5 * sizeof(Vec4), false);
  vertices_stage_ = add(
      "vertices", "Normals",
      "Computes the vertices of the cloth with their normals, and the longest spring.",
      [this, rules](const StageRun& run, const ClothPlan& plan) {
        run.run<Step::cloth_vertices>(ClothVerticesArgs{.rules = rules(),
                                                        .shape = setting_.shape,
                                                        .points = here(plan.end()),
                                                        .vertices = cloth_vertices_.data(),
                                                        .facts = facts_.data()});
      },
      sizeof(Vec4) + sizeof(Vertex), true);
  cloth_tree_.emplace(timeline(),
                      Tree::Triangles{.vertices = cloth_vertices_.data(),
                                      .indices = cloth_indices_.data(),
                                      .count = &counts_.data()->triangles,
                                      .capacity = setting_.shape.triangles()},
                      "cloth.");
}

void ClothScene::add_outputs() {
  const std::uint32_t triangles = setting_.shape.triangles();
  cloth_stream_ = add_surface({.name = "cloth",
                               .title = "Cloth",
                               .about = "The cloth as a surface.",
                               .key = '1',
                               .shown = true},
                              {.name = "threads",
                               .title = "Threads",
                               .about = "The springs along rows and columns of the cloth.",
                               .key = '2'},
                              surface_writer(
                                  {.vertices = n_, .triangles = triangles}, "cloth ",
                                  [this] {
                                    return SurfaceArrays{.vertices = cloth_vertices_.data(),
                                                         .counts = counts_.data(),
                                                         .indices = cloth_indices_.data(),
                                                         .material = cloth_material_.data()};
                                  },
                                  [this] { return cloth_counts(); }))
                      .stream;
  mesh_stream_ = add_surface({.name = "mesh",
                              .title = "Mesh",
                              .about = "The mesh that the cloth falls on.",
                              .key = '3',
                              .shown = true},
                             {.name = "wire",
                              .title = "Wireframe",
                              .about = "The edges of all triangles of the mesh.",
                              .key = '4'},
                             surface_writer(vertices_, [this] { return vertices_.vertices(); }))
                     .stream;
  add_element_outputs(
      elements_, [] { return false; }, '5', '6');
  add_picked_outputs('7', '8');
}

std::vector<Fact> ClothScene::facts() const {
  const double of_graph = frames_[static_cast<std::size_t>(Launch::graph)].median();
  const double of_stream = frames_[static_cast<std::size_t>(Launch::stream)].median();
  std::vector<Fact> facts = {
      {.name = "cloth.points",
       .title = "Points",
       .value = std::uint64_t{n_},
       .tooltip = "Points of the cloth: its side squared."},
      {.name = "cloth.stretch",
       .title = "Maximum stretch",
       .value = 100.0 * (std::max(double{read_facts_->longest}, 1.0) - 1.0),
       .unit = "%",
       .tooltip = "Relative elongation of the longest spring along a row or column.",
       .plotted = true},
      {.name = "cloth.touching",
       .title = "Self-contacts",
       .value = std::uint64_t{read_facts_->touching},
       .tooltip = "Points pushed away from another part of the cloth."},
      {.name = "cloth.on_mesh",
       .title = "On the mesh",
       .value = std::uint64_t{read_sphere_facts_->on_mesh},
       .tooltip = "Points that touch it."},
      {.name = "frame.graph",
       .title = "Frame, graph",
       .value = of_graph,
       .unit = "ms",
       .tooltip = "Median of the last frames launched as a graph; 0: none."},
      {.name = "frame.stream",
       .title = "Frame, stream",
       .value = of_stream,
       .unit = "ms",
       .tooltip = "Median of the last frames whose kernels were launched one by one; 0: none."},
      {.name = "bvh.triangles",
       .title = "Triangles",
       .value = std::uint64_t{tree_.triangle_count()},
       .tooltip = "Triangles of the mesh that the cloth falls on."},
      {.name = "bvh.sah_cost",
       .title = "SAH cost",
       .value = tree_.statistics().sah_cost,
       .tooltip = "Expected number of BVH nodes of the mesh that a ray visits. Lower is better."},
      {.name = "bvh.sah_cost_of_cloth",
       .title = "SAH cost, cloth",
       .value = cloth_tree_->statistics().sah_cost,
       .tooltip = "Expected number of BVH nodes of the cloth that a ray visits. Lower is better."},
  };
  if (of_graph > 0.0 && of_stream > 0.0)
    facts.push_back({.name = "frame.saved",
                     .title = "Saved by graph",
                     .value = 100.0 * (1.0 - of_graph / of_stream),
                     .unit = "%",
                     .tooltip = "How much shorter a frame is when its kernels are launched as one "
                                "graph, by the medians of both."});
  return facts;
}

template <class T>
std::vector<T> ClothScene::read(const T* from, std::size_t count) {
  std::vector<T> to(count);
  Stream& stream = timeline().stream();
  stream.copy(to.data(), from, count * sizeof(T), Copy::device_to_host);
  stream.synchronize();
  return to;
}

// One more frame on the device, each of its stages held against the same done sequentially from
// what the one before left.
std::vector<Check> ClothScene::verify() {
  collect();
  const Vertices::Snapshot of_mesh = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(of_mesh);
  if (!checks.back().difference.empty()) return checks;
  const Tree::Snapshot tree = tree_.snapshot(of_mesh.counts.vertices);
  for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
  if (!checks.back().difference.empty()) return checks;

  constexpr double seconds = 1.0 / 60.0;
  set_values(seconds);
  set_plan(planned(true, plan().phase));
  checks.push_back(check_iterations(state(plan().phase), seconds));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_contacts(tree));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_vertices());
  cloth_tree_->refit();
  has_moved(seconds);
  timeline().queue_read_backs();
  collect();
  std::ranges::move(cloth_tree_->verify(cloth_tree_->snapshot(n_)), std::back_inserter(checks));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

Check ClothScene::check_iterations(const ClothState& from, double seconds) {
  const std::vector<Vec4> planes = read(planes_.data(), n_);
  timeline().run(iterate_);
  const ClothState expected =
      cloth_iterated(from, planes, setting_.shape, values_now_.cloth, plan().iterations);
  const ClothState found = state(plan().end());
  // Other compilers round otherwise, in every iteration; and the more so, the farther from the
  // origin.
  const Vec3 far = max_of(setting_.bounds.max, setting_.bounds.min * -1.0F);
  const float most =
      1e-3F * setting_.spacing + 1e-5F * std::max({far.x, far.y, far.z}) * float(seconds > 0.0);
  std::string difference = differ("point", places_of(found.here), places_of(expected.here), most);
  if (difference.empty())
    difference = differ("point, an iteration before", places_of(found.before),
                        places_of(expected.before), most);
  return {"iterate", std::move(difference)};
}

Check ClothScene::check_contacts(const Tree::Snapshot& tree) {
  timeline().run(spheres_stage_);
  std::vector<Vec3> places = places_of(read(spheres_.data(), n_));
  const std::vector<Vec4> points = read(here(plan().end()), n_);
  const std::vector<Vec4> start = read(start_.data(), n_);
  const float dt = values_now_.spheres.dt;
  if (plan().meets_itself) {
    grid_->run();
    timeline().run(apart_);
    places = cloth_apart(places, points, setting_.shape, values_now_.cloth);
  }
  std::vector<Vec3> velocities(n_);
  for (std::size_t i = 0; i < n_; ++i) velocities[i] = (places[i] - start[i].xyz) * (1.0F / dt);
  if (plan().meets_mesh) {
    timeline().run(mesh_contacts_);
    for (std::size_t i = 0; i < n_; ++i)
      collide_with_mesh(tree, values_now_.spheres, start[i].xyz, places[i], velocities[i]);
  }
  timeline().run(settle_);
  std::vector<Vec4> expected = points;
  for (std::size_t i = 0; i < n_; ++i) {
    Vec3 before{};
    settle_point(values_now_.cloth, places[i], velocities[i], false, expected[i], before);
  }
  return {"contacts", differ("point", places_of(read(here(plan().end()), n_)), places_of(expected),
                             2e-2F * setting_.spacing)};
}

Check ClothScene::check_vertices() {
  timeline().stream().fill(facts_.data(), 0, facts_.bytes());
  timeline().run(vertices_stage_);
  const std::vector<Vec4> points = read(here(plan().end()), n_);
  const std::vector<Vertex> expected = cloth_vertices(points, setting_.shape);
  const std::vector<Vertex> found = read(cloth_vertices_.data(), n_);
  std::vector<Vec3> normals[2];
  for (std::size_t i = 0; i < n_; ++i) {
    normals[0].push_back(found[i].normal);
    normals[1].push_back(expected[i].normal);
  }
  constexpr float most = 1e-2F;
  if (const std::string text = differ("normal", normals[0], normals[1], most); !text.empty())
    return {"vertices", text};
  const float longest = longest_spring(points, setting_.shape, setting_.spacing);
  const float told = read(facts_.data(), 1).front().longest;
  if (std::abs(told - longest) > 1e-4F * longest)
    return {"vertices", "the longest spring is " + std::to_string(told) + " times as long, not " +
                            std::to_string(longest)};
  return {"vertices", {}};
}

std::vector<PointedSurface> ClothScene::surfaces() {
  return {{.tree = &*cloth_tree_,
           .positions = cloth_vertices_.data(),
           .indices = cloth_indices_.data(),
           .material = cloth_material_.data(),
           .materials = materials_,
           .is_drawn = is_drawn(cloth_stream_)},
          {.tree = &tree_,
           .positions = vertices_.vertices(),
           .indices = vertices_.indices(),
           .material = vertices_.material(),
           .materials = materials_,
           .is_drawn = is_drawn(mesh_stream_)}};
}

// Two triangles are a square.
std::vector<Fact> ClothScene::more_of(std::size_t surface, std::uint32_t triangle) const {
  if (surface != 0) return {};
  const std::uint32_t square = triangle / 2;
  const std::uint32_t squares = setting_.shape.side - 1;
  return {{.name = "pick.row",
           .title = "Row",
           .value = std::uint64_t{square / squares},
           .tooltip = "Row of the square of the cloth that the ray hit, from 0."},
          {.name = "pick.column",
           .title = "Column",
           .value = std::uint64_t{square % squares},
           .tooltip = "Column of that square, from 0."}};
}

std::uint64_t ClothScene::memory(const Mesh& mesh, const Controls& asked) {
  const ClothSetting setting = cloth_setting_of(mesh, asked);
  const std::uint64_t points = setting.shape.points();
  const std::uint64_t triangles = setting.shape.triangles();
  const std::uint64_t cloth =
      points * (9 * sizeof(Vec4) + sizeof(Vertex)) + triangles * 4 * sizeof(std::uint32_t);
  return with_scratch(
      Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
      Tree::bytes_needed(mesh.triangle_count()) + cloth + Tree::bytes_needed(triangles) +
      Grid::bytes_needed(setting.shape.points(), space_of(setting, thickness_of(setting, asked))));
}

}  // namespace

SceneKind cloth_scene() {
  return scene_kind<ClothScene>(
      {.name = "cloth",
       .title = "Cloth",
       .usage = "cloth[:SIDE] [FILE]",
       .summary =
           "A cloth of points and springs falls on a mesh, with dozens of small kernels per frame",
       .invitation = "A cloth falls on a mesh. Pin two corners, then press Reset.",
       .thumbnail = "cloth:32 --time 1.4",
       .controls = controls,
       .size_control = "side",
       .own_mesh = default_mesh});
}

}  // namespace warpview
