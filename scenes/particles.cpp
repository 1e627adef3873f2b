// The particle scene: spheres that fall into a box, collide with each other through a spatial hash,
// and with a mesh through its BVH.
//
//   each substep:  integrate -> mesh contacts -> cells -> contacts
//
// Positions go back and forth between two arrays, as do motions: `integrate` moves `here_` into
// `moved_`, the grid orders `moved_` into `here_`, and contacts write the motions anew.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "gpu/steps/deform.h"
#include "gpu/steps/particles.h"
#include "gpu/steps/pick.h"
#include "gpu/steps/random.h"
#include "gpu/steps/write.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/deform_stage.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/grid.h"
#include "scenes/parts/particle_reference.h"
#include "scenes/parts/particle_rules.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array physics_names = {"own", "sample"};
constexpr std::array emitters = {"block", "fountain", "rain"};
constexpr std::array motions = {"fixed", "rocking"};
constexpr std::array colours = {"speed", "cell", "slot", "neighbours"};

constexpr Need needs_own_physics{.control = "physics", .values = {"own"}};

constexpr std::array controls = {
    Control{.name = "count",
            .title = "Particles",
            .tooltip = "Number of spheres.",
            .effect = Effect::remake,
            .initial = 20'000,
            .least = 1'000,
            .most = 8'000'000,
            .whole = true,
            .logarithmic = true,
            .fewest = 4'000,
            .group = "Particles"},
    Control{.name = "radius",
            .title = "Radius",
            .tooltip = "Radius of a sphere, in half sides of the box. It is clamped so that all "
                       "spheres have room; 0: derived from the number of particles.",
            .effect = Effect::remake,
            .most = 0.1,
            .group = "Particles"},
    Control{.name = "physics",
            .title = "Physics",
            .tooltip =
                "own: substeps and springs as stiff as is stable, so that piles stand. sample: "
                "exactly the set-up of NVIDIA's CUDA sample `particles`, whose soft springs let "
                "tall piles sink into themselves; emitter, forces and mesh then have no effect.",
            .kind = Control::Kind::choice,
            .effect = Effect::remake,
            .choices = physics_names,
            .group = "Particles"},
    Control{.name = "emitter",
            .title = "Emitter",
            .tooltip = "block: all at once. fountain: layer by layer from a nozzle. rain: layer by "
                       "layer from the ceiling.",
            .kind = Control::Kind::choice,
            .effect = Effect::reset,
            .choices = emitters,
            .group = "Particles",
            .needs = needs_own_physics},
    Control{.name = "seed",
            .title = "Seed",
            .tooltip = "Seed of the jitter of the initial positions.",
            .effect = Effect::reset,
            .initial = 1,
            .most = 1'000'000,
            .whole = true,
            .group = "Particles"},
    Control{.name = "deterministic",
            .title = "Deterministic",
            .tooltip = "Bit-identical results for a seed in every run on one backend and warp "
                       "size: the particles of a cell are sorted by their number.",
            .kind = Control::Kind::toggle,
            .effect = Effect::plan,
            .group = "Particles"},
    Control{.name = "colour",
            .title = "Colour",
            .tooltip = "Quantity that colours the spheres.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = colours,
            .group = "Particles",
            .needs = {.output = "spheres"}},
    Control{.name = "gravity",
            .title = "Gravity",
            .tooltip = "In half sides of the box per second squared.",
            .initial = 3,
            .most = 20,
            .group = "Forces",
            .needs = needs_own_physics},
    Control{.name = "spring",
            .title = "Spring",
            .tooltip = "Fraction of an overlap that the springs correct per substep.",
            .initial = 0.4,
            .most = 1,
            .group = "Forces",
            .needs = needs_own_physics},
    Control{
        .name = "damping",
        .title = "Damping",
        .tooltip = "Fraction of their relative speed that two touching spheres lose per substep.",
        .initial = 0.03,
        .most = 0.1,
        .group = "Forces",
        .needs = needs_own_physics},
    Control{.name = "shear",
            .title = "Shear",
            .tooltip = "Fraction of their tangential speed that they lose in addition.",
            .initial = 0.02,
            .most = 0.1,
            .group = "Forces",
            .needs = needs_own_physics},
    Control{
        .name = "attraction",
        .title = "Attraction",
        .tooltip = "Touching spheres attract each other: fraction of their distance per substep.",
        .most = 0.1,
        .group = "Forces",
        .needs = needs_own_physics},
    Control{.name = "restitution",
            .title = "Restitution",
            .tooltip = "Fraction of the speed that walls return.",
            .initial = 0.5,
            .group = "Forces",
            .needs = needs_own_physics},
    Control{.name = "substeps",
            .title = "Substeps",
            .tooltip = "Substeps per 1/60 s; 0: derived from the height of the pile.",
            .effect = Effect::plan,
            .most = 64,
            .whole = true,
            .group = "Forces",
            .needs = needs_own_physics},
    Control{.name = "obstacle",
            .title = "Obstacle",
            .tooltip = "Do the spheres collide with the mesh?",
            .kind = Control::Kind::toggle,
            .effect = Effect::plan,
            .initial = 1,
            .group = "Mesh",
            .needs = needs_own_physics},
    Control{.name = "motion",
            .title = "Motion",
            .tooltip = "rocking: the mesh swings, and its BVH is refitted in each frame.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = motions,
            .group = "Mesh",
            .needs = {.control = "obstacle", .values = {"on"}}},
    crease_control,
};

