// The scene of rays: a mesh that is ray traced from the camera through its BVH, by the tracer of
// one's choice.
//
//   upload -> scan -> dedup -> boxes -> bounds -> morton -> sort -> build -> refit -> optimise ->
//   statistics -> leaves -> [collapse] -> [overlap]
//   each sample:  camera_rays -> trace -> count -> [rounds: shadow_rays -> shadow] -> shade
//         paths:  camera_rays -> trace -> count -> [bounces: scatter -> shadow -> trace] -> shade
//   each frame:   picture
//
// A frame takes one sample of each pixel as long as nothing changes, until there are as many as are
// wanted: the first picture is quick, and edges become smooth.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "gpu/steps/paths.h"
#include "gpu/steps/rays.h"
#include "gpu/steps/rays_shading.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/legends.h"
#include "scenes/parts/mesh_reach.h"
#include "scenes/parts/mesh_textures.h"
#include "scenes/parts/path_lights.h"
#include "scenes/parts/picture_view.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/rays_controls.h"
#include "scenes/parts/rays_look.h"
#include "scenes/parts/rays_overlap.h"
#include "scenes/parts/rays_reference.h"
#include "scenes/parts/rays_room.h"
#include "scenes/parts/rays_tables.h"
#include "scenes/parts/rays_told.h"
#include "scenes/parts/substance.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/traced_tree.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

struct RaysPlan {
  std::uint32_t n = 0;  // rays of a sample: as many as pixels, in whole groups
  RaysView view = RaysView::shaded;
  std::uint32_t rounds = 0;  // of shadow rays, in a sample; of `paths`: bounces
  bool traces = true;        // does the frame take a sample?
  bool is_drawn = true;

  bool has_shadows() const { return rounds > 0; }
  bool has_paths() const { return view == RaysView::paths; }

  bool operator==(const RaysPlan&) const = default;
};

