// The Reyes scene: curved patches that are split until they are small on the screen, diced into
// micropolygons, shaded and drawn, by the scheduler of one's choice.
//
//   each frame:  draw (check -> split -> check ... -> dice and shade -> blend) -> picture
//
// The number of pieces of a patch depends on the view and is unknown in advance. The queues
// may turn out too small: what was refused is counted, the queues grow, and the frame is drawn
// again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/applications/reyes.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/patches.h"
#include "scenes/parts/picture_view.h"
#include "scenes/parts/reyes_reference.h"
#include "scenes/parts/scheduled_work.h"
#include "scenes/parts/surface.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array reyes_colourings = {"material", "patches", "grids", "micropolygons",
                                         "distance"};

constexpr std::array reyes_controls = {
    pixels_control,
    samples_control,
    Control{.name = "size",
            .title = "Micropolygons",
            .tooltip = "Maximum side of a micropolygon, in pixels. Patches are split until a grid "
                       "of at most 15 x 15 suffices.",
            .initial = 1,
            .least = 0.5,
            .most = 8,
            .logarithmic = true,
            .unit = "pixels",
            .group = "Picture"},
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip =
                "patches: each patch of the input. grids: each piece that was diced. "
                "micropolygons: each micropolygon. distance: the four priorities, near before far.",
            .kind = Control::Kind::choice,
            .choices = reyes_colourings,
            .group = "Picture"},
    Control{.name = "skip_hidden",
            .title = "Cull occluded",
            .tooltip = "Skips samples that something nearer already covers. The picture is the "
                       "same, and near work runs first.",
            .kind = Control::Kind::toggle,
            .initial = 1,
            .group = "Picture"},
    crease_control,
    timeline_control,
};

// Each level of priority has a queue of its own, but for Blend. All patches are there at once, and
// where all pieces of a kind are made before any is executed, so are these.
std::vector<ScheduledWork::Procedure> procedures_of(std::uint64_t patches) {
  const std::uint32_t pieces =
      ScheduledWork::capacity_for(std::max<std::uint64_t>(patches / 2, 1024));
  std::vector<ScheduledWork::Procedure> procedures(
      reyes_procedures,
      {.levels = reyes_levels, .item_bytes = sizeof(ReyesPiece), .capacity = pieces});
  constexpr std::array titles = {"Check", "Split u", "Split v", "Dice, shade"};
  for (std::size_t i = 0; i < titles.size(); ++i) procedures[i].title = titles[i];
  procedures[static_cast<std::size_t>(ReyesWork::blend)] = {.title = "Blend",
                                                            .levels = 1,
                                                            .item_bytes = 3 * sizeof(std::uint32_t),
                                                            .capacity = 1U << 16U};
  return procedures;
}

struct ReyesPlan {
  std::uint32_t width = 0, height = 0;  // of the picture, in pixels
  std::uint32_t side = 1;               // of a pixel, in samples
  bool is_drawn = true;
  bool is_traced = false;  // ScheduledWork::trace()

  std::uint64_t pixels() const { return std::uint64_t{width} * height; }
  std::uint64_t samples() const { return pixels() * side * side; }

  bool operator==(const ReyesPlan&) const = default;
};