Grid::Space space_of(const ParticleSetting& s) {
  return {.radius = 2.0F * s.radius, .cell_side = 2.0F * s.radius, .world = s.box};
}

// --- The scene

struct ParticlePlan {
  std::uint32_t steps = 0;  // substeps
  bool turns = false;       // does the mesh move?
  bool is_turned = false;   // is it where `turned_` is? else at rest
  bool tells = false;       // does the last substep leave facts, or the frame if there is none?
  bool has_obstacle = false;
  bool is_canonical = false;  // are the particles of a cell sorted by their number?
  bool is_drawn = false;
  ParticleColour colour{};

  bool operator==(const ParticlePlan&) const = default;
  // Does this run of a stage, one in each substep, leave facts?
  bool tells_in(const StageRun& run) const { return tells && run.number() + 1 == steps; }
};

class ParticleScene final : public Planned<ParticlePlan, PointedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  ParticleScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind),
        setting_(setting_of(mesh(), controls())),
        vertices_(timeline(), mesh()),
        elements_(timeline(), mesh()),
        turn_(add_turn()),
        tree_(timeline(), {.vertices = vertices_.vertices(),
                           .indices = vertices_.indices(),
                           .count = vertices_.triangle_count(),
                           .capacity = vertices_.triangle_capacity()}),
        values_(timeline().values<ParticleRules>()),
        deformation_(timeline().values<Deformation>()),
        here_motions_(timeline().device(), setting_.n),
        moved_(timeline().device(), setting_.n),
        touches_(timeline().device(), setting_.n),
        facts_(timeline().device(), 1),
        ray_(timeline().device(), 1),
        nearest_(timeline().device(), 1),
        hit_(timeline().device(), 1),
        integrate_(add_integrate()),
        mesh_contacts_(add_mesh_contacts()),
        grid_(timeline(),
              {.positions = moved_.data(), .payload = here_motions_.data(), .n = setting_.n},
              space_of(setting_), "counting"),
        canonical_(add_canonical()),
        contacts_(add_contacts()) {
    add_outputs();
    read_facts_ = timeline().read_back(facts_.data());
    reserve();
    timeline().stream().fill(facts_.data(), 0, facts_.bytes());
    timeline().stream().fill(touches_.data(), 0, touches_.bytes());
  }

  void load(LoadControl& control) override {
    bounds_ = merge(setting_.box, bounds_of_elements(mesh()));
    run_phases(control, Vertices::stages + Tree::stages + 1, [this] {
      vertices_.upload();
      elements_.upload(element_commands());
      compute();
      reset();
    });
  }

  void compute_after(std::span<const StageId> chosen) override {
    if (chosen.front() < integrate_) compute_mesh(chosen.front());
    // What is drawn of particles needs cells, which a choice may have changed.
    const bool has_cells = std::any_of(chosen.begin(), chosen.end(),
                                       [this](StageId stage) { return grid_.is_ours(stage); });
    if (has_cells && has_particles_) order_again();
    timeline().queue_read_backs();
  }

  void reset() override {
    time_ = swing_time_ = 0.0;
    if (plan().is_turned) {
      ParticlePlan at_rest = plan();
      at_rest.is_turned = false;
      set_plan(at_rest);
      build_at_rest();
    }
    values_.set(rules(1, 0.0));
    timeline().run_step<Step::emit>({.rules = values_.device(),
                                     .n = setting_.n,
                                     .positions = moved_.data(),
                                     .motions = here_motions_.data()});
    has_particles_ = true;
    order_moved();
  }

  void repeat(StageId stage) override {
    collect();
    if (grid_.is_ours(stage))
      order_again();
    else if (!tree_.repeat(stage))
      timeline().run(stage);
    timeline().queue_read_backs();
    collect();
  }

  // The particles' order may come out otherwise.
  bool repeats_alone(StageId stage) const override {
    return !grid_.is_ours(stage) && tree_.repeats_alone(stage);
  }

  ParticlePlan plan_frame(const Frame& frame) override {
    const bool is_rocking = rocks();
    if (is_rocking && turned_.size() == 0)
      turned_ = {timeline().device(), vertices_.vertex_capacity()};
    if (controls().on("deterministic") && grid_.kind() == CellKind::lists)
      throw Error("deterministic results with spatial_hash=lists",
                  "its lists are in the order of arrival",
                  "Choose another variant of the cells, or switch \"Deterministic\" off");
    const std::uint32_t steps = frame.seconds <= 0.0 ? 0 : is_single_ ? 1 : substeps(frame.seconds);
    const bool turns = is_rocking && steps > 0;
    values_.set(rules(std::max(steps, 1U), frame.seconds));
    deformation_.set(swing_pose(setting_, swing_time_ + (turns ? frame.seconds : 0.0)));
    set_style(spheres_output, SphereStyle{setting_.radius, is_hue()});
    set_style(box_output, BoxStyle{.level = 11});
    const ParticlePlan plan{.steps = steps,
                            .turns = turns,
                            .is_turned = this->plan().is_turned || turns,
                            // Facts of the last step stay while no time passes.
                            .tells = frame.commands != nullptr && (steps > 0 || !has_told_),
                            .has_obstacle = has_obstacle(),
                            .is_canonical = needs_canonical(),
                            .is_drawn = frame.commands != nullptr,
                            .colour = static_cast<ParticleColour>(controls().choice("colour"))};
    tree_.set_vertices(mesh_vertices(plan));
    return plan;
  }

  void queue_stages(const ParticlePlan& plan) override {
    if (plan.tells) timeline().stream().fill(facts_.data(), 0, facts_.bytes());
    if (plan.tells && plan.steps == 0) look_at_contacts();
    if (plan.turns) turn_mesh();
    for (std::uint32_t step = 0; step < plan.steps; ++step) run_substep(plan);
    if (plan.is_drawn) write();
  }

  void has_queued(const Frame& frame) override {
    ParticlePlan after = plan();
    if (after.turns) {
      tree_.set_current(false);
      swing_time_ += frame.seconds;
    }
    has_told_ = after.tells || (has_told_ && after.steps == 0);
    time_ += frame.seconds;
    after.tells = false;  // sums of facts are those of the frame, whatever runs after it
    set_plan(after);
  }

  Aabb bounds() const override { return bounds_; }
  bool moving() const override { return true; }

  double slider_max(std::size_t control) const override;
  std::optional<double> derived(std::size_t control) const override;
  std::vector<Fact> facts() const override;
  std::vector<Legend> legends() const override;
  std::vector<Check> verify() override;
  // Spheres stand before or behind the mesh.
  PickResult pick(const Ray& ray) override;
  PickResult glance(const Ray& ray) override;

 private:
  enum OutputPlace : std::size_t { spheres_output, mesh_output, edges_output, box_output };

  Legend legend_of_spheres() const;

  bool has_obstacle() const { return warpview::has_obstacle(setting_, controls()); }
  bool rocks() const { return warpview::rocks(setting_, controls()); }
  bool is_hue() const {
    const auto colour = static_cast<ParticleColour>(controls().choice("colour"));
    return colour == ParticleColour::cell || colour == ParticleColour::slot;
  }
  // Clamped: faster spheres share the last colour.
  float fastest() const { return setting_.is_sample ? 0.02F : 2.5F * setting_.half_side; }
  const Vertex* mesh_vertices(const ParticlePlan& plan) const {
    return plan.is_turned ? turned_.data() : vertices_.vertices();
  }
  void copy(Vec4* to, const Vec4* from) {
    timeline().stream().copy(to, from, setting_.n * sizeof(Vec4), Copy::device_to_device);
  }

  std::uint32_t substeps(double seconds) const {
    return substeps_of(setting_, controls(), seconds);
  }
  // For a frame of so many substeps that begins now and takes `seconds`.
  ParticleRules rules(std::uint32_t steps, double seconds) const {
    return rules_of(
        setting_, controls(),
        {.substeps = steps, .seconds = seconds, .time = time_, .swing_time = swing_time_});
  }

  // The tree over the mesh at rest.
  void build_at_rest() {
    tree_.set_vertices(vertices_.vertices());
    tree_.rebuild();
  }
  // From a stage of the mesh or its tree on. Topology is that of the mesh at rest.
  void compute_mesh(StageId first) {
    vertices_.compute(first);
    const bool goes_to_rest = plan().is_turned && !tree_.keeps_topology(first);
    if (goes_to_rest) {
      tree_.set_vertices(vertices_.vertices());
      tree_.set_current(false);
    }
    tree_.rebuild(first);
    if (!goes_to_rest) return;
    if (first < turn_) timeline().run(turn_);
    tree_.set_vertices(turned_.data());
    tree_.refit(integrate_);  // after its stages have had their times
  }
  void turn_mesh() {
    timeline().run(turn_);
    tree_.refit();
  }

  // Not for lists, which no frame with the same bits is queued with.
  bool needs_canonical() const {
    return controls().on("deterministic") && !grid_.keeps_order() &&
           grid_.kind() != CellKind::lists;
  }
  void run_substep(const ParticlePlan& plan) {
    timeline().run(integrate_);
    if (plan.has_obstacle) timeline().run(mesh_contacts_);
    grid_.run();
    if (plan.is_canonical) timeline().run(canonical_);
    timeline().run(contacts_);
  }

  // The facts of particles that stand still. No stage: no particle is pushed.
  void look_at_contacts() {
    timeline().run_step<Step::contacts>({.rules = values_.device(),
                                         .cells = grid_.cells(),
                                         .touches = touches_.data(),
                                         .facts = facts_.data()});
  }

  // Computes the particles again, after the choice of another variant of the cells.
  void order_again() {
    copy(moved_.data(), grid_.positions());
    order_moved();
  }
  void order_moved() {
    grid_.run();
    if (needs_canonical()) timeline().run(canonical_);
    copy(here_motions_.data(), grid_.payload());
    has_told_ = false;  // what was told went by place
  }

  StageId add_turn() {
    StageInfo stage =
        deform_stage({.vertices = vertices_,
                      .elements = elements_,
                      .deformed = turned_,
                      .deformation = [this] { return deformation_.device(); }},
                     "turn", "Turn mesh", "Turns the mesh by the angle of its swing.");
    stage.repeatable = false;
    return timeline().add(std::move(stage));
  }
  StageId add_integrate() {
    return add_stage(
        {.name = "integrate",
         .title = "Integrate",
         .about = "Moves each particle by its velocity and gravity, and reflects it at the walls.",
         .work = [this] { return work(4 * sizeof(Vec4)); },
         .repeatable = false},
        [this](const StageRun& run, const ParticlePlan& plan) {
          run.run<Step::integrate>(
              IntegrateArgs{.rules = values_.device(),
                            .substep = run.number(),
                            .n = setting_.n,
                            .positions = run.measuring() ? nullptr : grid_.positions(),
                            .moved = moved_.data(),
                            .motions = here_motions_.data(),
                            .has_mesh = plan.has_obstacle});
        });
  }
  StageId add_mesh_contacts() {
    return add_stage(
        {.name = "mesh_contacts",
         .title = "Mesh contacts",
         .about = "Tests each particle against the triangles near its path, by a BVH traversal.",
         .work = [this] { return work(2 * sizeof(Vec4)); },
         .repeatable = false},
        [this](const StageRun& run, const ParticlePlan& plan) {
          run.run<Step::mesh_contacts>(
              MeshContactArgs{.rules = values_.device(),
                              .substep = run.number(),
                              .n = setting_.n,
                              .positions = run.measuring() ? nullptr : grid_.positions(),
                              .moved = moved_.data(),
                              .motions = here_motions_.data(),
                              .count = tree_.count(),
                              .bvh = tree_.bvh(),
                              .vertices = mesh_vertices(plan),
                              .indices = vertices_.indices(),
                              .facts = plan.tells_in(run) ? facts_.data() : nullptr});
        });
  }
  StageId add_canonical() {
    return timeline().add({.name = "canonical",
                           .title = "Canonical order",
                           .about = "Sorts the particles of each cell by their numbers, so that "
                                    "results repeat bit by bit.",
                           .queue =
                               [this](const StageRun& run) {
                                 if (run.measuring()) return;
                                 copy(moved_.data(), grid_.positions());
                                 copy(here_motions_.data(), grid_.payload());
                                 run.run<Step::canonical>(
                                     CanonicalArgs{.cells = grid_.cells(),
                                                   .positions = moved_.data(),
                                                   .motions = here_motions_.data(),
                                                   .sorted_positions = grid_.positions(),
                                                   .sorted_motions = grid_.payload()});
                               },
                           .work = [this] { return work(4 * sizeof(Vec4)); },
                           .repeatable = false});
  }
  StageId add_contacts() {
    return add_stage(
        {.name = "contacts",
         .title = "Contacts",
         .about =
             "Pushes each particle away from those of the 27 cells around it that it overlaps.",
         .work = [this] { return work(3 * sizeof(Vec4)); },
         .repeatable = false},
        [this](const StageRun& run, const ParticlePlan& plan) {
          if (run.measuring()) return;
          const bool tells = plan.tells_in(run);
          run.run<Step::contacts>(ContactsArgs{.rules = values_.device(),
                                               .cells = grid_.cells(),
                                               .motions = here_motions_.data(),
                                               .touches = tells ? touches_.data() : nullptr,
                                               .facts = tells ? facts_.data() : nullptr});
        });
  }
  // Work of a stage that moves at least so many bytes per particle.
  StageWork work(std::size_t bytes_each) const { return {setting_.n, setting_.n * bytes_each}; }

  std::vector<PointedSurface> surfaces() override;
  // The sphere that the ray meets before the mesh; one without a number: there is none. Waits.
  SphereHit sphere_before(const Ray& ray, const Hit& mesh);

  void add_outputs();
  Writer sphere_writer();
  Writer one_box_writer();
  std::vector<Vec4> read(const Vec4* from);
  ParticleState state();
  void check_spheres(DrawnCheck& check, const WrittenAt& at);
  std::vector<float> sphere_values(const std::vector<Vec4>& positions,
                                   const std::vector<DrawnSphere>& drawn);

  ParticleSetting setting_;
  Vertices vertices_;
  Elements elements_;
  StageId turn_;
  Tree tree_;
  FrameValues<ParticleRules> values_;
  FrameValues<Deformation> deformation_;
  Buffer<Vec4> here_motions_;  // by place, as the grid's positions
  Buffer<Vec4> moved_;
  Buffer<std::uint32_t> touches_;
  Buffer<ParticleFacts> facts_;
  Buffer<Ray> ray_;  // that points at spheres
  Buffer<std::uint64_t> nearest_;
  Buffer<SphereHit> hit_;
  StageId integrate_, mesh_contacts_;
  Grid grid_;
  StageId canonical_, contacts_;
  ReadBack<ParticleFacts> read_facts_;
  Aabb bounds_ = Aabb::empty();
  Buffer<Vertex> turned_;                            // from when the mesh first rocks
  std::size_t sphere_stream_ = 0, mesh_stream_ = 0;  // the first of each output
  bool is_single_ = false;                           // is the frame one substep?
  bool has_told_ = false;                            // are there facts of these particles?
  bool has_particles_ = false;
  double time_ = 0.0;
  double swing_time_ = 0.0;  // that the mesh has rocked for
};

