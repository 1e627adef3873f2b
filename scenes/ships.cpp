// The spaceships scene: a fleet that tasks grow box by box, by the scheduler of one's choice, and a
// BVH over its boxes.
//
//   grow (body -> body, wing, top -> duplicate ...) -> places -> gather -> bounds -> morton -> ...
//
// The number of simultaneous tasks is unknown in advance. The queues may turn out too
// small: what was refused is counted, the queues grow, and so does the fleet, again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/applications/ship_pieces.h"
#include "gpu/applications/ships.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/steps/pick.h"
#include "gpu/steps/random.h"
#include "gpu/steps/write.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/legends.h"
#include "scenes/parts/overlays.h"
#include "scenes/parts/picked.h"
#include "scenes/parts/scheduled_work.h"
#include "scenes/parts/ships_reference.h"
#include "scenes/parts/tree.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array formations = {"wedge", "mesh"};
constexpr std::array animations = {"off", "growing"};
constexpr std::array colourings = {"material", "ship", "step", "rank"};

constexpr std::array controls = {
    Control{.name = "ships",
            .title = "Ships",
            .tooltip = "Number of ships.",
            .effect = Effect::remake,
            .initial = 15,
            .least = 1,
            .most = 100'000,
            .whole = true,
            .logarithmic = true,
            .group = "Fleet"},
    Control{.name = "boxes",
            .title = "Boxes a ship",
            .tooltip = "Maximum number of boxes per ship. Bodies come first; wings and tops use "
                       "the rest, starting at the nose.",
            .effect = Effect::remake,
            .initial = 96,
            .least = 1,
            .most = 256,
            .whole = true,
            .logarithmic = true,
            .group = "Fleet"},
    Control{.name = "formation",
            .title = "Formation",
            .tooltip = "wedge: in a V behind the first ship. mesh: over the triangles of the open "
                       "mesh, scaled to fit.",
            .kind = Control::Kind::choice,
            .effect = Effect::remake,
            .choices = formations,
            .group = "Fleet"},
    Control{.name = "seed",
            .title = "Seed",
            .tooltip = "Seed of all random numbers: each gives another fleet.",
            .initial = 1,
            .most = 1'000'000,
            .whole = true,
            .group = "Growth"},
    Control{.name = "wings",
            .title = "Wings",
            .tooltip = "Probability that a body has wings, which varies by class of ship. 1: each "
                       "body between nose and engine has them.",
            .initial = 0.55,
            .group = "Growth"},
    Control{.name = "tops",
            .title = "Tops",
            .tooltip = "Probability of a top on a body: towers, cockpits, and fins on wings.",
            .initial = 0.5,
            .group = "Growth"},
    Control{.name = "animation",
            .title = "Animation",
            .tooltip = "off: the fleet grows once. growing: it grows again in each frame, with "
                       "more and more boxes, and starts over.",
            .kind = Control::Kind::choice,
            .choices = animations,
            .group = "Growth"},
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip =
                "material: the part that a box belongs to. ship: one colour per ship. step: number "
                "of tasks between the nose and a box. rank: a box's rank in Morton order.",
            .kind = Control::Kind::choice,
            .choices = colourings,
            .group = "Colour",
            .needs = {.output = "ships"}},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "BVH level drawn as boxes; 0 is the root.",
            .initial = 4,
            .most = 63,
            .whole = true,
            .group = "BVH boxes",
            .needs = {.output = "boxes"}},
    timeline_control,
};

// --- The fleet

constexpr float across = 12.0F;  // from ship to ship in a row
constexpr float behind = 11.0F;  // from row to row

// A row has one more than the row before it.
std::vector<Vec3> wedge(std::uint32_t ships) {
  std::vector<Vec3> places;
  places.reserve(ships);
  for (std::uint32_t row = 0; places.size() < ships; ++row)
    for (std::uint32_t i = 0; i <= row && places.size() < ships; ++i) {
      const auto number = static_cast<std::uint32_t>(places.size());
      const float up = number == 0 ? 0.0F : 2.0F * random_signed(number, 0, 0);
      places.push_back({across * (static_cast<float>(i) - 0.5F * static_cast<float>(row)), up,
                        -behind * static_cast<float>(row)});
    }
  return places;
}

