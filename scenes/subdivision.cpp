// The subdivision scene: a mesh of polygons is divided by Catmull and Clark's rules until it is
// smooth, by the scheduler of one's choice; what comes of it is a mesh like any other, with a tree.
//
//   once:           points of the first steps
//   when it is due: levels -> subdivide (poly-patch -> quad-patch -> regular-patch) -> tree
//   each frame:     write
//
// It is due when what is wanted has changed: of faces that are divided by their size on the screen,
// with the view.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gpu/applications/subdivision.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/legends.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/polygons.h"
#include "scenes/parts/scheduled_work.h"
#include "scenes/parts/subdivision_reference.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array colourings = {"material", "normal", "faces",  "patches",
                                   "kind",     "level",  "valence"};

constexpr std::array controls = {
    Control{
        .name = "triangles",
        .title = "Triangles",
        .tooltip =
            "Maximum number of triangles. If the level needs more, all faces are subdivided less.",
        .effect = Effect::remake,
        .initial = 1U << 20U,
        .least = 1024,
        .most = 1U << 25U,
        .whole = true,
        .logarithmic = true,
        .group = "Subdivision"},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "Subdivision level of each face; the maximum if adaptive.",
            .effect = Effect::remake,
            .initial = 4,
            .least = 0,
            .most = most_subdivision_level,
            .whole = true,
            .group = "Subdivision"},
    Control{.name = "adaptive",
            .title = "Adaptive",
            .tooltip = "Subdivides faces until their edges on the screen are short enough. Off: "
                       "all faces have the same level.",
            .kind = Control::Kind::toggle,
            .effect = Effect::plan,
            .group = "Subdivision"},
    Control{
        .name = "size",
        .title = "Edge length",
        .tooltip = "Maximum length of a triangle's edges on the screen, for adaptive subdivision.",
        .initial = 12,
        .least = 1,
        .most = 200,
        .logarithmic = true,
        .unit = "pixels",
        .group = "Subdivision",
        .needs = {.control = "adaptive", .values = {"on"}}},
    Control{.name = "pairs",
            .title = "Pair triangles",
            .tooltip = "Merges two consecutive triangles into a quad if they form one. Off: each "
                       "is a face of three corners.",
            .kind = Control::Kind::toggle,
            .effect = Effect::remake,
            .initial = 1,
            .group = "Faces"},
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip = "faces: each face of the input. patches: each patch drawn at once. kind: "
                       "regular after one step, later, or never. level: subdivision level. "
                       "valence: number of edges at the nearest vertex of the input.",
            .kind = Control::Kind::choice,
            .choices = colourings,
            .group = "Colour",
            .needs = {.output = "mesh"}},
    timeline_control,
};

// What a surface of such faces comes to, all divided so often.
std::uint64_t triangles_of(std::uint64_t corners, std::uint64_t faces, std::uint32_t level) {
  return level == 0 ? corners - 2 * faces : 2 * corners << (2 * (level - 1));
}
// Room for triangles.
std::uint64_t room_of(std::uint64_t corners, std::uint64_t faces, const Controls& asked) {
  const auto most = static_cast<std::uint64_t>(asked["triangles"]);
  const std::uint64_t all =
      triangles_of(corners, faces, static_cast<std::uint32_t>(asked["level"]));
  return all <= most ? all : std::max(most, triangles_of(corners, faces, 0));
}
std::uint32_t ring_levels(const Controls& asked) {
  return std::max(static_cast<std::uint32_t>(asked["level"]), 1U);
}

// All centres are there at once; a quarter of what they beget is.
std::vector<ScheduledWork::Procedure> procedures_of(std::uint64_t centres, std::uint64_t corners) {
  constexpr std::uint32_t words_of_place = 7;
  const auto bytes = [](std::uint32_t words) {
    return words * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  };
  return {{.title = "Poly-Patch",
           .levels = 1,
           .item_bytes = bytes(1),
           .capacity = ScheduledWork::capacity_for(centres)},
          {.title = "Quad-Patch",
           .levels = 1,
           .item_bytes = bytes(words_of_place + 3 * 7),
           .capacity = ScheduledWork::capacity_for(corners)},
          {.title = "Regular-Patch",
           .levels = 1,
           .item_bytes = bytes(words_of_place + 3 * 16),
           .capacity = ScheduledWork::capacity_for(corners)}};
}