void ParticleScene::add_outputs() {
  sphere_stream_ = add_output({.kind = OutputKind::spheres,
                               .name = "spheres",
                               .title = "Spheres",
                               .about = "The particles, in the colours that are chosen below.",
                               .key = '1',
                               .shown = true},
                              sphere_writer())
                       .stream;
  mesh_stream_ = add_surface({.name = "mesh",
                              .title = "Mesh",
                              .about = "The mesh that the particles fall on.",
                              .key = '2',
                              .shown = !setting_.is_sample},
                             {.name = "wire",
                              .title = "Wireframe",
                              .about = "The edges of all triangles of the mesh.",
                              .key = '3'},
                             surface_writer(vertices_, [this] { return mesh_vertices(plan()); }))
                     .stream;
  add_output({.kind = OutputKind::boxes,
              .name = "box",
              .title = "Box",
              .about = "The walls that hold the particles.",
              .key = '4',
              .shown = true,
              .dims_surfaces = false},
             one_box_writer());
  add_element_outputs(
      elements_, [this] { return plan().is_turned; }, '5', '6');
  add_picked_outputs('7', '8');
}

// Beside the spheres it leaves what the facts tell of them.
Writer ParticleScene::sphere_writer() {
  return {
      .streams = {{"spheres", sizeof(DrawnSphere), setting_.n}},
      .write =
          [this](const StageRun& run, const Targets& to) {
            run.run<Step::write_spheres>(
                WriteSpheresArgs{.rules = values_.device(),
                                 .cells = grid_.cells(),
                                 .motions = here_motions_.data(),
                                 .touches = touches_.data(),
                                 .colour = plan().colour,
                                 .fastest = fastest(),
                                 .out = to.stream<DrawnSphere>(),
                                 .command = to.command(),
                                 .facts = plan().tells ? facts_.data() : nullptr});
          },
      .work = [this](const Targets& to) { return work(2 * sizeof(Vec4) + (to.any() ? 16 : 0)); },
      .check = [this](DrawnCheck& check, const WrittenAt& at) { check_spheres(check, at); },
      .always = true};
}

