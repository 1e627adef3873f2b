// The mesh scene: everything about a mesh that the primitives compute, from its corners to a fitted
// BVH; and a wave through it, with the BVH refitted or built anew in each frame.
//
//   upload -> scan -> dedup -> [deform] -> boxes -> bounds -> morton -> sort -> build -> refit
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gpu/steps/deform.h"
#include "gpu/steps/mesh.h"
#include "gpu/steps/tree.h"
#include "gpu/steps/write.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

enum class Animation { off, refit, rebuild };
constexpr std::array animations = {"off", "refit", "rebuild"};
constexpr std::array axes = {"x", "y", "z"};

constexpr std::array controls = {
    Control{.name = "animation",
            .title = "Animation",
            .tooltip = "off: the mesh is at rest, its BVH was built at load. refit: a wave deforms "
                       "the mesh, its BVH keeps its shape. rebuild: its BVH is built anew.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = animations,
            .group = "Each frame"},
    Control{.name = "travels",
            .title = "Travels",
            .tooltip = "The axis along which the wave travels.",
            .kind = Control::Kind::choice,
            .choices = axes,
            .group = "Each frame"},
    Control{.name = "displaces",
            .title = "Displaces",
            .tooltip = "The axis along which the wave moves the vertices.",
            .kind = Control::Kind::choice,
            .initial = 1,
            .choices = axes,
            .group = "Each frame"},
    Control{.name = "amplitude",
            .title = "Amplitude",
            .tooltip = "How far the wave moves a vertex at most, in radii of the mesh.",
            .initial = 0.06,
            .most = 0.5,
            .unit = "radii",
            .group = "Each frame"},
    Control{.name = "waves",
            .title = "Waves",
            .tooltip = "Wavelengths along the mesh.",
            .initial = 2,
            .least = 0.25,
            .most = 12,
            .group = "Each frame"},
    Control{.name = "speed",
            .title = "Speed",
            .tooltip = "Wavelengths per second; below 0 it travels backwards.",
            .initial = 0.5,
            .least = -2,
            .most = 2,
            .unit = "per second",
            .group = "Each frame"},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "Which level of the BVH is drawn as boxes; 0 is the root.",
            .most = 63,
            .whole = true,
            .group = "BVH boxes"},
};