class ReyesScene final : public Planned<ReyesPlan> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  ReyesScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, checked(request, kind)),
        patches_(patches_of(mesh())),
        n_(static_cast<std::uint32_t>(patches_.patches.size())),
        most_pixels_(static_cast<std::uint64_t>(controls()["pixels"])),
        values_(timeline().values<ReyesView>()),
        on_device_(timeline().device(), n_),
        colours_(timeline().device(), n_),
        micropolygons_(timeline().device(), 1),
        work_(timeline(),
              {"a picture of these patches",
               "Choose larger micropolygons, fewer samples, or another scheduler"},
              procedures_of(n_)) {
    image_ = add_output({.kind = OutputKind::image,
                         .name = "picture",
                         .title = "Picture",
                         .about = "The picture of the patches, made of micropolygons.",
                         .key = '1',
                         .shown = true,
                         .dims_surfaces = false},
                        picture_writer())
                 .stream;
    add_draw();
    read_micropolygons_ = timeline().read_back(micropolygons_.data());
    set_plan(look_from({}));
    make_room_for(plan().samples());
    reserve("picture", "Picture",
            "Resolves the samples of each pixel into the picture that is shown.");
  }

  void load(LoadControl& control) override {
    Stream& stream = timeline().stream();
    on_device_.upload(stream, patches_.patches);
    colours_.upload(stream, patches_.colours);
    work_.clear(stream);
    stream.fill(micropolygons_.data(), 0, micropolygons_.bytes());
    run_phases(control, 1, [this] {
      values_.set(view_);
      run_draw();
      timeline().queue_read_backs();
    });
    draw_in_full();
  }

  void compute_after(std::span<const StageId> /*chosen*/) override {
    run_draw();
    timeline().queue_read_backs();
  }

  void repeat(StageId stage) override {
    collect();
    if (lacks_room()) work_.grow();
    if (stage == draw_)
      run_draw();
    else
      timeline().run(stage);
    timeline().queue_read_backs();
    collect();
  }

  bool repeats_alone(StageId stage) const override { return stage == draw_; }

  ReyesPlan plan_frame(const Frame& frame) override {
    if (lacks_room()) work_.grow();
    work_.reserve();
    const ReyesPlan plan = look_from(frame.view);
    make_room_for(plan.samples());
    values_.set(view_);
    set_style(0, ImageStyle{plan.width, plan.height});
    return plan;
  }

  void queue_stages(const ReyesPlan& plan) override {
    if (!plan.is_drawn) return;
    timeline().run(draw_);
    write();
  }

  void has_queued(const Frame& /*frame*/) override { work_.has_run(plan().is_drawn); }

  bool depends_on_view() const override { return true; }
  bool lacks_room() const override { return work_.lacks_room(); }
  std::optional<BlocksAtWork> blocks_at_work() const override { return work_.blocks_at_work(); }
  Aabb bounds() const override {
    Aabb bounds = bounds_of_elements(mesh());
    for (const Vertex& corner : mesh().corners)
      if (std::isfinite(corner.position.x + corner.position.y + corner.position.z))
        bounds = merge(bounds, {corner.position, corner.position});
    return bounds;
  }

  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;
  PickResult pick(const Ray& ray) override;

 private:
  // Before anything is made of it.
  static const SceneKind& checked(const SceneRequest& request, const SceneKind& kind) {
    const Mesh& mesh = *request.mesh;
    if (mesh.patches.size() != mesh.patch_material.size())
      throw Error(fmt::format("the mesh \"{}\"", mesh.name),
                  fmt::format("it has {} patches and {} materials of patches", mesh.patches.size(),
                              mesh.patch_material.size()),
                  "Each patch needs a material");
    return kind;
  }

  // Sets view_.
  ReyesPlan look_from(const FrameView& wanted);
  void make_room_for(std::uint64_t samples);
  void add_draw();
  Writer picture_writer();
  void run_draw() {
    work_.reserve();
    timeline().run(draw_);
    work_.has_run(true);
  }
  // Draws until all that is seen is there. Waits.
  void draw_in_full() {
    while (lacks_room()) {
      work_.grow();
      run_draw();
      timeline().queue_read_backs();
      collect();
    }
  }

  Patches patches_;
  std::uint32_t n_;
  std::uint64_t most_pixels_;
  FrameValues<ReyesView> values_;
  Buffer<BezierPatch> on_device_;
  Buffer<std::uint32_t> colours_;
  Buffer<std::uint64_t> samples_;
  Buffer<std::uint32_t> micropolygons_;
  ScheduledWork work_;
  std::size_t image_ = 0;  // the stream
  StageId draw_{};
  ReadBack<std::uint32_t> read_micropolygons_;
  ReyesView view_{};  // of the last frame
};