Writer ParticleScene::one_box_writer() {
  return {
      .streams = {{"box", sizeof(Aabb), 1}},
      .write =
          [this](const StageRun& run, const Targets& to) {
            run.run<Step::write_one_box>(WriteOneBoxArgs{
                .box = &values_.device()->box, .out = to.stream<Aabb>(), .command = to.command()});
          },
      .work = [](const Targets&) { return StageWork{}; },
      .check =
          [this](DrawnCheck& check, const WrittenAt& at) {
            check.command(at.command, {vertices_per_box, 1, 0, 0, 0});
            check.stream(at.stream, std::vector<Aabb>{setting_.box});
          }};
}

std::vector<Legend> ParticleScene::legends() const {
  std::vector<Legend> legends = PointedScene::legends();
  legends.insert(legends.begin(), legend_of_spheres());
  return legends;
}

Legend ParticleScene::legend_of_spheres() const {
  using Scale = Legend::Scale;
  switch (static_cast<ParticleColour>(controls().choice("colour"))) {
    case ParticleColour::speed:
      return Legend{.output = spheres_output,
                    .title = "Speed",
                    .scale = Scale::sphere_ramp,
                    .most = double{fastest()},
                    .unit = setting_.is_sample ? "" : "per second",
                    .more = true};
    case ParticleColour::cell:
      return Legend{.output = spheres_output,
                    .title = "Cell",
                    .scale = Scale::sphere_hues,
                    .note = "one colour per cell"};
    case ParticleColour::slot:
      return Legend{.output = spheres_output,
                    .title = "Slot of the grid",
                    .scale = Scale::sphere_hues,
                    .note = "from first to last"};
    case ParticleColour::neighbours:
      return Legend{.output = spheres_output,
                    .title = "Neighbours",
                    .scale = Scale::sphere_ramp,
                    .most = most_neighbours,
                    .more = true};
  }
  return {};
}