// Over triangles that are as far apart by number, of a mesh as large as so many need.
std::vector<Vec3> over_mesh(const Mesh& mesh, std::uint32_t ships) {
  std::vector<Vec3> middles;
  Aabb bounds = Aabb::empty();
  for (std::size_t i = 0; i + 2 < mesh.corners.size(); i += 3) {
    const Vec3 middle = mesh.corners[i].position * (1.0F / 3.0F) +
                        mesh.corners[i + 1].position * (1.0F / 3.0F) +
                        mesh.corners[i + 2].position * (1.0F / 3.0F);
    constexpr float most = 1e18F;  // beyond it squares are infinite
    if (!(std::abs(middle.x) + std::abs(middle.y) + std::abs(middle.z) < most)) continue;
    middles.push_back(middle);
    bounds = merge(bounds, {middle, middle});
  }
  if (middles.empty()) return wedge(ships);
  const Vec3 half = (bounds.max - bounds.min) * 0.5F;
  const float radius = std::sqrt(dot(half, half));
  const float scale =
      radius > 0.0F ? 0.5F * across * std::sqrt(static_cast<float>(ships)) / radius : 0.0F;
  std::vector<Vec3> places;
  places.reserve(ships);
  for (std::uint64_t i = 0; i < ships; ++i)
    places.push_back((middles[i * middles.size() / ships] - bounds.centre()) * scale);
  return places;
}

// By ShipPart.
std::vector<Material> materials_of_parts() {
  return {{.name = "hull", .diffuse = {0.92F, 0.93F, 0.95F}, .specular = {0.35F, 0.35F, 0.35F}},
          {.name = "engine",
           .diffuse = {0.25F, 0.55F, 0.95F},
           .specular = {0.1F, 0.1F, 0.1F},
           .emissive = {0.20F, 0.60F, 1.0F}},
          {.name = "wing", .diffuse = {0.56F, 0.60F, 0.68F}, .specular = {0.3F, 0.3F, 0.3F}},
          {.name = "wing tip", .diffuse = {0.88F, 0.26F, 0.18F}},
          {.name = "top", .diffuse = {0.76F, 0.75F, 0.71F}},
          {.name = "cockpit",
           .diffuse = {0.10F, 0.22F, 0.34F},
           .specular = {0.9F, 0.9F, 0.9F},
           .shininess = 120.0F},
          {.name = "fin", .diffuse = {0.95F, 0.66F, 0.20F}}};
}
constexpr std::array part_names = {"body", "engine", "wing", "wing tip", "top", "cockpit", "fin"};

// No box is farther from its nose.
constexpr std::uint32_t last_step = [] {
  std::uint32_t most = 0;
  for (const ShipClass& of : ship_table)
    most = std::max(most, of.most_bodies - 1 + of.most_wings + 2);
  return most;
}();
static_assert(last_step < most_ship_steps);

// Where all items of a kind are made before any is executed, there is one for each ship at a time.
// Most schedulers do with far less.
std::vector<ScheduledWork::Procedure> procedures_of(std::uint64_t ships) {
  const std::uint32_t capacity =
      ScheduledWork::capacity_for(std::max<std::uint64_t>(ships / 2, 1024));
  std::vector<ScheduledWork::Procedure> procedures(
      ship_procedures, {.item_bytes = sizeof(ShipPiece), .capacity = capacity});
  constexpr std::array<const char*, ship_procedures> titles = {"Body", "Wing", "Top", "Duplicate"};
  for (std::size_t i = 0; i < titles.size(); ++i) procedures[i].title = titles[i];
  procedures[static_cast<std::size_t>(ShipWork::duplicate)].item_bytes =
      sizeof(ShipBox) + sizeof(std::uint32_t);
  return procedures;
}

struct ShipsPlan {
  bool grows = false;
  ShipColouring colouring{};
  bool is_traced = false;  // ScheduledWork::trace()

  bool operator==(const ShipsPlan&) const = default;
};

