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
#include "gpu/steps/write.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/mesh_controls.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

class MeshScene final : public MarkedScene {
 public:
  MeshScene(const SceneRequest& request, const SceneKind& kind)
      : MarkedScene(request, kind),
        vertices_(timeline(), mesh()),
        elements_(timeline(), mesh()),
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
      elements_.upload(command(element_streams_.points_command),
                       command(element_streams_.lines_command));
      compute();
    });
    element_bounds_ = bounds_of_elements(mesh());
    rest_bounds_ = merge(tree_.bounds().points, element_bounds_);
  }

  void compute_after(std::span<const StageId> chosen) override {
    const StageId first = chosen.front();
    if (is_deformed_ && !tree_.keeps_topology(first)) put_to_rest();
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
      if (is_deformed_) {
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
    return tree_.is_ours(stage) ? tree_.repeats_alone(stage) : !is_deformed_;
  }

  void queue(const Frame& frame) override {
    const bool moves = moving();
    if (moves && deformed_.size() == 0)
      deformed_ = {timeline().device(), vertices_.vertex_capacity()};
    if (!moves && is_deformed_) {
      put_to_rest();
      tree_.rebuild();
    }
    is_deformed_ = moves;
    tree_.set_vertices(positions());
    turns_ = std::fmod(turns_ + frame.seconds * controls()["speed"], 1.0);
    values_now_ = {.wave = wave(),
                   .level = static_cast<std::uint32_t>(controls()["level"]),
                   .colours = colours()};
    values_.set(values_now_);
    set_surface_styles();
    set_style(boxes_output, {static_cast<float>(controls()["level"])});

    frame_ = frame;
    Timeline::Key key = key_of(frame);
    add_picked_to(key);
    timeline().frame(key, frame.timing, [&] {
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
    if (!frame_.targets.empty() && frame_.targets[box_stream_])
      facts.push_back(level_fact(controls()["level"], command_drawn(box_command_)));
    return facts;
  }

  std::vector<Check> verify() override {
    const Vertices::Snapshot at_rest = vertices_.snapshot();
    std::vector<Check> checks = vertices_.verify(at_rest);
    if (!checks.back().difference.empty()) return checks;
    const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
    if (is_deformed_)
      checks.push_back(
          {"deform", first_of({check_deformed(at_rest.vertices, tree.vertices, values_now_.wave),
                               elements_.check_deformed(values_now_.wave)})});
    if (!checks.back().difference.empty()) return checks;
    for (Check& check : tree_.verify(tree)) checks.push_back(std::move(check));
    if (!checks.back().difference.empty()) return checks;
    checks.push_back({"write", check_drawn(drawn())});
    return checks;
  }
  Drawn drawn() override { return drawn_by(write_, frame_); }
  std::string check_drawn(const Drawn& drawn) override {
    const Vertices::Snapshot at_rest = vertices_.snapshot();
    const Tree::Snapshot tree = tree_.snapshot(at_rest.counts.vertices);
    DrawnCheck check(drawn, streams());
    check.surface(surface_, {tree.vertices, at_rest.indices, at_rest.material, at_rest.colours});
    check.boxes(box_stream_, box_command_, tree, values_now_.level);
    check.curve(curve_stream_, curve_command_, tree);
    check.elements(element_streams_, elements_, is_deformed_);
    check_marks(check, tree, values_now_.colours);
    return check.difference();
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
    is_deformed_ = false;
    tree_.set_vertices(vertices_.vertices());
    tree_.set_current(false);
  }
  const Vertices& vertices() const override { return vertices_; }
  const Tree& tree() const override { return tree_; }
  Tree& tree() override { return tree_; }
  const Vertex* positions() const override {
    return is_deformed_ ? deformed_.data() : vertices_.vertices();
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
    const std::uint64_t triangles = vertices_.triangle_capacity();
    surface_ = add_surface_streams(triangles);
    box_stream_ =
        add_stream({.name = "boxes", .element_bytes = sizeof(Aabb), .capacity = triangles});
    curve_stream_ =
        add_stream({.name = "curve", .element_bytes = sizeof(Vec3), .capacity = triangles});
    box_command_ = add_command();
    curve_command_ = add_command();
    std::vector<std::size_t> surface = surface_.all();
    surface.push_back(add_value_stream());
    add_output({.kind = OutputKind::surface,
                .name = "mesh",
                .title = "Mesh",
                .key = '1',
                .shown = true,
                .streams = surface,
                .command = surface_.triangles,
                .style = surface_style()});
    add_output({.kind = OutputKind::edges,
                .name = "wire",
                .title = "Wireframe",
                .key = '2',
                .streams = surface,
                .command = surface_.triangles,
                .style = surface_style()});
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
    element_streams_ = add_element_outputs('6', '7');
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

  void queue_writers(const StageRun& run) {
    if (run.measuring()) return;
    write_surface(run, vertices_, positions(), surface_targets(frame_, surface_));
    elements_.write(run, is_deformed_, element_targets(frame_, element_streams_));
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
    write_marks(run, frame_, &values_.device()->colours);
    queue_commands(frame_);
  }

  // The last frame's writers.
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
    work = work + elements_.work_of(element_targets(frame_, element_streams_));
    return work + work_of_marks(frame_);
  }

  Vertices vertices_;
  Elements elements_;
  StageId deform_;
  Tree tree_;
  FrameValues<Values> values_;
  StageId write_{};
  SurfaceStreams surface_;
  ElementStreams element_streams_;
  std::size_t box_stream_ = 0, curve_stream_ = 0;
  std::size_t box_command_ = 0, curve_command_ = 0;
  Buffer<Vertex> deformed_;              // from the first frame that moves
  Frame frame_;                          // that is being queued
  Values values_now_{};                  // of that frame
  Aabb element_bounds_ = Aabb::empty();  // as the file has them
  Aabb rest_bounds_ = Aabb::empty();
  bool is_deformed_ = false;
  double turns_ = 0.0;  // phase of the wave, 0 to 1
};

std::unique_ptr<Scene> make(const SceneRequest& request);
std::uint64_t memory(const Mesh& mesh, const Controls& controls);

constexpr SceneKind kind = {
    .name = "mesh",
    .title = "Mesh",
    .spelling = "[mesh] FILE",
    .summary = "Everything the primitives compute about a mesh, at rest or deformed by a wave",
    .controls = mesh_controls,
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
                                   2 * sizeof(Aabb) + 2 * sizeof(Vec3) + 2 * sizeof(float)) +
                              mesh.corner_colours.size() * sizeof(std::uint32_t);
  return with_scratch(Vertices::bytes_needed(mesh) + Elements::bytes_needed(mesh) +
                      Tree::bytes_needed(n) + deformed + drawn);
}

}  // namespace

const SceneKind& mesh_scene() { return kind; }

}  // namespace warpview