double ParticleScene::slider_max(std::size_t control) const {
  const double most = Scene::slider_max(control);
  return control == controls().find("radius") ? std::min(most, setting_.most_radius) : most;
}

std::optional<double> ParticleScene::derived(std::size_t control) const {
  if (controls().value(control) != 0.0) return {};
  if (control == controls().find("radius")) return double{setting_.radius / setting_.half_side};
  if (control == controls().find("substeps")) return substeps(1.0 / 60.0);
  return {};
}

std::vector<Fact> ParticleScene::facts() const {
  const ParticleFacts& f = *read_facts_;
  const double born = std::max<double>(f.born, 1.0);
  const auto share = [](double part, double of) { return of > 0.0 ? part / of : 0.0; };
  return {
      {.name = "particles.born",
       .title = "Particles",
       .value = std::uint64_t{f.born},
       .tooltip = "Particles that are in the box by now."},
      {.name = "particles.radius",
       .title = "Radius",
       .value = double{setting_.radius},
       .tooltip = "Radius of each particle, in the units of the mesh."},
      {.name = "particles.substeps",
       .title = "Substeps",
       .value = std::uint64_t{substeps(1.0 / 60.0)},
       .tooltip = "Substeps per 1/60 s."},
      {.name = "particles.kinetic_energy",
       .title = "Kinetic energy",
       .value = f.kinetic_energy,
       .tooltip = "Kinetic energy; every particle has mass 1."},
      {.name = "particles.spring_energy",
       .title = "Spring energy",
       .value = f.spring_energy,
       .tooltip = "Energy of the overlaps in the last substep."},
      {.name = "particles.momentum",
       .title = "Momentum",
       .value = Vec3{static_cast<float>(f.momentum[0]), static_cast<float>(f.momentum[1]),
                     static_cast<float>(f.momentum[2])},
       .tooltip = "Sum of the velocities of all particles, each of mass 1."},
      {.name = "particles.deepest_overlap",
       .title = "Deepest overlap",
       .value = share(f.deepest, double{setting_.radius}),
       .unit = "radii",
       .tooltip = "Deepest overlap of two particles in the last substep."},
      {.name = "particles.neighbours",
       .title = "Neighbours",
       .value = static_cast<double>(f.touches) / born,
       .tooltip = "Average number of particles that a particle overlaps."},
      {.name = "particles.on_mesh",
       .title = "On the mesh",
       .value = std::uint64_t{f.on_mesh},
       .tooltip = "Particles that touch the mesh in the last substep."},
      {.name = "grid.cells_in_use",
       .title = "Occupied cells",
       .value = std::uint64_t{f.cells},
       .tooltip = "Cells that contain a particle. Cells that share a slot count once."},
      {.name = "grid.load_factor",
       .title = "Load factor",
       .value = share(f.cells, static_cast<double>(grid_.slots())),
       .tooltip = "Occupied cells / slots of the table, or cells of the box."},
      {.name = "bvh.triangles",
       .title = "Triangles",
       .value = std::uint64_t{tree_.triangle_count()},
       .tooltip = "Triangles of the mesh that the particles fall on."},
      {.name = "bvh.sah_cost",
       .title = "SAH cost",
       .value = tree_.statistics().sah_cost,
       .tooltip = "Expected number of BVH nodes of the mesh that a ray visits. Lower is better."},
  };
}