class ShipsScene final : public Planned<ShipsPlan> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  ShipsScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind),
        n_(static_cast<std::uint32_t>(controls()["ships"])),
        stride_(static_cast<std::uint32_t>(controls()["boxes"])),
        noses_(controls().choice("formation") == 1 ? over_mesh(mesh(), n_) : wedge(n_)),
        materials_(materials_of_parts()),
        values_(timeline().values<Values>()),
        noses_on_device_(timeline().device(), n_),
        slots_(timeline().device(), capacity()),
        counts_(timeline().device(), n_ + std::size_t{1}),
        first_(timeline().device(), n_ + std::size_t{1}),
        boxes_(timeline().device(), capacity()),
        tags_(timeline().device(), capacity()),
        work_(timeline(), {"a fleet of ships", "Choose fewer ships, or another scheduler"},
              procedures_of(n_)),
        grow_(add_grow()),
        places_(add_places()),
        gather_(add_gather()),
        tree_(timeline(),
              {.count = first_.data() + n_, .capacity = capacity(), .given = boxes_.data()}) {
    add_outputs();
    reserve();
    set_plan({.colouring = colouring()});
  }

  void load(LoadControl& control) override {
    Stream& stream = timeline().stream();
    noses_on_device_.upload(stream, noses_);
    // A box whose task a full queue refuses is none until the ships have grown in full.
    stream.fill(slots_.data(), 0, slots_.bytes());
    work_.clear(stream);
    run_phases(control, 3 + Tree::stages, [this] {
      values_now_ = values();
      values_now_.rules.most_boxes = stride_;  // whatever moment a frame shows: for the bounds
      values_.set(values_now_);
      compute();
    });
    grow_in_full();
    bounds_ = tree_.bounds().points;
    outline_ = outline_of_fleet();
  }

  // The outline of boxes around the noses, each as large as the bounds leave the outermost room.
  Outline outline_of_fleet() const {
    Aabb noses = Aabb::empty();
    for (const Vec3& nose : noses_) noses = merge(noses, {nose, nose});
    const Vec3 before = bounds_.min - noses.min;
    const Vec3 beyond = bounds_.max - noses.max;
    OutlineFinder finder;
    for (const Vec3& nose : noses_)
      for (unsigned corner = 0; corner < 8; ++corner)
        finder.add(nose + Vec3{(corner & 1U) != 0 ? beyond.x : before.x,
                               (corner & 2U) != 0 ? beyond.y : before.y,
                               (corner & 4U) != 0 ? beyond.z : before.z});
    return finder.found();
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (first <= grow_) run_grow();
    for (const StageId stage : {places_, gather_})
      if (first <= stage) timeline().run(stage);
    tree_.rebuild(first);
    timeline().queue_read_backs();
  }

  void reset() override { seconds_ = 0.0; }
  bool moving() const override { return controls().choice("animation") == 1; }
  bool can_skip_time() const override { return true; }

  void repeat(StageId stage) override {
    collect();
    make_room();
    if (stage == grow_)
      run_grow();
    else if (!tree_.repeat(stage))
      timeline().run(stage);
    timeline().queue_read_backs();
    collect();
  }
  bool repeats_alone(StageId /*stage*/) const override { return true; }

  ShipsPlan plan_frame(const Frame& frame) override {
    const bool was_short = make_room();
    work_.reserve();
    seconds_ = std::fmod(seconds_ + frame.seconds, seconds_to_grow + seconds_to_stay);
    const Values values = this->values();
    const bool moves = moving() && frame.seconds > 0.0;
    const bool is_traced = work_.trace(controls());
    const bool grows = was_short || !is_grown_ || moves || (is_traced && !plan().is_traced) ||
                       !same(values.rules, values_now_.rules);
    is_grown_ = is_grown_ && !grows;
    if (grows) picked_ = nothing_picked;  // its number may be another box's
    values_now_ = values;
    values_now_.picked = picked_;
    values_.set(values_now_);
    const Colouring by = colouring() == ShipColouring::material ? Colouring::material
                         : colouring() == ShipColouring::ship   ? Colouring::blocks
                                                                : Colouring::ramp;
    for (const std::size_t output : {ships_output, wire_output}) set_colouring(output, by);
    set_style(boxes_output, BoxStyle{.level = values.level});
    return {.grows = grows, .colouring = colouring(), .is_traced = is_traced};
  }

  void queue_stages(const ShipsPlan& plan) override {
    if (plan.grows) {
      timeline().run(grow_);
      timeline().run(places_);
      timeline().run(gather_);
      tree_.rebuild();
    }
    write();
  }

  void has_queued(const Frame& /*frame*/) override {
    if (!plan().grows) return;
    is_grown_ = true;
    work_.has_run(true);
  }

  bool lacks_room() const override { return work_.lacks_room(); }
  std::optional<BlocksAtWork> blocks_at_work() const override { return work_.blocks_at_work(); }
  Aabb bounds() const override { return bounds_; }
  Outline outline() const override { return outline_; }
  SceneMaterials materials() const override { return {materials_, {}}; }
  double slider_max(std::size_t control) const override {
    if (control == controls().find("level")) return std::max(1U, tree_.statistics().max_depth);
    return Scene::slider_max(control);
  }

  std::vector<Fact> facts() const override;
  std::vector<Legend> legends() const override;
  std::vector<Check> verify() override;
  PickResult pick(const Ray& ray) override;
  PickResult glance(const Ray& ray) override;

 private:
  enum OutputPlace : std::size_t { ships_output, wire_output, boxes_output };

  std::uint32_t box_level() const { return tree_.level_for(controls()["level"]); }

  std::optional<std::size_t> lit() const override {
    return picked_ != nothing_picked ? std::optional<std::size_t>(ships_output) : std::nullopt;
  }

  Legend legend_of_ships() const;
  struct Values {
    ShipRules rules;
    std::uint32_t level;
    std::uint32_t picked;  // a box
  };

  std::uint32_t capacity() const { return n_ * stride_; }
  ShipColouring colouring() const {
    return static_cast<ShipColouring>(controls().choice("colour_by"));
  }
  static bool same(const ShipRules& a, const ShipRules& b) {
    return a.seed == b.seed && a.most_boxes == b.most_boxes && a.wings == b.wings &&
           a.tops == b.tops;
  }
  Values values() const;

  void run_grow() {
    work_.reserve();
    timeline().run(grow_);
    work_.has_run(true);
  }
  // Larger queues where the last run's were too small. Were they?
  bool make_room() {
    if (!lacks_room()) return false;
    is_grown_ = false;
    work_.grow();
    return true;
  }
  // Grows until all boxes are there. Waits.
  void grow_in_full() {
    collect();
    while (make_room()) {
      compute();
      collect();
    }
  }
  StageId add_grow();
  StageId add_places();
  StageId add_gather();
  void add_outputs();
  Writer ship_writer();
  void check_ships(DrawnCheck& check, const WrittenAt& at);
  Writer path_writer();
  std::vector<float> drawn_values(const std::vector<std::uint32_t>& tags,
                                  const std::vector<std::uint32_t>& primitives) const;
  Tree::Traced trace(const Ray& ray) {
    collect();
    return is_drawn(ship_stream_) ? tree_.trace({.origin = ray.origin, .direction = ray.direction})
                                  : Tree::Traced{};
  }
  PickResult result_of(const Ray& ray, const RayHit& hit) const;

  static constexpr double seconds_to_grow = 6.0;
  static constexpr double seconds_to_stay = 2.0;

  std::uint32_t n_, stride_;
  std::vector<Vec3> noses_;
  std::vector<Material> materials_;
  FrameValues<Values> values_;
  Buffer<Vec3> noses_on_device_;
  Buffer<ShipBox> slots_;
  Buffer<std::uint32_t> counts_, first_;
  Buffer<Aabb> boxes_;
  Buffer<std::uint32_t> tags_;
  ScheduledWork work_;
  StageId grow_, places_, gather_;
  Tree tree_;
  std::size_t ship_stream_ = 0;  // the first
  WrittenAt level_;
  Values values_now_{};  // of the last frame
  Aabb bounds_ = Aabb::empty();
  Outline outline_;
  std::uint32_t picked_ = nothing_picked;
  bool is_grown_ = true;  // are the boxes those of values_now_?
  double seconds_ = 0.0;  // since the fleet began to grow
};