ReyesPlan ReyesScene::look_from(const FrameView& wanted) {
  const FrameView seen = wanted.width > 0 ? wanted : front_view(patches_.bounds);
  const PictureSize size = picture_size(seen.width, seen.height, most_pixels_);
  const ReyesPlan plan{.width = size.width,
                       .height = size.height,
                       .side = static_cast<std::uint32_t>(controls()["samples"]),
                       .is_drawn = is_wanted(image_),
                       .is_traced = work_.trace(controls())};

  std::copy(seen.to_clip.begin(), seen.to_clip.end(), view_.to_clip);
  const auto row = [&seen](std::size_t i) {
    return reyes_unit({seen.to_clip[i], seen.to_clip[4 + i], seen.to_clip[8 + i]});
  };
  view_.eye = seen.eye;
  view_.right = row(0);
  view_.up = row(1);
  view_.backward = row(3) * -1.0F;
  view_.width = plan.width * plan.side;
  view_.height = plan.height * plan.side;
  view_.size = static_cast<float>(controls()["size"]) * static_cast<float>(plan.side);
  view_.colouring = static_cast<ReyesColouring>(controls().choice("colour_by"));
  view_.skips_hidden = controls().on("skip_hidden") ? 1 : 0;

  // Distances of the box's corners, along where one looks.
  float first = 0.0F;
  float last = 0.0F;
  float extent = 0.0F;
  if (!patches_.bounds.is_empty()) {
    const Vec3 middle = patches_.bounds.centre();
    const Vec3 half = patches_.bounds.max - middle;
    const float distance = dot(middle - view_.eye, view_.backward * -1.0F);
    const float reach = std::abs(half.x * view_.backward.x) + std::abs(half.y * view_.backward.y) +
                        std::abs(half.z * view_.backward.z);
    first = distance - reach;
    last = distance + reach;
    extent = std::sqrt(dot(half, half));
  }
  constexpr float nearest_share = 1e-3F;
  const float least = std::max(nearest_share * extent, 1e-6F);
  view_.nearest = std::max(0.999F * first, least);
  view_.farthest = std::max(last, view_.nearest + least);
  return plan;
}

void ReyesScene::make_room_for(std::uint64_t samples) {
  if (samples_.size() >= samples) return;
  collect();
  timeline().forget_graphs();
  samples_ = {};  // first: both together may not fit
  samples_ = {timeline().device(), samples};
}

void ReyesScene::add_draw() {
  draw_ = work_.add_stage<Step::draw_reyes>(
      "draw", "Split, dice, blend",
      "Splits patches until they are small, dices them into micropolygons, shades these and blends "
      "them into samples.",
      [this] {
        return ReyesArgs{.patches = on_device_.data(),
                         .colours = colours_.data(),
                         .n = n_,
                         .view = values_.device(),
                         .samples = samples_.data(),
                         .sample_count = plan().samples(),
                         .micropolygons = micropolygons_.data()};
      },
      [this] {
        return StageWork{n_, n_ * sizeof(BezierPatch) + plan().samples() * sizeof(std::uint64_t)};
      });
}

Writer ReyesScene::picture_writer() {
  return {.streams = {{"picture", sizeof(std::uint32_t), most_pixels_}},
          .write =
              [this](const StageRun& run, const Targets& to) {
                run.run<Step::reyes_picture>(ReyesPictureArgs{.samples = samples_.data(),
                                                              .width = plan().width,
                                                              .height = plan().height,
                                                              .side = plan().side,
                                                              .out = to.stream<std::uint32_t>(),
                                                              .command = to.command()});
              },
          .work =
              [this](const Targets&) {
                const std::uint64_t pixels = plan().pixels();
                return StageWork{pixels, plan().samples() * sizeof(std::uint64_t) +
                                             pixels * sizeof(std::uint32_t)};
              },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                const auto samples = check.read(samples_.data(), plan().samples());
                check.command(at.command, picture_command);
                check.stream(at.stream,
                             reyes_pixels(samples, plan().width, plan().height, plan().side));
              }};
}

std::vector<Fact> ReyesScene::facts() const {
  const auto& executed = work_.status().executed;
  const auto items = [&executed](ReyesWork work) {
    return std::uint64_t{executed[static_cast<std::size_t>(work)]};
  };
  std::vector<Fact> facts = {
      {.name = "reyes.picture",
       .title = "Picture",
       .value = fmt::format("{} x {}, {} samples a pixel", plan().width, plan().height,
                            plan().side * plan().side),
       .tooltip = "Size of the picture, and its samples."},
      {.name = "reyes.patches",
       .title = "Patches",
       .value = std::uint64_t{n_},
       .tooltip = "Curved patches of the model."},
      {.name = "reyes.checked",
       .title = "Checked",
       .value = items(ReyesWork::check),
       .tooltip = "Patches and pieces tested for visibility and size."},
      {.name = "reyes.splits",
       .title = "Splits",
       .value = items(ReyesWork::split_u) + items(ReyesWork::split_v),
       .tooltip = "Patches that were split in two, in the last frame."},
      {.name = "reyes.grids",
       .title = "Grids",
       .value = items(ReyesWork::dice),
       .tooltip = "Pieces that were diced and shaded, with at most 16 x 16 points."},
      {.name = "reyes.micropolygons",
       .title = "Micropolygons",
       .value = std::uint64_t{*read_micropolygons_},
       .tooltip = "Quads that the patches were diced into, in the last frame."},
      {.name = "reyes.blended",
       .title = "Blended",
       .value = items(ReyesWork::blend),
       .tooltip = "Micropolygon samples blended into the picture, or rejected by the depth test. "
                  "With culling the number depends on the order of execution.",
       .varies = true},
  };
  work_.append_facts("reyes", facts);
  return facts;
}