class RaysScene final : public Planned<RaysPlan, PointedScene> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  RaysScene(const SceneRequest& request, const SceneKind& kind);

  void load(LoadControl& control) override;
  void compute_after(std::span<const StageId> chosen) override;
  void reset() override { samples_ = 0; }
  void repeat(StageId stage) override;
  bool repeats_alone(StageId stage) const override { return tree_.repeats_alone(stage); }
  RaysPlan plan_frame(const Frame& frame) override;
  void queue_stages(const RaysPlan& plan) override;
  void has_queued(const Frame& frame) override;

  // OpenGL draws no surface here, so it needs no texture.
  SceneMaterials materials() const override { return {mesh().materials, {}}; }
  bool depends_on_view() const override { return true; }
  bool moving() const override { return samples_ < wanted_samples(); }
  Aabb bounds() const override { return bounds_; }
  Outline outline() const override { return outline_; }
  std::vector<Fact> facts() const override;
  std::vector<Legend> legends() const override;
  std::vector<Check> verify() override;

 private:
  std::vector<PointedSurface> surfaces() override {
    return {{.tree = &tree_,
             .positions = vertices_.vertices(),
             .indices = vertices_.indices(),
             .material = vertices_.material(),
             .materials = mesh().materials,
             .is_drawn = is_drawn(image_)}};
  }
  std::uint32_t wanted_samples() const { return static_cast<std::uint32_t>(controls()["samples"]); }
  RaysView view() const { return static_cast<RaysView>(controls().choice("view")); }

  // The view of a frame, as controls are set; its samples are not.
  RaysLook look_from(const FrameView& wanted) const;
  RaysPlan plan_of(const RaysLook& look) const {
    return {.n = static_cast<std::uint32_t>(rays_of(std::uint64_t{look.width} * look.height)),
            .view = look.view,
            .rounds = look.rounds};
  }
  void make_room_for(const RaysPlan& plan);
  // What `paths` has beside the settings of every view.
  void set_paths(RaysLook& look) const;
  void add_stages();
  StageId add_ray_stage(const char* name, const char* title, const char* about,
                        std::function<void(const StageRun&)> queue, std::uint64_t bytes_of_ray,
                        bool repeatable = true);
  StageId add_trace_stage(const char* name, const char* title, const char* about,
                          std::function<void(TraceArgs&)> set_rays);
  Writer picture_writer();
  RaysMesh rays_mesh() const {
    return {.vertices = vertices_.vertices(),
            .indices = vertices_.indices(),
            .material = vertices_.material(),
            .colours = vertices_.colours(),
            .substances = substances_.data(),
            .textures = textures_.device(),
            .tables = tables_.data()};
  }
  PathLights lights() const {
    return {.lights = lights_.data(),
            .count = static_cast<std::uint32_t>(host_lights_.lights.size()),
            .power = host_lights_.power};
  }
  // The variants that are chosen for the rays and for their shadows.
  std::vector<VariantId> tracers() const {
    return {timeline().chosen(trace_).value(), timeline().chosen(shadow_).value()};
  }
  TraceSteps* steps() { return rays_shows_steps(plan().view) ? room_.steps.data() : nullptr; }
  // Runs the stages of a sample; those before `first` take no times.
  void run_sample(StageId first = {});
  void queue_shade(const StageRun& run);
  // The first sample again, of the last view. Queues only.
  void begin_again(StageId first);
  void run_from(StageId first, StageId stage) {
    if (stage < first)
      timeline().run_untimed(stage);
    else
      timeline().run(stage);
  }
  std::vector<Check> verify_sample(const Tree::Snapshot& tree);

  Vertices vertices_;
  Tree tree_;
  TracedTree traced_;
  std::uint32_t most_rays_;
  FrameValues<RaysLook> values_;
  std::unique_ptr<RaysTables> host_tables_ = rays_tables();
  std::vector<Substance> host_substances_;
  Buffer<RaysTables> tables_;
  PathLightTable host_lights_;
  Buffer<Substance> substances_;
  MeshTextures textures_;
  Buffer<PathLight> lights_;
  Buffer<RayCounts> counts_;
  std::optional<RaysOverlap> overlap_;  // where it is wanted
  RaysRoom room_;
  std::size_t image_ = 0;  // the stream
  StageId camera_{}, trace_{}, count_{}, scatter_{}, shadow_rays_{}, shadow_{}, shade_{};
  ReadBack<RayCounts> read_counts_;
  RaysLook look_{};            // of the last frame
  std::uint32_t samples_ = 0;  // that the sums hold
  Aabb bounds_ = Aabb::empty();
  Outline outline_;
  std::uint32_t round_ = 0;  // of the shadow rays that are being queued
};

RaysScene::RaysScene(const SceneRequest& request, const SceneKind& kind)
    : Planned(request, kind),
      vertices_(timeline(), mesh()),
      tree_(timeline(),
            {.vertices = vertices_.vertices(),
             .indices = vertices_.indices(),
             .count = vertices_.triangle_count(),
             .capacity = vertices_.triangle_capacity()},
            "", static_cast<std::uint32_t>(controls()["optimise"])),
      traced_(timeline(), tree_),
      most_rays_(
          static_cast<std::uint32_t>(rays_of(static_cast<std::uint64_t>(controls()["pixels"])))),
      values_(timeline().values<RaysLook>()),
      tables_(timeline().device(), 1),
      substances_(timeline().device(), mesh().materials.size()),
      textures_(timeline().device(), mesh()),
      counts_(timeline().device(), 1) {
  std::transform(mesh().materials.begin(), mesh().materials.end(),
                 std::back_inserter(host_substances_), substance_of);
  host_lights_ = path_lights(mesh(), host_substances_);
  lights_ = {timeline().device(), host_lights_.lights.size()};
  image_ = add_output({.kind = OutputKind::image,
                       .name = "picture",
                       .title = "Picture",
                       .about = "The ray traced picture.",
                       .key = '1',
                       .shown = true,
                       .dims_surfaces = false},
                      picture_writer())
               .stream;
  add_picked_outputs('2', '3');
  add_stages();
  read_counts_ = timeline().read_back(counts_.data());
  look_ = look_from({});
  set_plan(plan_of(look_));
  make_room_for(plan());
  reserve("picture", "Picture", "Averages the samples of each pixel into the picture.");
}