ShipsScene::Values ShipsScene::values() const {
  Values values{.rules = {.seed = static_cast<std::uint32_t>(controls()["seed"]),
                          .most_boxes = stride_,
                          .wings = static_cast<float>(controls()["wings"]),
                          .tops = static_cast<float>(controls()["tops"]),
                          .classes = {}},
                .level = box_level(),
                .picked = picked_};
  std::copy(std::begin(ship_table), std::end(ship_table), values.rules.classes);
  if (moving()) {
    const double share = std::min(seconds_ / seconds_to_grow, 1.0);
    values.rules.most_boxes = 1 + static_cast<std::uint32_t>(share * (stride_ - 1));
  }
  return values;
}

StageId ShipsScene::add_grow() {
  return work_.add_stage<Step::grow_ships>(
      "grow", "Grow ships", "Grows each ship box by box: a box spawns the next ones as tasks.",
      [this] {
        return GrowShipsArgs{.rules = &values_.device()->rules,
                             .n = n_,
                             .stride = stride_,
                             .slots = slots_.data(),
                             .counts = counts_.data()};
      },
      [this] {
        const std::uint64_t boxes = tree_.triangle_count();
        return StageWork{boxes, boxes * sizeof(ShipBox)};
      });
}

StageId ShipsScene::add_places() {
  return timeline().add(
      {.name = "places",
       .title = "Offsets (scan)",
       .about =
           "Scans the number of boxes of each ship, which gives each ship its place in the list.",
       .primitive = Primitive::scan,
       .queue =
           [this](const StageRun& run) {
             run.run<Primitive::scan>(ScanArgs{.in = counts_.data(),
                                               .out = first_.data(),
                                               .n = n_ + 1,
                                               .inclusive = false,
                                               .combine = ScanOperator::sum_u32});
           },
       .work =
           [this] {
             const double each = least_bytes(Primitive::scan, {.item = 4.0});
             return StageWork{n_ + std::uint64_t{1}, static_cast<std::uint64_t>(each * (n_ + 1))};
           }});
}