// A SubdivisionMesh on the device.
class MeshOnDevice {
 public:
  MeshOnDevice(Device& device, const Polygons& polygons)
      : polygons_(polygons), positions_(device, polygons.positions.size()) {
    for (std::size_t i = 0; i < tables.size(); ++i)
      tables_[i] = {device, (polygons.*tables[i]).size()};
  }
  void upload(Stream& stream) {
    positions_.upload_much(stream, polygons_.positions);
    for (std::size_t i = 0; i < tables.size(); ++i)
      tables_[i].upload_much(stream, polygons_.*tables[i]);
  }
  SubdivisionMesh view() const {
    SubdivisionMesh mesh = polygons_.view();
    mesh.positions = positions_.data();
    mesh.face_begin = tables_[0].data();
    mesh.vertex = tables_[1].data();
    mesh.edge = tables_[2].data();
    mesh.face = tables_[3].data();
    mesh.sector = tables_[4].data();
    mesh.fan_begin = tables_[5].data();
    mesh.fan = tables_[6].data();
    mesh.edge_corners = tables_[7].data();
    mesh.material = tables_[8].data();
    return mesh;
  }

 private:
  static constexpr std::array<std::vector<std::uint32_t> Polygons::*, 9> tables = {
      &Polygons::face_begin, &Polygons::vertex,       &Polygons::edge,
      &Polygons::face,       &Polygons::sector,       &Polygons::fan_begin,
      &Polygons::fan,        &Polygons::edge_corners, &Polygons::material};
  const Polygons& polygons_;
  Buffer<Vec3> positions_;
  std::array<Buffer<std::uint32_t>, tables.size()> tables_;
};

struct SubdivisionPlan {
  bool is_due = false;     // is the surface to be made again?
  bool is_traced = false;  // ScheduledWork::trace()

  bool operator==(const SubdivisionPlan&) const = default;
};