void RaysScene::add_stages() {
  if (controls()["overlap"] != 0.0) overlap_.emplace(timeline(), tree_, traced_.leaves());
  camera_ = add_ray_stage(
      "camera_rays", "Camera rays", "Makes a ray through each pixel.",
      [this](const StageRun& run) {
        run.run<Step::camera_rays>(
            CameraRaysArgs{.look = values_.device(), .n = plan().n, .rays = room_.rays.data()});
      },
      sizeof(BoundedRay));
  trace_ =
      add_trace_stage("trace", "Trace", "Finds what each ray hits first.", [this](TraceArgs& args) {
        args.rays = room_.rays.data();
        args.hits = room_.hits.data();
        args.steps = steps();
      });
  count_ = add_ray_stage(
      "count", "Count", "Counts the rays that hit something, and what they tested.",
      [this](const StageRun& run) {
        run.run<Step::count_rays>(CountRaysArgs{
            .hits = room_.hits.data(), .steps = steps(), .n = plan().n, .counts = counts_.data()});
      },
      sizeof(RayHit));
  scatter_ = add_ray_stage(
      "scatter", "Scatter",
      "Adds the light that each path meets, and makes its next ray and a ray towards a light.",
      [this](const StageRun& run) {
        run.run<Step::scatter_paths>(ScatterPathsArgs{.look = values_.device(),
                                                      .mesh = rays_mesh(),
                                                      .lights = lights(),
                                                      .n = plan().n,
                                                      .bounce = round_,
                                                      .rays = room_.rays.data(),
                                                      .hits = room_.hits.data(),
                                                      .shadow = room_.shadow.data(),
                                                      .paths = room_.paths.data(),
                                                      .shadow_rays = room_.shadow_rays.data(),
                                                      .counts = counts_.data()});
      },
      3 * sizeof(BoundedRay) + sizeof(RayHit) + 2 * sizeof(PathState),
      /*repeatable=*/false);  // the rays that go on are where those were that it takes
  shadow_rays_ = add_ray_stage(
      "shadow_rays", "Shadow rays", "Makes a ray from each hit towards the sun.",
      [this](const StageRun& run) {
        run.run<Step::shadow_rays>(ShadowRaysArgs{.look = values_.device(),
                                                  .mesh = rays_mesh(),
                                                  .rays = room_.rays.data(),
                                                  .hits = room_.hits.data(),
                                                  .n = plan().n,
                                                  .round = round_,
                                                  .shadow = room_.shadow.data(),
                                                  .hidden = room_.hidden.data(),
                                                  .out = room_.shadow_rays.data()});
      },
      2 * sizeof(BoundedRay) + sizeof(RayHit));
  shadow_ = add_trace_stage("shadow", "Shadow", "Finds whether anything hides the light.",
                            [this](TraceArgs& args) {
                              args.rays = room_.shadow_rays.data();
                              args.any = room_.shadow.data();
                            });
  shade_ = add_ray_stage(
      "shade", "Shade", "Adds the colour of each ray's hit to its pixel.",
      [this](const StageRun& run) { queue_shade(run); },
      sizeof(BoundedRay) + sizeof(RayHit) + 2 * sizeof(Vec4), /*repeatable=*/false);  // adds
}

void RaysScene::queue_shade(const StageRun& run) {
  if (plan().has_paths())
    run.run<Step::shade_paths>(ShadePathsArgs{.look = values_.device(),
                                              .mesh = rays_mesh(),
                                              .lights = lights(),
                                              .n = plan().n,
                                              .rays = room_.rays.data(),
                                              .hits = room_.hits.data(),
                                              .shadow = room_.shadow.data(),
                                              .paths = room_.paths.data(),
                                              .sums = room_.sums.data()});
  else
    run.run<Step::shade_rays>(
        ShadeRaysArgs{.look = values_.device(),
                      .mesh = rays_mesh(),
                      .rays = room_.rays.data(),
                      .hits = room_.hits.data(),
                      .steps = steps(),
                      .shadow = plan().has_shadows() ? room_.shadow.data() : nullptr,
                      .hidden = room_.hidden.data(),
                      .n = plan().n,
                      .sums = room_.sums.data()});
}