// What is on the device, by number.
std::vector<Vec4> ParticleScene::read(const Vec4* from) {
  Stream& stream = timeline().stream();
  std::vector<Vec4> to(setting_.n);
  if (!to.empty()) stream.copy(to.data(), from, to.size() * sizeof(Vec4), Copy::device_to_host);
  stream.synchronize();
  return to;
}

ParticleState ParticleScene::state() {
  collect();
  return by_number(read(grid_.positions()), read(here_motions_.data()));
}

// One more substep on the device, and the same sequentially from where it began.
std::vector<Check> ParticleScene::verify() {
  collect();
  const Vertices::Snapshot at_rest = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(at_rest);
  if (!checks.back().difference.empty()) return checks;

  const ParticleState before = state();
  constexpr double sixtieth = 1.0 / 60.0;
  const double seconds = sixtieth / substeps(sixtieth);
  const ParticleRules now = rules(1, seconds);
  is_single_ = true;
  queue({.seconds = seconds, .targets = std::vector<void*>(streams().size())});
  is_single_ = false;
  const ParticleState after = state();
  const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
  if (plan().is_turned) {
    const Deformation pose = swing_pose(setting_, swing_time_);
    checks.push_back({"turn", first_of({check_deformed(at_rest.vertices, tree.vertices, pose),
                                        elements_.check_deformed(pose)})});
  }
  if (!checks.back().difference.empty()) return checks;
  for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back({"cells", after.difference});
  checks.push_back(
      {"contacts", check_particle_step(before, after, now, has_obstacle() ? &tree : nullptr)});
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

// In the order in which they lie in cells.
void ParticleScene::check_spheres(DrawnCheck& check, const WrittenAt& at) {
  const std::uint32_t n = setting_.n;
  check.command(at.command, {6 * n, 1, 0, 0, 0});
  const std::vector<Vec4> positions = read(grid_.positions());
  std::vector<DrawnSphere> spheres = check.drawn().read<DrawnSphere>(at.stream, n);
  const std::vector<float> values = sphere_values(positions, spheres);
  for (std::size_t i = 0; i < n; ++i) {
    constexpr float most = 1e-5F;  // that kernels round otherwise
    const bool is_near = std::abs(spheres[i].value - values[i]) <= most;
    spheres[i] = {positions[i].xyz, is_near ? spheres[i].value : values[i]};
  }
  check.stream(at.stream, spheres);
}

// By place: what the colours say. Which slot a cell has is the grid's affair: all of a cell must
// have that of the first.
std::vector<float> ParticleScene::sphere_values(const std::vector<Vec4>& positions,
                                                const std::vector<DrawnSphere>& drawn) {
  const std::vector<Vec4> velocities = read(here_motions_.data());
  const std::vector<std::uint32_t> touches = touches_.download(timeline().stream());
  const float per_unit = grid_.cells().per_unit;
  const auto share = [](float part, float whole) { return std::min(part / whole, 1.0F); };
  const auto cell_along = [per_unit](float x) {
    return static_cast<std::int32_t>(std::floor(x * per_unit));
  };
  std::map<std::array<std::int32_t, 3>, float> slots;
  std::vector<float> values(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_born(positions[i])) continue;
    const Vec3 at = positions[i].xyz;
    const std::array cell = {cell_along(at.x), cell_along(at.y), cell_along(at.z)};
    switch (static_cast<ParticleColour>(controls().choice("colour"))) {
      case ParticleColour::speed:
        values[i] = share(length(velocities[i].xyz), fastest());
        break;
      case ParticleColour::neighbours:
        values[i] = share(static_cast<float>(touches[i]), most_neighbours);
        break;
      case ParticleColour::cell: {
        const auto bits = [&cell](std::size_t axis) {
          return static_cast<std::uint32_t>(cell[axis]);
        };
        values[i] =
            static_cast<float>(scramble(bits(0) ^ scramble(bits(1) ^ scramble(bits(2)))) >> 8U) *
            0x1p-24F;
        break;
      }
      case ParticleColour::slot:
        values[i] = slots.try_emplace(cell, std::clamp(drawn[i].value, 0.0F, 1.0F)).first->second;
        break;
    }
  }
  return values;
}