class SubdivisionScene final : public Planned<SubdivisionPlan, PointedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  SubdivisionScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, checked(request, kind)),
        polygons_(polygons_of(mesh(), controls().on("pairs"))),
        host_mesh_(polygons_.view()),
        most_triangles_(
            static_cast<std::uint32_t>(room_of(host_mesh_.corners, host_mesh_.faces, controls()))),
        most_vertices_(most_triangles_ + host_mesh_.centres() + host_mesh_.edges),
        on_device_(timeline().device(), polygons_),
        values_(timeline().values<SubdivisionView>()),
        vertex_points_(timeline().device(), host_mesh_.vertices),
        edge_points_(timeline().device(), host_mesh_.edges),
        face_points_(timeline().device(), host_mesh_.faces),
        second_points_(timeline().device(), host_mesh_.centres()),
        edge_levels_(timeline().device(), host_mesh_.edges),
        face_levels_(timeline().device(), host_mesh_.faces),
        places_(timeline().device(),
                std::size_t{host_mesh_.edges} + 2 * std::size_t{host_mesh_.faces} + 1),
        totals_(timeline().device(), 2 * (std::size_t{most_subdivision_level} + 1)),
        lowered_(timeline().device(), 1),
        rings_(timeline().device(),
               ring_levels(controls()) *
                   subdivision_ring_places(host_mesh_.corners, host_mesh_.centres())),
        vertices_(timeline().device(), most_vertices_),
        indices_(timeline().device(), 3 * std::size_t{most_triangles_}),
        material_(timeline().device(), most_triangles_),
        of_values_(timeline().device(), most_triangles_),
        of_faces_(timeline().device(), most_triangles_),
        cage_(timeline().device(), 2 * std::size_t{host_mesh_.edges}),
        cage_colours_(timeline().device(), 2 * std::size_t{host_mesh_.edges}),
        counts_(timeline().device(), 1),
        work_(timeline(),
              {"a surface of these faces", "Choose a lower level, or another scheduler"},
              procedures_of(host_mesh_.centres(), host_mesh_.corners)) {
    add_stages();
    add_outputs();
    read_counts_ = timeline().read_back(counts_.data());
    read_lowered_ = timeline().read_back(lowered_.data());
    look_from({});
    reserve();
  }

  void load(LoadControl& control) override {
    Stream& stream = timeline().stream();
    on_device_.upload(stream);
    upload_cage();
    work_.clear(stream);
    stream.fill(counts_.data(), 0, counts_.bytes());
    stream.fill(lowered_.data(), 0, lowered_.bytes());
    run_phases(control, 3 + Tree::stages, [this] {
      values_.set(view_);
      timeline().run(points_);
      subdivide_all();
      timeline().queue_read_backs();
    });
    subdivide_in_full();
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (first <= subdivide_)
      subdivide_all(first);
    else
      tree_->rebuild(first);
    timeline().queue_read_backs();
  }

  void repeat(StageId stage) override {
    collect();
    if (lacks_room()) grow();
    if (!tree_->repeat(stage)) {
      work_.reserve();
      timeline().run(stage);
      if (stage == subdivide_) work_.has_run(true);
    }
    timeline().queue_read_backs();
    collect();
  }

  bool repeats_alone(StageId stage) const override { return tree_->repeats_alone(stage); }

  SubdivisionPlan plan_frame(const Frame& frame) override {
    if (lacks_room()) grow();
    work_.reserve();
    look_from(frame.view);
    values_.set(view_);
    set_styles();
    const bool is_traced = work_.trace(controls());
    return {.is_due = !is_current_ || (is_traced && !plan().is_traced) || !same(view_, of_view_),
            .is_traced = is_traced};
  }

  void queue_stages(const SubdivisionPlan& plan) override {
    if (plan.is_due) {
      timeline().run(levels_);
      timeline().run(subdivide_);
      tree_->rebuild();
    }
    write();
  }

  void has_queued(const Frame& /*frame*/) override {
    if (plan().is_due) has_subdivided();
  }

  bool depends_on_view() const override { return is_adaptive(); }
  bool lacks_room() const override { return work_.lacks_room(); }
  std::optional<BlocksAtWork> blocks_at_work() const override { return work_.blocks_at_work(); }
  Aabb bounds() const override {
    return polygons_.bounds.is_empty() ? Aabb{{-1, -1, -1}, {1, 1, 1}} : polygons_.bounds;
  }
  std::vector<Legend> legends() const override;

  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;

 private:
  enum OutputPlace : std::size_t { mesh_output, edges_output };

  std::optional<Legend> legend_of_surface() const;

  // Before anything is made of it.
  static const SceneKind& checked(const SceneRequest& request, const SceneKind& kind) {
    const Mesh& mesh = *request.mesh;
    constexpr std::uint64_t most = std::uint64_t{1} << 27U;
    if (mesh.triangle_count() > most)
      throw Error(
          fmt::format("subdivision of {} triangles", mesh.triangle_count()),
          fmt::format(
              "the limit is {}, as 32-bit numbers must hold all that subdivision makes of them",
              most),
          "Open a smaller mesh");
    return kind;
  }
  static bool same(const SubdivisionView& a, const SubdivisionView& b) {
    const bool is_same = a.adapts == b.adapts && a.level == b.level && a.colouring == b.colouring;
    if (!is_same || a.adapts == 0) return is_same;
    return a.eye.x == b.eye.x && a.eye.y == b.eye.y && a.eye.z == b.eye.z && a.pixels == b.pixels &&
           a.size == b.size;
  }

  bool is_adaptive() const { return controls().on("adaptive"); }
  SubdivisionColouring colouring() const {
    return static_cast<SubdivisionColouring>(controls().choice("colour_by"));
  }
  bool has_values() const { return colouring() >= SubdivisionColouring::faces; }

  void look_from(const FrameView& seen);
  void set_styles();
  static constexpr std::uint32_t cage_colour = 0xff40a0ffU;  // orange
  std::vector<Vertex> cage_ends() const;
  void upload_cage();
  void add_stages();
  void add_outputs();
  Writer value_writer();
  Writer cage_writer();
  SubdivisionPoints points() const {
    return {vertex_points_.data(), edge_points_.data(), face_points_.data(), second_points_.data()};
  }
  SubdivisionLevels levels() const {
    return {edge_levels_.data(), face_levels_.data(), places_.data(), totals_.data(),
            lowered_.data()};
  }

  // From a stage on: those before it have left what the view asks for.
  void subdivide_all(StageId first = {}) {
    work_.reserve();
    if (first <= levels_) timeline().run(levels_);
    timeline().run(subdivide_);
    tree_->rebuild();
    has_subdivided();
  }
  void has_subdivided() {
    work_.has_run(true);
    tree_->set_current(true);
    is_current_ = true;
    of_view_ = view_;
  }
  void grow() {
    is_current_ = false;
    work_.grow();
  }
  // Until nothing was refused. Waits.
  void subdivide_in_full() {
    while (lacks_room()) {
      grow();
      subdivide_all();
      timeline().queue_read_backs();
      collect();
    }
  }

  std::vector<PointedSurface> surfaces() override {
    return {{.tree = &*tree_,
             .positions = vertices_.data(),
             .indices = indices_.data(),
             .material = material_.data(),
             .materials = mesh().materials}};
  }
  std::vector<Fact> more_of(std::size_t surface, std::uint32_t triangle) const override;

  Polygons polygons_;
  SubdivisionMesh host_mesh_;
  std::uint32_t most_triangles_, most_vertices_;
  MeshOnDevice on_device_;
  FrameValues<SubdivisionView> values_;
  Buffer<Vec3> vertex_points_, edge_points_, face_points_, second_points_;
  Buffer<std::uint32_t> edge_levels_, face_levels_, places_;
  Buffer<std::uint64_t> totals_;
  Buffer<std::uint32_t> lowered_;
  Buffer<Vec3> rings_;
  Buffer<Vertex> vertices_;
  Buffer<std::uint32_t> indices_, material_;
  Buffer<float> of_values_;
  Buffer<std::uint32_t> of_faces_;
  Buffer<Vertex> cage_;
  Buffer<std::uint32_t> cage_colours_;
  Buffer<MeshCounts> counts_;
  ScheduledWork work_;
  StageId points_{}, levels_{}, subdivide_{};
  std::optional<Tree> tree_;
  ReadBack<MeshCounts> read_counts_;
  ReadBack<std::uint32_t> read_lowered_;
  std::size_t cage_command_ = 0;
  SubdivisionView view_{};     // of the last frame
  SubdivisionView of_view_{};  // by which the surface was made
  bool is_current_ = false;
};