StageId ShipsScene::add_gather() {
  return timeline().add({.name = "gather",
                         .title = "Gather",
                         .about = "Copies the boxes of all ships to their places in one list.",
                         .queue =
                             [this](const StageRun& run) {
                               run.run<Step::gather_ships>(
                                   GatherShipsArgs{.slots = slots_.data(),
                                                   .first = first_.data(),
                                                   .places = noses_on_device_.data(),
                                                   .n = n_,
                                                   .stride = stride_,
                                                   .boxes = boxes_.data(),
                                                   .tags = tags_.data()});
                             },
                         .work =
                             [this] {
                               const std::uint64_t boxes = tree_.triangle_count();
                               return StageWork{boxes, 2 * boxes * sizeof(ShipBox)};
                             }});
}

void ShipsScene::add_outputs() {
  ship_stream_ =
      add_surface(
          {.name = "ships",
           .title = "Ships",
           .about = "The boxes of all ships.",
           .key = '1',
           .shown = true},
          {.name = "wire", .title = "Wireframe", .about = "The edges of the boxes.", .key = '2'},
          ship_writer())
          .stream;
  level_ = add_output(boxes_row('3'), box_writer(tree_, &values_.device()->level));
  add_output(curve_row('4'), curve_writer(tree_));
  add_output(
      {.kind = OutputKind::boxes,
       .name = "path",
       .title = "BVH path of the pick",
       .about =
           "The boxes of the BVH nodes from the root to the picked box, brighter with each step.",
       .key = '5',
       .shown = true,
       .style = BoxStyle{.is_path = true},
       .dims_surfaces = false},
      path_writer());
}

struct ShipStream {
  enum : std::size_t { vertices, indices, material, colours, values };
};

Writer ShipsScene::ship_writer() {
  const std::uint64_t boxes = capacity();
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  return {.streams = {{"vertices", sizeof(Vertex), box_corners * boxes},
                      {"indices", word, 3 * box_triangles * boxes},
                      {"material", word, box_triangles * boxes},
                      {"colours", word, 3 * box_triangles * boxes},
                      {"values", sizeof(float), box_triangles * boxes}},
          .write =
              [this](const StageRun& run, const Targets& to) {
                run.run<Step::write_ships>(
                    WriteShipsArgs{.count = tree_.count(),
                                   .boxes = boxes_.data(),
                                   .tags = tags_.data(),
                                   .primitives = tree_.primitives(),
                                   .n = capacity(),
                                   .colouring = plan().colouring,
                                   .last_step = last_step,
                                   .vertices = to.stream<Vertex>(ShipStream::vertices),
                                   .indices = to.stream<std::uint32_t>(ShipStream::indices),
                                   .material = to.stream<std::uint32_t>(ShipStream::material),
                                   .colours = to.stream<std::uint32_t>(ShipStream::colours),
                                   .values = to.stream<float>(ShipStream::values),
                                   .command = to.command()});
              },
          .work =
              [this](const Targets& to) {
                const std::uint64_t n = tree_.triangle_count();
                StageWork work;
                const auto add = [&](std::size_t stream, std::uint64_t items, std::size_t bytes,
                                     std::size_t read) {
                  if (to.stream(stream)) work = work + StageWork{items, items * bytes + n * read};
                };
                add(ShipStream::vertices, box_corners * n, sizeof(Vertex), sizeof(Aabb));
                add(ShipStream::indices, 3 * box_triangles * n, word, 0);
                add(ShipStream::material, box_triangles * n, word, word);
                add(ShipStream::colours, 3 * box_triangles * n, word, 0);
                if (plan().colouring != ShipColouring::material)
                  add(ShipStream::values, box_triangles * n, sizeof(float), 0);
                return work;
              },
          .check = [this](DrawnCheck& check, const WrittenAt& at) { check_ships(check, at); }};
}