float axis_of(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

class MeshScene final : public Scene {
 public:
  MeshScene(const SceneRequest& request, const SceneKind& kind)
      : Scene(request, kind),
        vertices_(timeline(), mesh()),
        deform_(add_deform()),
        tree_(timeline(), {.vertices = vertices_.vertices(),
                           .indices = vertices_.indices(),
                           .count = vertices_.triangle_count(),
                           .capacity = vertices_.triangle_capacity()}),
        values_(timeline().values<Values>()) {
    add_outputs();
    write_ = timeline().add({.name = "write",
                             .title = "Write",
                             .queue = [this](const StageRun& run) { queue_writers(run); },
                             .work = [this] { return written(); },
                             .repeatable = false});
    reserve(0);
  }

  void load(LoadControl& control) override {
    run_phases(control, Vertices::stages + Tree::stages, [this] {
      vertices_.upload();
      compute();
    });
    rest_bounds_ = tree_.bounds().points;
  }

  void compute() override {
    is_deformed_ = false;
    tree_.set_vertices(vertices_.vertices());
    vertices_.compute();
    tree_.rebuild();
    timeline().queue_read_backs();
  }

  void reset() override { turns_ = 0.0; }

  void repeat(StageId stage) override {
    collect();
    if (stage == deform_) {
      if (deformed_.size() > 0) timeline().run(stage);
    } else if (!tree_.repeat(stage)) {
      // What uploads, drops and de-duplicates makes the mesh at rest.
      if (is_deformed_) {
        compute();
        collect();  // its times apart from the one that is wanted
      }
      timeline().run(stage);
    }
    timeline().queue_read_backs();
    collect();
  }

  void queue(const Frame& frame) override {
    const bool moves = moving();
    if (moves && deformed_.size() == 0)
      deformed_ = {timeline().device(), vertices_.vertex_capacity()};
    if (!moves && is_deformed_) compute();
    is_deformed_ = moves;
    tree_.set_vertices(positions());
    turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
    values_.set({.wave = wave(), .level = static_cast<std::uint32_t>(controls()["level"])});
    set_style(boxes_output, {static_cast<float>(controls()["level"])});

    frame_ = frame;
    timeline().frame(key_of(frame), frame.timing, [&] {
      if (moves) {
        timeline().run(deform_);
        if (animation() == Animation::refit)
          tree_.refit();
        else
          tree_.rebuild();
      }
      timeline().run(write_);
    });
    if (moves) tree_.set_current(animation() == Animation::rebuild);
  }

  Aabb bounds() const override { return rest_bounds_; }
  bool moving() const override { return animation() != Animation::off; }
  double useful_most(std::size_t control) const override {
    const bool is_level = control == this->controls().find("level");
    return is_level ? std::max(1U, tree_.statistics().max_depth) : Scene::useful_most(control);
  }

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
         .tooltip = "Unique vertices: corners that share position, normal and texture coordinate."},
        {.name = "mesh.dropped_triangles",
         .title = "Rejected",
         .value = number(counts.dropped),
         .tooltip = "Triangles with a coordinate that is no finite number. " +
                    std::to_string(mesh().dropped_faces) +
                    " faces of the file were left out before: they name what is not there."},
        {.name = "mesh.bounds", .title = "Bounds", .value = tree_.bounds().points},
        {.name = "bvh.internal_nodes", .title = "Inner nodes", .value = number(tree.inner_nodes)},
        {.name = "bvh.max_depth", .title = "Depth", .value = number(tree.max_depth)},
        {.name = "bvh.sah_cost",
         .title = "SAH cost",
         .value = tree.sah_cost,
         .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                    "root visits. Less is better."},
    };
    if (!frame_.targets.empty() && frame_.targets[box_stream_])
      facts.push_back(level_fact(controls()["level"], command_drawn(box_command_)));
    return facts;
  }

  std::vector<Check> verify() override {
    const Vertices::Snapshot at_rest = vertices_.snapshot();
    std::vector<Check> checks = vertices_.verify(at_rest);
    if (!checks.back().difference.empty()) return checks;
    for (Check& check : tree_.verify(tree_.snapshot(at_rest.counts.vertices)))
      checks.push_back(std::move(check));
    return checks;
  }

  std::vector<Fact> pick(const Ray& ray) override;

 private:
  struct Values {
    Deformation wave;
    std::uint32_t level;
  };
  enum OutputPlace : std::size_t { mesh_output, edges_output, boxes_output };

  Animation animation() const { return static_cast<Animation>(controls().choice("animation")); }
  const Vertex* positions() const { return is_deformed_ ? deformed_.data() : vertices_.vertices(); }

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
                               },
                           .work =
                               [this] {
                                 const std::uint64_t n = vertices_.counts().vertices;
                                 return StageWork{n, 2 * n * sizeof(Vertex)};
                               }});
  }

  void add_outputs() {
    const std::uint64_t triangles = vertices_.triangle_capacity();
    surface_ = add_surface_streams(triangles);
    box_stream_ =
        add_stream({.name = "boxes", .element_bytes = sizeof(Aabb), .capacity = triangles});
    curve_stream_ =
        add_stream({.name = "curve", .element_bytes = sizeof(Vec3), .capacity = triangles});
    box_command_ = add_command();
    curve_command_ = add_command();
    const std::vector<std::size_t> surface = surface_.all();
    add_output({.kind = OutputKind::surface,
                .name = "mesh",
                .title = "Mesh",
                .key = '1',
                .shown = true,
                .streams = surface,
                .command = surface_.triangles});
    add_output({.kind = OutputKind::edges,
                .name = "wire",
                .title = "Wireframe",
                .key = '2',
                .streams = surface,
                .command = surface_.triangles});
    add_output({.kind = OutputKind::boxes,
                .name = "boxes",
                .title = "BVH boxes",
                .key = '3',
                .streams = {box_stream_},
                .command = box_command_});
    add_output({.kind = OutputKind::strip,
                .name = "curve",
                .title = "Morton curve",
                .key = '4',
                .streams = {curve_stream_},
                .command = curve_command_});
    add_output({.kind = OutputKind::points,
                .name = "points",
                .title = "Unique vertices",
                .key = '5',
                .streams = {surface_.vertices},
                .command = surface_.points});
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

  void queue_writers(const StageRun& run) {
    if (run.measuring()) return;
    write_surface(run, vertices_, positions(), surface_targets(frame_, surface_));
    if (frame_.targets[box_stream_])
      run.run<Step::write_boxes>(WriteBoxesArgs{.count = tree_.count(),
                                                .bvh = tree_.bvh(),
                                                .depth = tree_.depth(),
                                                .level = &values_.device()->level,
                                                .out = target<Aabb>(frame_, box_stream_),
                                                .command = command(box_command_)});
    if (frame_.targets[curve_stream_])
      run.run<Step::write_curve>(WriteCurveArgs{.count = tree_.count(),
                                                .boxes = tree_.boxes(),
                                                .primitives = tree_.primitives(),
                                                .n = tree_.capacity(),
                                                .out = target<Vec3>(frame_, curve_stream_),
                                                .command = command(curve_command_)});
    queue_commands(frame_);
  }

  // Of the last frame's writers.
  StageWork written() const {
    if (frame_.targets.empty()) return {};
    StageWork work = work_of(vertices_, surface_targets(frame_, surface_));
    const auto add = [&](std::size_t stream, std::uint64_t items, std::size_t bytes) {
      if (!frame_.targets[stream]) return;
      work.items += items;
      work.bytes += 2 * items * bytes;
    };
    add(box_stream_, command_drawn(box_command_).instances, sizeof(Aabb));
    add(curve_stream_, vertices_.counts().triangles, sizeof(Vec3));
    return work;
  }

  Vertices vertices_;
  StageId deform_;
  Tree tree_;
  FrameValues<Values> values_;
  StageId write_{};
  SurfaceStreams surface_;
  std::size_t box_stream_ = 0, curve_stream_ = 0;
  std::size_t box_command_ = 0, curve_command_ = 0;
  Buffer<Vertex> deformed_;  // from the first frame that moves
  Frame frame_;              // that is being queued
  Aabb rest_bounds_ = Aabb::empty();
  bool is_deformed_ = false;
  double turns_ = 0.0;  // phase of the wave, 0 to 1
};