void SubdivisionScene::look_from(const FrameView& seen) {
  view_.level = static_cast<std::uint32_t>(controls()["level"]);
  view_.adapts = is_adaptive() ? 1 : 0;
  view_.size = static_cast<float>(controls()["size"]);
  view_.colouring = colouring();
  if (seen.width > 0) {
    view_.eye = seen.eye;
    // What is as long as it is far away, across the middle of the view.
    const Vec3 up{seen.to_clip[1], seen.to_clip[5], seen.to_clip[9]};
    view_.pixels = std::sqrt(dot(up, up)) * 0.5F * static_cast<float>(seen.height);
    return;
  }
  // Without a camera: from the front, of all of it.
  const Aabb box = bounds();
  const Vec3 half = box.max * 0.5F - box.min * 0.5F;
  view_.eye = box.centre() + Vec3{0.0F, 0.0F, 3.2F * std::sqrt(dot(half, half))};
  constexpr float focal = 3.0F;
  constexpr float height = 480.0F;
  view_.pixels = focal * 0.5F * height;
}

void SubdivisionScene::set_styles() {
  Colouring by = Colouring::material;
  switch (colouring()) {
    case SubdivisionColouring::material:
      break;
    case SubdivisionColouring::normal:
      by = Colouring::normal;
      break;
    case SubdivisionColouring::faces:
    case SubdivisionColouring::patches:
      by = Colouring::blocks;
      break;
    case SubdivisionColouring::kind:
    case SubdivisionColouring::level:
    case SubdivisionColouring::valence:
      by = Colouring::ramp;
      break;
  }
  for (const OutputPlace output : {mesh_output, edges_output}) set_colouring(output, by);
}