Writer ShipsScene::path_writer() {
  return {.streams = {{"path", sizeof(Aabb), Bvh::longest_path}},
          .write =
              [this](const StageRun& run, const Targets& to) {
                if (!to.lit()) {
                  run.stream().fill(to.command(), 0, sizeof(DrawCommand));
                  return;
                }
                run.run<Step::write_path>(WritePathArgs{.count = tree_.count(),
                                                        .bvh = tree_.bvh(),
                                                        .depth = tree_.depth(),
                                                        .primitives = tree_.primitives(),
                                                        .picked = &values_.device()->picked,
                                                        .n = tree_.capacity(),
                                                        .out = to.stream<Aabb>(),
                                                        .command = to.command()});
              },
          .work = [](const Targets&) { return StageWork{}; },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                check.path(at.stream, at.command, tree_, values_now_.picked);
              }};
}

// --- What it tells

std::vector<Fact> ShipsScene::facts() const {
  const auto& executed = work_.status().executed;
  const auto items = [&executed](ShipWork work) {
    return std::uint64_t{executed[static_cast<std::size_t>(work)]};
  };
  const std::uint64_t boxes = tree_.triangle_count();
  std::vector<Fact> facts = {
      {.name = "ships.ships",
       .title = "Ships",
       .value = std::uint64_t{n_},
       .tooltip = "Ships of the fleet."},
      {.name = "ships.boxes",
       .title = "Boxes",
       .value = boxes,
       .tooltip = "Boxes that all ships are made of."},
      {.name = "ships.triangles",
       .title = "Triangles",
       .value = box_triangles * boxes,
       .tooltip = "Triangles of all boxes: 12 each."},
      {.name = "ships.bodies",
       .title = "Bodies",
       .value = items(ShipWork::body),
       .tooltip = "Body tasks, each of which made a box."},
      {.name = "ships.wings",
       .title = "Wings",
       .value = items(ShipWork::wing),
       .tooltip = "Wing tasks, each of which made a box of a right wing."},
      {.name = "ships.tops",
       .title = "Tops",
       .value = items(ShipWork::top),
       .tooltip = "Top tasks, each of which made a box; of fins the right ones."},
      {.name = "ships.duplicates",
       .title = "Duplicates",
       .value = items(ShipWork::duplicate),
       .tooltip = "Mirrored boxes on the left side."},
      {.name = "bvh.max_depth",
       .title = "Depth",
       .value = std::uint64_t{tree_.statistics().max_depth},
       .tooltip = "Depth of the deepest leaf of the BVH: the longest way from the root."},
      {.name = "bvh.sah_cost",
       .title = "SAH cost",
       .value = tree_.statistics().sah_cost,
       .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                  "root visits. Lower is better."},
  };
  work_.append_facts("ships", facts);
  if (is_wanted(level_.stream))
    facts.push_back(level_fact(box_level(), command_drawn(level_.command)));
  return facts;
}

std::vector<Legend> ShipsScene::legends() const {
  std::vector<Legend> legends = {legend_of_ships()};
  add_overlay_legends(*this,
                      {.items = tree_.triangle_count(),
                       .level = box_level(),
                       .is_picked = picked_ != nothing_picked},
                      legends);
  return legends;
}

Legend ShipsScene::legend_of_ships() const {
  switch (colouring()) {
    case ShipColouring::material: {
      Legend legend{.output = ships_output, .title = "Material", .scale = Legend::Scale::swatches};
      for (const Material& material : materials_)
        legend.swatches.push_back({.name = material.name, .colour = material.diffuse});
      return legend;
    }
    case ShipColouring::ship:
      return Legend{.output = ships_output,
                    .title = "Ship",
                    .scale = Legend::Scale::blocks,
                    .note = "neighbours differ"};
    case ShipColouring::step:
      return Legend{
          .output = ships_output, .title = "Steps from the nose", .most = double{last_step}};
    case ShipColouring::rank:
      return Legend{.output = ships_output,
                    .title = "Rank in Morton order",
                    .most = std::max(static_cast<double>(tree_.triangle_count()) - 1.0, 1.0)};
  }
  return {};
}