std::vector<Fact> MeshScene::pick(const Ray& ray) {
  collect();
  const RayHit hit = tree_.trace(ray);
  if (hit.triangle == RayHit::nothing) return {};
  Stream& stream = timeline().stream();
  std::array<std::uint32_t, 3> corners{};
  std::uint32_t material = 0;
  stream.copy(corners.data(), vertices_.indices() + 3 * std::size_t{hit.triangle}, sizeof corners,
              Copy::device_to_host);
  stream.copy(&material, vertices_.material() + hit.triangle, sizeof material,
              Copy::device_to_host);
  stream.synchronize();
  const Vec3 place = ray.origin + ray.direction * hit.t;
  return {{.name = "pick.triangle",
           .title = "Triangle",
           .value = std::uint64_t{hit.triangle},
           .tooltip = "Its number among those that were kept."},
          {.name = "pick.vertices",
           .title = "Vertices",
           .value = fmt::format("{}, {}, {}", corners[0], corners[1], corners[2])},
          {.name = "pick.material", .title = "Material", .value = mesh().materials[material].name},
          {.name = "pick.place", .title = "At", .value = place},
          {.name = "pick.code",
           .title = "Morton code",
           .value = fmt::format("{:#x}", tree_.code_of(hit.triangle)),
           .tooltip = "Of the centre of its box, when codes were last computed."}};
}

std::unique_ptr<Scene> make(const SceneRequest& request);
std::uint64_t memory(const Mesh& mesh, const Controls& controls);

constexpr SceneKind kind = {
    .name = "mesh",
    .title = "Mesh",
    .spelling = "[mesh] FILE",
    .summary = "Everything that the primitives compute about a mesh, at rest or under a wave",
    .controls = controls,
    .size_control = nullptr,
    .own_mesh = default_mesh,
    .make = make,
    .memory = memory};

std::unique_ptr<Scene> make(const SceneRequest& request) {
  return std::make_unique<MeshScene>(request, kind);
}

// With everything shown.
std::uint64_t memory(const Mesh& mesh, const Controls& /*controls*/) {
  const std::uint64_t n = mesh.triangle_count();
  const std::uint64_t deformed = 3 * n * sizeof(Vertex);
  const std::uint64_t drawn = n * (2 * 3 * sizeof(Vertex) + 4 * sizeof(std::uint32_t) +
                                   2 * sizeof(Aabb) + 2 * sizeof(Vec3));
  return with_scratch(Vertices::bytes_needed(n) + Tree::bytes_needed(n) + deformed + drawn);
}

}  // namespace

const SceneKind& mesh_scene() { return kind; }

}  // namespace warpview