// The edges of the input.
std::vector<Vertex> SubdivisionScene::cage_ends() const {
  std::vector<Vertex> ends;
  ends.reserve(cage_.size());
  for (std::uint32_t e = 0; e < host_mesh_.edges; ++e) {
    const std::uint32_t corner = polygons_.edge_corners[2 * std::size_t{e}];
    for (const std::uint32_t c : {corner, host_mesh_.next(corner)})
      ends.push_back({polygons_.positions[polygons_.vertex[c]], {0.0F, 0.0F, 1.0F}, {0.0F, 0.0F}});
  }
  return ends;
}

void SubdivisionScene::upload_cage() {
  const std::vector<Vertex> ends = cage_ends();
  const std::vector<std::uint32_t> colours(cage_.size(), cage_colour);
  const DrawCommand lines{static_cast<std::uint32_t>(cage_.size()), 1, 0, 0, 0};
  Stream& stream = timeline().stream();
  stream.copy(command(cage_command_), &lines, sizeof lines, Copy::host_to_device);
  if (cage_.size() > 0) {
    cage_.upload(stream, ends);
    cage_colours_.upload(stream, colours);
  }
  stream.synchronize();
}

void SubdivisionScene::add_stages() {
  points_ = timeline().add({.name = "points",
                            .title = "First steps",
                            .about = "Computes the points of faces, edges and vertices after the "
                                     "first two steps of Catmull-Clark.",
                            .queue =
                                [this](const StageRun& run) {
                                  run.run<Step::subdivision_points>(SubdivisionPointsArgs{
                                      .mesh = on_device_.view(), .points = points()});
                                },
                            .work =
                                [this] {
                                  const std::uint64_t n = std::uint64_t{host_mesh_.centres()} +
                                                          host_mesh_.edges + host_mesh_.centres();
                                  return StageWork{n, 2 * n * sizeof(Vec3)};
                                }});
  levels_ = timeline().add(
      {.name = "levels",
       .title = "Levels, offsets",
       .about = "Chooses how far each face is divided. A scan gives its vertices and triangles "
                "their places.",
       .primitive = Primitive::scan,
       .queue =
           [this](const StageRun& run) {
             const BackendTable& table = run.stream().device().table();
             run.run<Step::subdivision_levels>(SubdivisionLevelsArgs{
                 .mesh = on_device_.view(),
                 .points = vertex_points_.data(),
                 .view = values_.device(),
                 .levels = levels(),
                 .most_triangles = most_triangles_,
                 .most_vertices = most_vertices_,
                 .counts = counts_.data(),
                 .scan = table.get<Primitive::scan>(timeline().chosen(levels_).value())});
           },
       .work =
           [this] {
             const std::uint64_t n = places_.size();
             return StageWork{n, n * 4 * sizeof(std::uint32_t)};
           }});
  subdivide_ = work_.add_stage<Step::subdivide>(
      "subdivide", "Subdivide",
      "Divides the patches: one spawns smaller ones as tasks, until they can be evaluated.",
      [this] {
        return SubdivisionArgs{.mesh = on_device_.view(),
                               .points = points(),
                               .levels = levels(),
                               .view = values_.device(),
                               .rings = rings_.data(),
                               .surface = {.vertices = vertices_.data(),
                                           .indices = indices_.data(),
                                           .material = material_.data(),
                                           .values = of_values_.data(),
                                           .face = of_faces_.data()},
                               .most_triangles = most_triangles_,
                               .most_vertices = most_vertices_};
      },
      [this] {
        const MeshCounts& counts = *read_counts_;
        return StageWork{counts.triangles,
                         counts.vertices * sizeof(Vertex) +
                             std::uint64_t{counts.triangles} * 6 * sizeof(std::uint32_t)};
      });
  tree_.emplace(timeline(), Tree::Triangles{.vertices = vertices_.data(),
                                            .indices = indices_.data(),
                                            .count = &counts_.data()->triangles,
                                            .capacity = most_triangles_});
}