StageId RaysScene::add_ray_stage(const char* name, const char* title, const char* about,
                                 std::function<void(const StageRun&)> queue,
                                 std::uint64_t bytes_of_ray, bool repeatable) {
  return timeline().add({.name = name,
                         .title = title,
                         .about = about,
                         .queue = std::move(queue),
                         .work =
                             [this, bytes_of_ray] {
                               return StageWork{plan().n, plan().n * bytes_of_ray};
                             },
                         .repeatable = repeatable});
}

StageId RaysScene::add_trace_stage(const char* name, const char* title, const char* about,
                                   std::function<void(TraceArgs&)> set_rays) {
  const auto queue = [this, set_rays = std::move(set_rays)](const StageRun& run) {
    TraceArgs all;
    set_rays(all);
    // Room for the rays of the largest picture: pictures change their size, scratch does not.
    all.n = run.measuring() ? most_rays_ : plan().n;
    traced_.trace(run, run.variant(), all);
  };
  return timeline().add(
      {.name = name,
       .title = title,
       .about = about,
       .primitive = Primitive::trace,
       .queue = queue,
       .work =
           [this] {
             return StageWork{plan().n,
                              plan().n * std::uint64_t{sizeof(BoundedRay) + sizeof(RayHit)}};
           },
       .why_not =
           [this](VariantId variant) { return TracedTree::why_not_traced(variant, most_rays_); }});
}

Writer RaysScene::picture_writer() {
  return {.streams = {{"picture", sizeof(std::uint32_t),
                       static_cast<std::uint64_t>(controls()["pixels"])}},
          .write =
              [this](const StageRun& run, const Targets& to) {
                run.run<Step::rays_picture>(RaysPictureArgs{.look = values_.device(),
                                                            .tables = tables_.data(),
                                                            .sums = room_.sums.data(),
                                                            .n = plan().n,
                                                            .out = to.stream<std::uint32_t>(),
                                                            .command = to.command()});
              },
          .work =
              [this](const Targets&) {
                return StageWork{plan().n,
                                 plan().n * std::uint64_t{sizeof(Vec4) + sizeof(std::uint32_t)}};
              },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                const std::vector<Vec4> sums = check.read(room_.sums.data(), plan().n);
                check.command(at.command, picture_command);
                check.stream(at.stream,
                             rays_pixels(*host_tables_, check.read(values_.device()), sums));
              }};
}

RaysLook RaysScene::look_from(const FrameView& wanted) const {
  const FrameView seen = wanted.width > 0 ? wanted : front_view(bounds_);
  const PictureSize size =
      picture_size(seen.width, seen.height, static_cast<std::uint64_t>(controls()["pixels"]));
  RaysLook look = rays_look(seen, size.width, size.height, bounds_);
  look.view = view();
  look.by_rows = controls().choice("order") == 1 ? 1 : 0;
  look.most = static_cast<float>(look.view == RaysView::boxes   ? controls()["most_boxes"]
                                 : look.view == RaysView::tests ? controls()["most_tests"]
                                                                : 1.0);
  look.rounds = look.view == RaysView::shaded ? 1
                : look.view == RaysView::occlusion
                    ? static_cast<std::uint32_t>(controls()["occlusion_rays"])
                    : 0;
  if (look.view == RaysView::occlusion && !bounds_.is_empty()) {
    const Vec3 half = bounds_.max * 0.5F - bounds_.min * 0.5F;
    look.reach = static_cast<float>(controls()["reach"]) * std::hypot(half.x, half.y, half.z);
  }
  if (look.view == RaysView::paths) set_paths(look);
  return look;
}

void RaysScene::set_paths(RaysLook& look) const {
  look.rounds = static_cast<std::uint32_t>(controls()["bounces"]);
  look.light = static_cast<RaysLight>(controls().choice("light"));
  look.seed = static_cast<std::uint32_t>(controls()["seed"]);
  look.to_sun = sun_that_stands_still();
  look.room = path_room_around(bounds_);
}