// The fleet grown once more, held against the same done sequentially; and the tree, as it is.
std::vector<Check> ShipsScene::verify() {
  collect();
  make_room();
  Stream& stream = timeline().stream();
  constexpr std::uint8_t spoiled = 0x5a;
  const auto run_all = [&] {
    stream.fill(slots_.data(), spoiled, slots_.bytes());
    stream.fill(counts_.data(), spoiled, counts_.bytes());
    stream.fill(first_.data(), spoiled, first_.bytes());
    stream.fill(boxes_.data(), spoiled, boxes_.bytes());
    stream.fill(tags_.data(), spoiled, tags_.bytes());
    run_grow();
    timeline().run(places_);
    timeline().run(gather_);
    timeline().queue_read_backs();
    collect();
  };
  run_all();
  while (make_room()) run_all();

  const ShipsReference expected = ships_one_by_one(values_now_.rules, n_);
  std::vector<Check> checks;
  const auto check = [&](const char* stage, std::initializer_list<std::string> differences) {
    checks.push_back({stage, first_of(differences)});
    return checks.back().difference.empty();
  };
  const std::vector<std::uint32_t> counts = counts_.download(stream, n_);
  const std::vector<ShipBox> slots = slots_.download(stream, capacity());
  std::vector<Aabb> grown, wanted, placed;
  std::vector<std::uint32_t> grown_tags, wanted_tags, starts;
  std::uint32_t start = 0;
  for (std::uint32_t ship = 0; ship < n_; ++ship) {
    starts.push_back(start);
    for (std::uint32_t i = 0; i < expected.counts[ship]; ++i) {
      const ShipBox& is = slots[std::size_t{ship} * stride_ + i];
      const ShipBox& should_be = expected.boxes[start + i];
      grown.push_back(is.box);
      grown_tags.push_back(is.tag);
      wanted.push_back(should_be.box);
      wanted_tags.push_back(should_be.tag);
      placed.push_back({should_be.box.min + noses_[ship], should_be.box.max + noses_[ship]});
    }
    start += expected.counts[ship];
  }
  starts.push_back(start);
  constexpr std::array names = {"bodies", "wings", "tops", "duplicates"};
  std::string executed;
  for (std::size_t i = 0; i < ship_procedures && executed.empty(); ++i)
    executed = difference(fmt::format("the number of {}", names[i]),
                          std::uint64_t{work_.status().executed[i]}, expected.executed[i]);
  if (!check("grow", {difference("the number of boxes of ship", counts, expected.counts),
                      difference("box", grown, wanted),
                      difference("the description of box", grown_tags, wanted_tags), executed}))
    return checks;
  if (!check("places", {difference("the first box of ship",
                                   first_.download(stream, n_ + std::size_t{1}), starts)}))
    return checks;
  placed.resize(capacity(), Aabb::empty());
  if (!check("gather",
             {difference("box", boxes_.download(stream, capacity()), placed),
              difference("the description of box", tags_.download(stream, start), wanted_tags)}))
    return checks;
  for (Check& each : tree_.verify(tree_.snapshot(0))) checks.push_back(std::move(each));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

void ShipsScene::check_ships(DrawnCheck& check, const WrittenAt& at) {
  const Tree::Snapshot& tree = check.snapshot(tree_);
  const auto count = static_cast<std::uint32_t>(tree.boxes.size());
  const std::vector<std::uint32_t> tags = check.read(tags_.data(), count);
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices, material, colours;
  for (std::uint32_t box = 0; box < count; ++box) {
    for (std::uint32_t k = 0; k < box_corners; ++k)
      vertices.push_back(box_vertex(tree.boxes[box], k));
    for (std::uint32_t k = 0; k < 3 * box_triangles; ++k) {
      indices.push_back(box_corners * box + box_index(k));
      colours.push_back(ship_colour(tags[box]));
    }
    material.insert(material.end(), box_triangles,
                    static_cast<std::uint32_t>(ship_part(tags[box])));
  }
  check.command(at.command, {static_cast<std::uint32_t>(indices.size()), 1, 0, 0, 0});
  check.stream(at.stream + ShipStream::vertices, vertices);
  check.stream(at.stream + ShipStream::indices, indices);
  check.stream(at.stream + ShipStream::material, material);
  check.stream(at.stream + ShipStream::colours, colours);
  if (plan().colouring != ShipColouring::material)
    check.shares(at.stream + ShipStream::values, drawn_values(tags, tree.primitives));
}

// A value of each triangle.
std::vector<float> ShipsScene::drawn_values(const std::vector<std::uint32_t>& tags,
                                            const std::vector<std::uint32_t>& primitives) const {
  std::vector<float> of_boxes(tags.size());
  const auto last_rank = static_cast<float>(std::max<std::size_t>(tags.size(), 2) - 1);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (plan().colouring == ShipColouring::rank)
      of_boxes[primitives[i]] = static_cast<float>(i) / last_rank;
    else
      of_boxes[i] = plan().colouring == ShipColouring::ship
                        ? ship_hue(ship_number(tags[i]))
                        : static_cast<float>(ship_step(tags[i])) / static_cast<float>(last_step);
  }
  std::vector<float> values;
  for (const float value : of_boxes) values.insert(values.end(), box_triangles, value);
  return values;
}