void SubdivisionScene::add_outputs() {
  const WrittenAt surface = add_surface(
      {.name = "mesh",
       .title = "Surface",
       .about = "The smooth surface, in the colours that are chosen below.",
       .key = '1',
       .shown = true},
      {.name = "wire",
       .title = "Wireframe",
       .about = "The edges of the triangles that the surface is made of.",
       .key = '2'},
      surface_writer(
          {.vertices = most_vertices_, .triangles = most_triangles_, .each_frame = true}, "",
          [this] {
            return SurfaceArrays{.vertices = vertices_.data(),
                                 .counts = counts_.data(),
                                 .indices = indices_.data(),
                                 .material = material_.data()};
          },
          [this] { return *read_counts_; }),
      value_writer());
  cage_command_ = add_output({.kind = OutputKind::lines,
                              .name = "cage",
                              .title = "Control cage",
                              .about = "The edges of the polygons that are subdivided.",
                              .key = '3',
                              .dims_surfaces = false},
                             cage_writer())
                      .command;
  add_output({.kind = OutputKind::points,
              .name = "points",
              .title = "Vertices",
              .about = "The vertices of the surface.",
              .key = '4',
              .streams = {surface.stream},
              .command = surface.command + points_of_surface});
  add_picked_outputs('5', '6');
}

Writer SubdivisionScene::value_writer() {
  return {.streams = {{"values", sizeof(float), most_triangles_}},
          .commands = 0,
          .write =
              [this](const StageRun& run, const Targets& to) {
                if (most_triangles_ > 0)
                  run.stream().copy(to.stream(), of_values_.data(), of_values_.bytes(),
                                    Copy::device_to_device);
              },
          .work =
              [this](const Targets&) {
                const std::uint64_t n = most_triangles_;
                return StageWork{n, 2 * n * sizeof(float)};
              },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                if (has_values())
                  check.stream(at.stream, check.read(of_values_.data(), of_values_.size()));
              },
          .is_due = [this] { return has_values(); }};
}

// The draw command is uploaded with the cage.
Writer SubdivisionScene::cage_writer() {
  return {.streams = {{"cage", sizeof(Vertex), cage_.size()},
                      {"cage colours", sizeof(std::uint32_t), cage_.size()}},
          .write =
              [this](const StageRun& run, const Targets& to) {
                const auto copy = [&run](void* target, const auto& from) {
                  if (target && from.size() > 0)
                    run.stream().copy(target, from.data(), from.bytes(), Copy::device_to_device);
                };
                copy(to.stream(0), cage_);
                copy(to.stream(1), cage_colours_);
              },
          .work =
              [this](const Targets& to) {
                const std::uint64_t n = cage_.size();
                StageWork work;
                if (to.stream(0)) work = work + StageWork{n, 2 * n * sizeof(Vertex)};
                if (to.stream(1)) work = work + StageWork{n, 2 * n * sizeof(std::uint32_t)};
                return work;
              },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                const std::vector<Vertex> ends = cage_ends();
                check.command(at.command, {static_cast<std::uint32_t>(ends.size()), 1, 0, 0, 0});
                check.stream(at.stream, ends);
                check.stream(at.stream + 1, std::vector<std::uint32_t>(ends.size(), cage_colour));
              }};
}

std::vector<Legend> SubdivisionScene::legends() const {
  std::vector<Legend> legends;
  if (auto of_surface = legend_of_surface()) legends.push_back(*std::move(of_surface));
  add_overlay_legends(*this, {.is_picked = is_picked()}, legends);
  return legends;
}

std::optional<Legend> SubdivisionScene::legend_of_surface() const {
  const auto blocks = [](const char* title) {
    return Legend{.output = mesh_output,
                  .title = title,
                  .scale = Legend::Scale::blocks,
                  .note = "one colour each"};
  };
  switch (colouring()) {
    case SubdivisionColouring::material:
      return legend_of_mesh();
    case SubdivisionColouring::normal:
      return legend_of_normals(mesh_output);
    case SubdivisionColouring::faces:
      return blocks("Face");
    case SubdivisionColouring::patches:
      return blocks("Patch");
    case SubdivisionColouring::kind:
      return Legend{.output = mesh_output,
                    .title = "Steps until a patch is regular",
                    .most = 2,
                    .note = "beyond the first; 2: never"};
    case SubdivisionColouring::level:
      return Legend{.output = mesh_output, .title = "Level", .most = most_subdivision_level};
    case SubdivisionColouring::valence:
      return Legend{.output = mesh_output,
                    .title = "Valence of the vertex",
                    .least = 2,
                    .most = 8,
                    .more = true};
  }
  return {};
}