std::vector<PointedSurface> ParticleScene::surfaces() {
  return {{.tree = &tree_,
           .positions = mesh_vertices(plan()),
           .indices = vertices_.indices(),
           .material = vertices_.material(),
           .materials = mesh().materials,
           .is_drawn = is_drawn(mesh_stream_)}};
}

SphereHit ParticleScene::sphere_before(const Ray& ray, const Hit& mesh) {
  if (!is_drawn(sphere_stream_)) return {};
  Stream& stream = timeline().stream();
  ray_.upload(stream, {&ray, 1});
  timeline().run_step<Step::pick_sphere>({.ray = ray_.data(),
                                          .n = setting_.n,
                                          .radius = setting_.radius,
                                          .positions = grid_.positions(),
                                          .motions = here_motions_.data(),
                                          .nearest = nearest_.data(),
                                          .hit = hit_.data()});
  const SphereHit hit = hit_.download(stream).front();
  return mesh.is_there() && mesh.t() <= hit.t ? SphereHit{} : hit;
}

// The least that is told of a picked particle.
PickResult result_of(const Ray& ray, const SphereHit& sphere) {
  PickResult result{.facts = {{.name = "pick.particle",
                               .title = "Particle",
                               .value = std::uint64_t{sphere.number},
                               .tooltip = "Number of the particle that the ray hit, from 0."}}};
  result.hit(ray.origin + ray.direction * sphere.t);
  return result;
}