PickResult ShipsScene::result_of(const Ray& ray, const RayHit& hit) const {
  Stream& stream = timeline().stream();
  std::uint32_t tag = 0;
  stream.copy(&tag, tags_.data() + hit.triangle, sizeof tag, Copy::device_to_host);
  stream.synchronize();
  PickResult result{
      .facts = {{.name = "pick.ship",
                 .title = "Ship",
                 .value = std::uint64_t{ship_number(tag)},
                 .tooltip = "Number of the ship that the ray hit, from 0."},
                {.name = "pick.part",
                 .title = "Part",
                 .value = std::string(part_names[static_cast<std::size_t>(ship_part(tag))]),
                 .tooltip = "The part of the ship that the box belongs to."}}};
  result.hit(ray.origin + ray.direction * hit.t);
  result.facts.push_back({.name = "pick.step",
                          .title = "Step",
                          .value = std::uint64_t{ship_step(tag)},
                          .tooltip = "Number of tasks between the nose and this box."});
  return result;
}

PickResult ShipsScene::glance(const Ray& ray) {
  const RayHit hit = trace(ray).hit;
  if (hit.triangle == RayHit::nothing) return {};
  PickResult result = result_of(ray, hit);
  result.facts.pop_back();
  return result;
}

PickResult ShipsScene::pick(const Ray& ray) {
  const Tree::Traced traced = trace(ray);
  picked_ = traced.hit.triangle == RayHit::nothing ? nothing_picked : traced.hit.triangle;
  if (picked_ == nothing_picked) return {};
  PickResult result = result_of(ray, traced.hit);
  const LeafPlace leaf = tree_.leaf_of(picked_);
  const std::uint64_t code = tree_.code_of(picked_);
  const std::vector<Fact> more = {
      {.name = "pick.box",
       .title = "Box",
       .value = std::uint64_t{picked_},
       .tooltip = "Its index: ship by ship, starting at the nose."},
      {.name = "pick.code",
       .title = "Morton code",
       .value = fmt::format("{:#x}", code),
       .tooltip = "Code of the box's centre."},
      {.name = "pick.code_path",
       .title = "Code bits",
       .value = morton_path(code, tree_.code_bits()),
       .tooltip = morton_path_about},
      {.name = "pick.leaf",
       .title = "Leaf",
       .value = std::uint64_t{leaf.rank},
       .tooltip = "Its index among the leaves in Morton order, from 0."},
      {.name = "pick.depth",
       .title = "Depth",
       .value = std::uint64_t{leaf.depth},
       .tooltip = "Number of BVH edges from the root to this leaf. The boxes on the path are "
                  "drawn, brighter at each step."},
      {.name = "pick.visited",
       .title = "Boxes tested",
       .value = std::uint64_t{traced.steps.nodes},
       .tooltip =
           "Boxes of nodes that the ray was tested against before the nearest hit was certain."}};
  result.facts.insert(result.facts.end(), more.begin(), more.end());
  return result;
}

// With queues of twice their first size.
std::uint64_t ShipsScene::memory(const Mesh& /*mesh*/, const Controls& asked) {
  const auto ships = static_cast<std::uint64_t>(asked["ships"]);
  const std::uint64_t boxes = ships * static_cast<std::uint64_t>(asked["boxes"]);
  const std::uint64_t kept = sizeof(ShipBox) + sizeof(Aabb) + sizeof(std::uint32_t);
  const std::uint64_t queues = 2 * ScheduledWork::queue_bytes(procedures_of(ships));
  return with_scratch(boxes * kept + ships * 5 * sizeof(std::uint32_t) + Tree::bytes_needed(boxes) +
                      queues);
}

}  // namespace

SceneKind ships_scene() {
  return scene_kind<ShipsScene>(
      {.name = "ships",
       .title = "Spaceships",
       .usage = "ships[:SHIPS] [FILE]",
       .summary = "A fleet that grows box by box, by a scheduler of dynamically generated work",
       .invitation = "A fleet, each ship grown box by box. Click a box, zoom out.",
       .thumbnail = "ships:5",
       .controls = controls,
       .size_control = "ships",
       .own_mesh = default_mesh,
       .needs_for_mesh = {.control = "formation", .values = {"mesh"}}});
}

}  // namespace warpview