std::vector<Fact> SubdivisionScene::facts() const {
  const auto number = [](std::uint64_t n) { return std::uint64_t{n}; };
  const MeshCounts& counts = *read_counts_;
  const auto executed = [this](SubdivisionWork work) {
    return std::uint64_t{work_.status().executed[static_cast<std::size_t>(work)]};
  };
  std::vector<Fact> facts = {
      {.name = "subdivision.faces",
       .title = "Faces",
       .value = number(host_mesh_.faces),
       .tooltip = "Polygons of the mesh that is subdivided."},
      {.name = "subdivision.vertices",
       .title = "Vertices",
       .value = number(host_mesh_.vertices),
       .tooltip = "Vertices of the mesh that is subdivided."},
      {.name = "subdivision.quads",
       .title = "Quads from pairs",
       .value = number(polygons_.pairs),
       .tooltip = "Faces of four corners merged from two triangles."},
      {.name = "subdivision.extraordinary",
       .title = "Extraordinary",
       .value = number(polygons_.extraordinary),
       .tooltip = "Vertices without exactly four faces, or two at the boundary."},
      {.name = "subdivision.boundary",
       .title = "Boundary edges",
       .value = number(polygons_.boundary_edges),
       .tooltip = "Edges with a face on one side only."},
      {.name = "subdivision.cut",
       .title = "Cut edges",
       .value = number(polygons_.cut_edges),
       .tooltip = "Non-manifold edges: more than two faces, or two of opposite orientation. The "
                  "surface is split there."},
      {.name = "subdivision.dropped",
       .title = "Rejected",
       .value = number(polygons_.dropped),
       .tooltip =
           "Triangles with repeated corners, or with one that is too far away or not finite."},
      {.name = "subdivision.triangles",
       .title = "Triangles",
       .value = number(counts.triangles),
       .tooltip = "Triangles of the smooth surface."},
      {.name = "subdivision.points",
       .title = "Points",
       .value = number(counts.vertices),
       .tooltip = "Vertices of the smooth surface."},
      {.name = "subdivision.lowered",
       .title = "Levels dropped",
       .value = number(*read_lowered_),
       .tooltip = "Reduction of all levels, for want of room."},
      {.name = "subdivision.poly",
       .title = "Poly-patches",
       .value = executed(SubdivisionWork::poly),
       .tooltip = "Vertices and faces with their neighbourhood."},
      {.name = "subdivision.quad",
       .title = "Quad-patches",
       .value = executed(SubdivisionWork::quad),
       .tooltip = "Quads at an extraordinary vertex or face."},
      {.name = "subdivision.regular",
       .title = "Regular patches",
       .value = executed(SubdivisionWork::regular),
       .tooltip = "Patches with regular corners only, evaluated as B-splines."},
  };
  work_.append_facts("subdivision", facts);
  facts.push_back({.name = "bvh.bounds",
                   .title = "Bounds",
                   .value = tree_->bounds().points,
                   .tooltip = "The smallest box around the surface."});
  facts.push_back(
      {.name = "bvh.max_depth",
       .title = "Depth",
       .value = number(tree_->statistics().max_depth),
       .tooltip = "Depth of the deepest leaf of the BVH: the longest way from the root."});
  facts.push_back({.name = "bvh.sah_cost",
                   .title = "SAH cost",
                   .value = tree_->statistics().sah_cost,
                   .tooltip = "Expected number of BVH nodes that a ray visits. Lower is better."});
  return facts;
}

std::vector<Fact> SubdivisionScene::more_of(std::size_t /*surface*/, std::uint32_t triangle) const {
  Stream& stream = timeline().stream();
  std::uint32_t face = 0;
  stream.copy(&face, of_faces_.data() + triangle, sizeof face, Copy::device_to_host);
  stream.synchronize();
  if (face >= host_mesh_.faces) return {};
  std::uint32_t level = 0;
  stream.copy(&level, face_levels_.data() + face, sizeof level, Copy::device_to_host);
  stream.synchronize();
  return {{.name = "pick.face",
           .title = "Face",
           .value = std::uint64_t{face},
           .tooltip = "Number of the polygon that the ray hit, from 0."},
          {.name = "pick.corners",
           .title = "Corners",
           .value = std::uint64_t{host_mesh_.valence_of_face(face)},
           .tooltip = "Corners of that polygon."},
          {.name = "pick.level",
           .title = "Level",
           .value = std::uint64_t{level},
           .tooltip = "How often that polygon is divided."}};
}