// The picture once more, held against the same drawn sequentially.
std::vector<Check> ReyesScene::verify() {
  collect();
  if (lacks_room()) work_.grow();
  Stream& stream = timeline().stream();
  constexpr std::uint8_t spoiled = 0x5a;
  values_.set(view_);
  stream.fill(samples_.data(), spoiled, samples_.bytes());
  run_draw();
  timeline().queue_read_backs();
  collect();
  draw_in_full();
  const std::vector<std::uint64_t> found = samples_.download(stream, plan().samples());
  const ReyesReference expected = reyes_one_by_one(patches_.patches, patches_.colours, view_);
  std::vector<Check> checks = {{"draw", difference("sample", found, expected.samples)}};
  for (std::size_t i = 0; i < reyes_procedures && checks[0].difference.empty(); ++i) {
    constexpr std::array names = {"checks", "splits along u", "splits along v", "grids", "blends"};
    // The number of culled samples depends on the order of execution.
    const bool is_told = i != static_cast<std::size_t>(ReyesWork::blend) || view_.skips_hidden == 0;
    if (is_told)
      checks[0].difference =
          difference(fmt::format("the number of {}", names[i]),
                     std::uint64_t{work_.status().executed[i]}, expected.executed[i]);
  }
  if (checks[0].difference.empty())
    checks[0].difference = difference("the number of micropolygons",
                                      std::uint64_t{*read_micropolygons_}, expected.micropolygons);

  checks.push_back(check_writers());
  return checks;
}

PickResult ReyesScene::pick(const Ray& ray) {
  const std::optional<PatchHit> hit = first_hit(patches_, ray);
  if (!hit) return {};
  PickResult result{.facts = {{.name = "pick.patch",
                               .title = "Patch",
                               .value = std::uint64_t{hit->patch},
                               .tooltip = "Number of the patch that the ray hit, from 0."},
                              {.name = "pick.u",
                               .title = "u",
                               .value = double{hit->u},
                               .tooltip = "First parameter of the place on the patch, 0 to 1."},
                              {.name = "pick.v",
                               .title = "v",
                               .value = double{hit->v},
                               .tooltip = "Second parameter of the place on the patch, 0 to 1."}}};
  result.hit(ray.origin + ray.direction * hit->t);
  return result;
}

// With queues of twice their first size.
std::uint64_t ReyesScene::memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t patches = mesh.patches.empty() ? mesh.triangle_count() : mesh.patches.size();
  const auto pixels = static_cast<std::uint64_t>(asked["pixels"]);
  const auto side = static_cast<std::uint64_t>(asked["samples"]);
  return with_scratch(patches * (sizeof(BezierPatch) + sizeof(std::uint32_t)) +
                      pixels * side * side * sizeof(std::uint64_t) +
                      2 * ScheduledWork::queue_bytes(procedures_of(patches)));
}

}  // namespace

SceneKind reyes_scene() {
  return scene_kind<ReyesScene>(
      {.name = "reyes",
       .title = "Reyes",
       .usage = "reyes[:PIXELS] [FILE]",
       .summary =
           "Curved patches, split, diced and shaded by a scheduler of dynamically generated work",
       .invitation = "Curved patches, split until they are tiny. Zoom in, click one.",
       .thumbnail = "reyes:262144 --set samples=1",
       .controls = reyes_controls,
       .size_control = "pixels",
       .own_mesh = teapot_mesh,
       .stands_still = true});
}

}  // namespace warpview