void RaysScene::make_room_for(const RaysPlan& plan) {
  const bool needs_paths = plan.has_paths() && !room_.has_paths();
  if (room_.n >= plan.n && !needs_paths) return;
  collect();
  timeline().forget_graphs();
  samples_ = 0;
  if (room_.n < plan.n) {
    room_ = {};  // first: both together may not fit
    room_ = {timeline().device(), plan.n};
  }
  if (plan.has_paths()) room_.add_paths(timeline().device());
}

void RaysScene::load(LoadControl& control) {
  Stream& stream = timeline().stream();
  tables_.upload(stream, {host_tables_.get(), 1});
  substances_.upload(stream, host_substances_);
  if (lights_.size() > 0) lights_.upload(stream, host_lights_.lights);
  stream.fill(counts_.data(), 0, counts_.bytes());
  textures_.load(stream, control);
  control.begin_phase("measuring the mesh");
  control.report(0.0F);
  bounds_ = bounds_of_finite(mesh());
  outline_ = outline_of(mesh(), bounds_, Aabb::empty());
  constexpr int of_sample = 9;
  run_phases(control, Vertices::stages + Tree::stages + of_sample, [this] {
    vertices_.upload();
    look_ = look_from({});
    compute();
  });
}

void RaysScene::compute_after(std::span<const StageId> chosen) {
  const StageId first = chosen.front();
  vertices_.compute(first);
  tree_.rebuild(first);
  traced_.compute(first, tracers());
  if (overlap_ && first <= overlap_->stage()) timeline().run(overlap_->stage());
  begin_again(first);
  timeline().queue_read_backs();
}

void RaysScene::begin_again(StageId first) {
  look_.sample = 0;
  look_.samples = 1;
  values_.set(look_);
  RaysPlan again = plan_of(look_);
  set_plan(again);
  make_room_for(again);
  run_sample(first);
  samples_ = 1;
}

void RaysScene::run_sample(StageId first) {
  for (const StageId stage : {camera_, trace_, count_}) run_from(first, stage);
  for (round_ = 0; round_ < plan().rounds; ++round_) {
    run_from(first, plan().has_paths() ? scatter_ : shadow_rays_);
    run_from(first, shadow_);
    if (plan().has_paths()) run_from(first, trace_);
  }
  round_ = 0;
  run_from(first, shade_);
}

void RaysScene::repeat(StageId stage) {
  collect();
  traced_.prepare_for(tracers());
  if (!tree_.repeat(stage)) timeline().run(stage);
  timeline().queue_read_backs();
  collect();
}

RaysPlan RaysScene::plan_frame(const Frame& frame) {
  const auto is_same = [](RaysLook a, RaysLook b) {
    a.sample = b.sample = a.samples = b.samples = 0;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits are what is meant
    return std::memcmp(&a, &b, sizeof a) == 0;
  };
  RaysLook look = look_from(frame.view);
  RaysPlan plan = plan_of(look);
  make_room_for(plan);
  if (!is_same(look, look_)) samples_ = 0;
  plan.is_drawn = is_wanted(image_);
  plan.traces =
      plan.is_drawn && (samples_ == 0 || (frame.seconds > 0.0 && samples_ < wanted_samples()));
  look.sample = plan.traces ? samples_ : look_.sample;
  look.samples = plan.traces ? samples_ + 1 : samples_;
  look_ = look;
  values_.set(look_);
  set_style(0, ImageStyle{look.width, look.height});
  return plan;
}

void RaysScene::queue_stages(const RaysPlan& plan) {
  if (plan.traces) run_sample();
  if (plan.is_drawn) write();
}

void RaysScene::has_queued(const Frame& /*frame*/) {
  if (plan().traces) samples_ = look_.samples;
}

std::vector<Fact> RaysScene::facts() const {
  std::vector<Fact> facts =
      rays_facts(look_, samples_, *read_counts_, timeline().times(trace_).last());
  facts.push_back({.name = "mesh.triangles",
                   .title = "Triangles",
                   .value = std::uint64_t{vertices_.counts().triangles},
                   .tooltip = "Triangles of the mesh, without those that were rejected."});
  facts.push_back({.name = "bvh.sah_cost",
                   .title = "SAH cost",
                   .value = tree_.statistics().sah_cost,
                   .tooltip = "Surface-area heuristic: the expected number of nodes that a ray "
                              "through the root visits. Lower is better."});
  if (overlap_) facts.push_back(overlap_->fact());
  return facts;
}