// Everything once more, from spoiled memory, held against the same done sequentially.
std::vector<Check> SubdivisionScene::verify() {
  collect();
  if (lacks_room()) grow();
  Stream& stream = timeline().stream();
  constexpr std::uint8_t spoiled = 0x5a;
  const auto spoil = [&stream](auto&... buffers) {
    ((buffers.size() > 0 ? stream.fill(buffers.data(), spoiled, buffers.bytes()) : void()), ...);
  };
  spoil(vertex_points_, edge_points_, face_points_, second_points_, edge_levels_, face_levels_,
        places_, totals_, rings_, vertices_, indices_, material_, of_faces_);
  values_.set(view_);
  timeline().run(points_);
  subdivide_all();
  timeline().queue_read_backs();
  collect();
  subdivide_in_full();

  const MeshCounts counts = *read_counts_;
  const SubdivisionLevelsReference expected = subdivision_levels_one_by_one(
      polygons_, vertex_points_.download(stream), view_, most_triangles_, most_vertices_);
  std::vector<Check> checks;
  checks.push_back(
      {"levels",
       first_of({difference("the level of edge", edge_levels_.download(stream), expected.edges),
                 difference("the level of face", face_levels_.download(stream), expected.faces),
                 difference("the reduction of levels", *read_lowered_, expected.lowered),
                 difference("the number of triangles", std::uint64_t{counts.triangles},
                            expected.triangles),
                 difference("the number of vertices", std::uint64_t{counts.vertices},
                            expected.vertices)})});
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(
      {"subdivide",
       difference_of_surface(polygons_, expected, vertices_.download(stream, counts.vertices),
                             indices_.download(stream, 3 * std::size_t{counts.triangles}),
                             material_.download(stream, counts.triangles),
                             of_faces_.download(stream, counts.triangles))});
  if (!checks.back().difference.empty()) return checks;
  for (Check& check : tree_->verify(tree_->snapshot(counts.vertices)))
    checks.push_back(std::move(check));
  if (!checks.back().difference.empty()) return checks;
  checks.push_back(check_writers());
  return checks;
}

// The memory for triangles that share nothing, with queues of twice their first size.
std::uint64_t SubdivisionScene::memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t faces = mesh.triangle_count();
  const std::uint64_t corners = 3 * faces;
  const std::uint64_t centres = corners + faces;
  const std::uint64_t triangles = room_of(corners, faces, asked);
  const std::uint64_t vertices = triangles + 9 * faces;
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const std::uint64_t tables = corners * (sizeof(Vec3) + 9 * word) + faces * 2 * word;
  const std::uint64_t points =
      (2 * centres + corners) * sizeof(Vec3) + (2 * corners + 3 * faces) * word;
  const std::uint64_t rings =
      ring_levels(asked) * subdivision_ring_places(corners, centres) * sizeof(Vec3);
  const std::uint64_t surface = vertices * sizeof(Vertex) + triangles * 6 * word;
  const std::uint64_t cage = 2 * corners * (sizeof(Vertex) + word);
  return with_scratch(tables + points + rings + surface + cage + Tree::bytes_needed(triangles) +
                      2 * ScheduledWork::queue_bytes(procedures_of(centres, corners)));
}

}  // namespace

SceneKind subdivision_scene() {
  return scene_kind<SubdivisionScene>(
      {.name = "subdivision",
       .title = "Subdivision",
       .usage = "subdivision[:TRIANGLES] [FILE]",
       .summary = "Subdivides polygons into a smooth surface, by a "
                  "scheduler of dynamically generated work",
       .invitation = "A cage becomes a smooth surface. Move Level, tick Control cage.",
       .thumbnail = "subdivision --set level=2 --show mesh,wire,cage",
       .controls = controls,
       .size_control = "triangles",
       .own_mesh = lattice_mesh,
       .stands_still = true});
}

}  // namespace warpview