PickResult ParticleScene::glance(const Ray& ray) {
  const Hit mesh = trace(ray);
  const SphereHit sphere = sphere_before(ray, mesh);
  if (sphere.number == nothing_picked) return PointedScene::glance(ray, mesh);
  return result_of(ray, sphere);
}

PickResult ParticleScene::pick(const Ray& ray) {
  const Hit mesh = trace(ray);
  const SphereHit sphere = sphere_before(ray, mesh);
  if (sphere.number == nothing_picked) return PointedScene::pick(ray, mesh);
  PointedScene::pick(ray, Hit{});
  PickResult result = result_of(ray, sphere);
  result.facts.push_back({.name = "pick.centre",
                          .title = "Centre",
                          .value = sphere.centre,
                          .tooltip = "Centre of the particle."});
  result.facts.push_back({.name = "pick.velocity",
                          .title = "Velocity",
                          .value = sphere.velocity,
                          .tooltip = "Velocity of the particle, per second."});
  return result;
}

std::uint64_t ParticleScene::memory(const Mesh& mesh, const Controls& asked) {
  const ParticleSetting setting = setting_of(mesh, asked);
  const std::uint64_t triangles = mesh.triangle_count();
  const std::uint64_t turned = 3 * triangles * sizeof(Vertex);
  const std::uint64_t particles =
      std::uint64_t{setting.n} * (2 * sizeof(Vec4) + sizeof(std::uint32_t));
  return with_scratch(Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
                      Tree::bytes_needed(triangles) + turned + particles +
                      Grid::bytes_needed(setting.n, space_of(setting)));
}

}  // namespace

SceneKind particles_scene() {
  return scene_kind<ParticleScene>(
      {.name = "particles",
       .title = "Particles",
       .usage = "particles[:COUNT] [FILE]",
       .summary = "Spheres fall on each other by spatial hashing, and on a mesh by its BVH",
       .invitation = "Spheres fall on a mesh. Set Motion to Rocking, Colour to Cell.",
       .thumbnail = "particles:2000 --time 1.6",
       .controls = controls,
       .size_control = "count",
       .own_mesh = default_mesh});
}

}  // namespace warpview