std::vector<Legend> RaysScene::legends() const {
  std::vector<Legend> legends;
  if (auto of_picture = rays_legend(look_, mesh())) legends.push_back(*std::move(of_picture));
  add_overlay_legends(*this, {.is_picked = is_picked()}, legends);
  return legends;
}

std::vector<Check> RaysScene::verify() {
  const Vertices::Snapshot vertices = vertices_.snapshot();
  std::vector<Check> checks = vertices_.verify(vertices);
  if (!checks.back().difference.empty()) return checks;
  const Tree::Snapshot tree = tree_.snapshot(vertices.counts.vertices);
  if (!append(checks, tree_.verify(tree))) return checks;
  if (!append(checks, traced_.verify(tree))) return checks;
  if (!append(checks, {{"upload", textures_.difference(timeline().stream())}})) return checks;
  if (overlap_ && !append(checks, {overlap_->verify(tree, leaf_triangles_of(tree))})) return checks;
  if (!append(checks, verify_sample(tree))) return checks;
  checks.push_back(check_writers());
  return checks;
}

// The last sample once more, alone, held against the same done sequentially. Leaves the sums as
// they were.
std::vector<Check> RaysScene::verify_sample(const Tree::Snapshot& tree) {
  Stream& stream = timeline().stream();
  const std::uint32_t n = plan().n;
  const std::vector<Vec4> sums = room_.sums.download(stream, n);
  RaysLook look = look_;
  look.sample = samples_ > 0 ? samples_ - 1 : 0;
  values_.set(look);
  room_.spoil(stream);
  run_sample();
  timeline().queue_read_backs();
  collect();
  const RaysSample found{.rays = room_.rays.download(stream, n),
                         .hits = room_.hits.download(stream, n),
                         .steps = room_.steps.download(stream, n),
                         .shadow_rays = room_.shadow_rays.download(stream, n),
                         .shadow = room_.shadow.download(stream, n),
                         .paths = room_.paths.download(stream, n),
                         .sums = room_.sums.download(stream, n),
                         .counts = *read_counts_};
  const Vertices::Snapshot vertices = vertices_.snapshot();
  std::vector<Check> checks = check_rays({.vertices = tree.vertices,
                                          .indices = tree.indices,
                                          .material = vertices.material,
                                          .colours = vertices.colours,
                                          .substances = host_substances_,
                                          .textures = textures_.host(),
                                          .tables = *host_tables_,
                                          .lights = {.lights = host_lights_.lights.data(),
                                                     .count = lights().count,
                                                     .power = host_lights_.power}},
                                         look, found);
  room_.sums.upload(stream, sums);
  values_.set(look_);
  stream.synchronize();
  return checks;
}

std::uint64_t RaysScene::memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t rays = rays_of(static_cast<std::uint64_t>(asked["pixels"]));
  return with_scratch(Vertices::bytes_needed(mesh) + Tree::bytes_needed(mesh.triangle_count()) +
                      TracedTree::bytes_needed(mesh.triangle_count()) + sizeof(RaysTables) +
                      path_light_bytes(mesh) + MeshTextures::bytes_needed(mesh) +
                      rays * RaysRoom::bytes_of_ray);
}

}  // namespace

SceneKind rays_scene() {
  return scene_kind<RaysScene>(
      {.name = "rays",
       .title = "Rays",
       .usage = "rays[:PIXELS] [FILE]",
       .summary = "A mesh, ray traced through its BVH by a tracer of one's choice",
       .invitation = "A ray traced mesh. Set View to Boxes, then choose another tracer.",
       .thumbnail = "rays:262144 generated:knot",
       .controls = rays_controls,
       .size_control = "pixels",
       .own_mesh = default_mesh});
}

}  // namespace warpview
