// The Reyes scene: curved patches that are split until they are small on the screen, diced into
// micropolygons, shaded and drawn, by the scheduler of one's choice.
//
//   each frame:  draw (check -> split -> check ... -> dice and shade -> blend) -> picture
//
// How many pieces a patch comes to depends on the view, and nobody knows beforehand. So the queues
// may turn out too small: what was refused is counted, the queues grow, and the frame is drawn
// again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "gpu/applications/reyes.h"
#include "gpu/primitives/schedule/host_loop.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/patches.h"
#include "scenes/parts/reyes_reference.h"
#include "scenes/parts/surface.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array colourings = {"material", "patches", "grids", "micropolygons", "distance"};

constexpr std::array controls = {
    Control{.name = "pixels",
            .title = "Pixels",
            .tooltip = "Of the picture, at most: where the view has more it is drawn smaller, and "
                       "shown as large.",
            .effect = Effect::remake,
            .initial = 1U << 21U,
            .least = 3072,
            .most = 1U << 23U,
            .whole = true,
            .logarithmic = true,
            .group = "Picture"},
    Control{.name = "samples",
            .title = "Samples",
            .tooltip = "Along a side of a pixel, so that it has the square of it.",
            .effect = Effect::plan,
            .initial = 2,
            .least = 1,
            .most = 4,
            .whole = true,
            .group = "Picture"},
    Control{.name = "size",
            .title = "Micropolygons",
            .tooltip =
                "How long their sides are at most, in pixels. Patches are split until a grid "
                "of 15 x 15 at most will do.",
            .initial = 1,
            .least = 0.5,
            .most = 8,
            .logarithmic = true,
            .unit = "pixels",
            .group = "Picture"},
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip = "patches: each of the input. grids: each piece that was diced. "
                       "micropolygons: each of these. distance: the four levels of priority, near "
                       "before far.",
            .kind = Control::Kind::choice,
            .choices = colourings,
            .group = "Picture"},
    Control{.name = "skip_hidden",
            .title = "Skip what is hidden",
            .tooltip = "Is a sample left alone that something nearer has covered already? The "
                       "picture is the same, and what is near comes first.",
            .kind = Control::Kind::toggle,
            .initial = 1,
            .group = "Picture"},
    crease_control,
};

// The scheduler of a row of the catalogue.
Scheduler scheduler_of(const Variant& variant) {
  const auto* const found = std::find(std::begin(scheduler_names), std::end(scheduler_names),
                                      std::string_view(variant.name));
  return static_cast<Scheduler>(found - std::begin(scheduler_names));
}

// Each level of priority has a queue of its own, but for Blend.
constexpr std::uint32_t queues_of(std::size_t procedure) {
  return procedure == static_cast<std::size_t>(ReyesWork::blend) ? 1 : reyes_levels;
}
constexpr std::size_t item_bytes(std::size_t procedure) {
  return procedure == static_cast<std::size_t>(ReyesWork::blend) ? 3 * sizeof(std::uint32_t)
                                                                 : sizeof(ReyesPiece);
}
constexpr std::uint32_t first_stack = 1U << 11U;
constexpr std::uint32_t most_places = 1U << 30U;

// What queues begin with. All patches are there at once, and where all pieces of a kind are made
// before any is executed, so are these.
std::array<std::uint32_t, reyes_procedures> first_capacities(std::uint64_t patches) {
  constexpr std::uint64_t fewest = 1024;
  constexpr std::uint64_t most = most_places;
  const auto pieces =
      static_cast<std::uint32_t>(std::bit_ceil(std::clamp(patches / 2, fewest, most)));
  std::array<std::uint32_t, reyes_procedures> capacities;
  capacities.fill(pieces);
  capacities[static_cast<std::size_t>(ReyesWork::blend)] = 1U << 16U;
  return capacities;
}
std::uint64_t queue_bytes(std::uint64_t patches) {
  const auto capacities = first_capacities(patches);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < reyes_procedures; ++i)
    sum += std::uint64_t{capacities[i]} * queues_of(i) * (item_bytes(i) + sizeof(std::uint32_t));
  return sum;
}

// From where one looks as long as nobody does: from the front, at all of it.
FrameView front_view(const Aabb& bounds) {
  FrameView view;
  view.width = 32;
  view.height = 24;
  const Vec3 middle = bounds.is_empty() ? Vec3{0.0F, 0.0F, 0.0F} : bounds.centre();
  const Vec3 half = bounds.is_empty() ? Vec3{1.0F, 1.0F, 1.0F} : bounds.max - middle;
  const float radius = std::max(std::sqrt(dot(half, half)), 1e-6F);
  constexpr float focal = 3.0F;
  constexpr float aspect = 4.0F / 3.0F;
  const float distance = 3.2F * radius;
  view.eye = middle + Vec3{0.0F, 0.0F, distance};
  view.to_clip[0] = focal / aspect;
  view.to_clip[5] = focal;
  view.to_clip[11] = -1.0F;
  view.to_clip[12] = -focal / aspect * middle.x;
  view.to_clip[13] = -focal * middle.y;
  view.to_clip[15] = view.eye.z;
  return view;
}

class ReyesScene final : public Scene {
 public:
  ReyesScene(const SceneRequest& request, const SceneKind& kind)
      : Scene(request, checked(request, kind)),
        patches_(patches_of(mesh())),
        n_(static_cast<std::uint32_t>(patches_.patches.size())),
        most_pixels_(static_cast<std::uint64_t>(controls()["pixels"])),
        values_(timeline().values<ReyesView>()),
        on_device_(timeline().device(), n_),
        colours_(timeline().device(), n_),
        status_(timeline().device(), 1),
        micropolygons_(timeline().device(), 1),
        host_(timeline().device()),
        capacities_(first_capacities(n_)) {
    image_ = add_stream(
        {.name = "picture", .element_bytes = sizeof(std::uint32_t), .capacity = most_pixels_});
    command_ = add_command();
    add_output({.kind = OutputKind::image,
                .name = "picture",
                .title = "Picture",
                .key = '1',
                .shown = true,
                .streams = {image_},
                .command = command_,
                .dims = false});
    add_stages();
    read_status_ = timeline().read_back(status_.data());
    read_micropolygons_ = timeline().read_back(micropolygons_.data());
    look_from({});
    make_room_for_samples();
    reserve(0);
  }

  void load(LoadControl& control) override {
    Stream& stream = timeline().stream();
    on_device_.upload(stream, patches_.patches);
    colours_.upload(stream, patches_.colours);
    stream.fill(status_.data(), 0, status_.bytes());
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

  void reset() override {}

  void repeat(StageId stage) override {
    collect();
    if (lacks_room()) grow();
    if (stage == draw_)
      run_draw();
    else
      timeline().run(stage);
    timeline().queue_read_backs();
    collect();
  }

  bool repeats_alone(StageId stage) const override { return stage == draw_; }

  void queue(const Frame& frame) override {
    if (lacks_room()) grow();
    if (!has_scratch_) timeline().reserve_scratch();
    has_scratch_ = true;
    look_from(frame.view);
    make_room_for_samples();
    values_.set(view_);
    frame_ = frame;
    out_ = target<std::uint32_t>(frame, image_);
    set_style(0, {static_cast<float>(width_), static_cast<float>(height_)});
    Timeline::Key key = key_of(frame);
    key.insert(key.end(), {width_, height_, side_});
    timeline().frame(key, frame.timing, [this] {
      if (!out_) return;
      timeline().run(draw_);
      timeline().run(picture_);
    });
    drawn_ = out_ != nullptr;
  }

  bool looks() const override { return true; }
  bool lacks_room() const override {
    const auto& refused = read_status_->refused;
    return drawn_ && std::any_of(refused, refused + reyes_procedures,
                                 [](std::uint32_t count) { return count > 0; });
  }
  bool moving() const override { return false; }
  Aabb bounds() const override {
    Aabb bounds = bounds_of_elements(mesh());
    for (const Vertex& corner : mesh().corners)
      if (std::isfinite(corner.position.x + corner.position.y + corner.position.z))
        bounds = merge(bounds, {corner.position, corner.position});
    return bounds;
  }

  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;
  std::vector<Fact> pick(const Ray& ray) override;

 private:
  // Before anything is made of it.
  static const SceneKind& checked(const SceneRequest& request, const SceneKind& kind) {
    const Mesh& mesh = *request.mesh;
    if (mesh.corners.size() != 3 * mesh.triangle_count() ||
        mesh.patches.size() != mesh.patch_material.size())
      throw Error(fmt::format("the mesh \"{}\"", mesh.name),
                  fmt::format("it has {} corners and {} materials of triangles, {} patches and {} "
                              "materials of these",
                              mesh.corners.size(), mesh.triangle_count(), mesh.patches.size(),
                              mesh.patch_material.size()),
                  "Each triangle needs three corners and a material, each patch a material");
    return kind;
  }

  void look_from(const FrameView& wanted);
  void make_room_for_samples();
  void grow();
  void add_stages();
  void run_draw() {
    if (!has_scratch_) timeline().reserve_scratch();
    has_scratch_ = true;
    timeline().run(draw_);
    drawn_ = true;
  }
  // Draws until all that is seen is there. Waits.
  void draw_in_full() {
    while (lacks_room()) {
      grow();
      run_draw();
      timeline().queue_read_backs();
      collect();
    }
  }
  Scheduler scheduler() const { return scheduler_of(timeline().variant(draw_)); }
  ReyesArgs args_now();
  std::uint64_t sample_count() const { return std::uint64_t{view_.width} * view_.height; }

  Patches patches_;
  std::uint32_t n_;
  std::uint64_t most_pixels_;
  FrameValues<ReyesView> values_;
  Buffer<BezierPatch> on_device_;
  Buffer<std::uint32_t> colours_;
  Buffer<std::uint64_t> samples_;
  Buffer<std::uint32_t> checked_;  // a picture that is verified
  Buffer<ScheduleStatus> status_;
  Buffer<std::uint32_t> micropolygons_;
  HostLoop host_;
  ScheduleReport report_;
  std::array<std::uint32_t, reyes_procedures> capacities_;
  std::uint32_t stack_ = first_stack;
  std::size_t image_ = 0, command_ = 0;
  StageId draw_{}, picture_{};
  ReadBack<ScheduleStatus> read_status_;
  ReadBack<std::uint32_t> read_micropolygons_;
  ReyesView view_{};                                 // of the last frame
  std::uint32_t width_ = 0, height_ = 0, side_ = 1;  // of its picture, in pixels, and of a pixel
  Frame frame_;
  std::uint32_t* out_ = nullptr;  // where the picture goes
  bool drawn_ = false;            // does the status say how the queues did as they are?
  bool has_scratch_ = true;       // false: it could not be had
  std::uint64_t repeats_ = 0;
};

void ReyesScene::look_from(const FrameView& wanted) {
  const FrameView seen = wanted.width > 0 ? wanted : front_view(patches_.bounds);
  width_ = seen.width;
  height_ = seen.height;
  if (const std::uint64_t pixels = std::uint64_t{width_} * height_; pixels > most_pixels_) {
    const double share = std::sqrt(static_cast<double>(most_pixels_) / static_cast<double>(pixels));
    const auto smaller = [share, this](std::uint32_t length) {
      const auto most = static_cast<double>(most_pixels_);
      return static_cast<std::uint32_t>(std::clamp(std::floor(share * length), 1.0, most));
    };
    width_ = smaller(width_);
    height_ = std::min<std::uint32_t>(smaller(height_),
                                      static_cast<std::uint32_t>(most_pixels_ / width_));
  }
  side_ = static_cast<std::uint32_t>(controls()["samples"]);

  std::copy(seen.to_clip.begin(), seen.to_clip.end(), view_.to_clip);
  const auto row = [&seen](std::size_t i) {
    return reyes_unit({seen.to_clip[i], seen.to_clip[4 + i], seen.to_clip[8 + i]});
  };
  view_.eye = seen.eye;
  view_.right = row(0);
  view_.up = row(1);
  view_.backward = row(3) * -1.0F;
  view_.width = width_ * side_;
  view_.height = height_ * side_;
  view_.size = static_cast<float>(controls()["size"]) * static_cast<float>(side_);
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
}

void ReyesScene::make_room_for_samples() {
  if (samples_.size() >= sample_count() && checked_.size() >= std::size_t{width_} * height_) return;
  collect();
  timeline().forget_graphs();
  samples_ = {};  // first: both together may not fit
  checked_ = {};
  samples_ = {timeline().device(), sample_count()};
  checked_ = {timeline().device(), std::size_t{width_} * height_};
}

// After a frame in which items were refused: larger queues, or stacks.
void ReyesScene::grow() {
  const auto capacities = capacities_;
  const std::uint32_t stack = stack_;
  const auto larger = [](std::uint32_t now, std::uint64_t refused) {
    const std::uint64_t wanted = std::max(2 * std::uint64_t{now}, now + refused);
    if (wanted > most_places)
      throw Error("a picture of these patches", fmt::format("it takes queues of {} items", wanted),
                  "Choose larger micropolygons, fewer samples, or another scheduler");
    return std::bit_ceil(static_cast<std::uint32_t>(wanted));
  };
  const auto& refused = read_status_->refused;
  const std::uint32_t most_refused = *std::max_element(refused, refused + reyes_procedures);
  timeline().forget_graphs();
  try {
    if (scheduler() == Scheduler::run_to_completion)
      stack_ = larger(stack_, 0);
    else
      for (std::size_t i = 0; i < reyes_procedures; ++i)
        if (refused[i] > 0) capacities_[i] = larger(capacities_[i], refused[i] / queues_of(i));
    timeline().reserve_scratch();
  } catch (const Error& error) {
    capacities_ = capacities;
    stack_ = stack;
    drawn_ = false;
    has_scratch_ = false;
    throw Error("a picture of these patches",
                fmt::format("its queues are too small for {} items, and larger ones cannot be had: "
                            "{}",
                            most_refused, error.what()),
                "Choose larger micropolygons, fewer samples, or another scheduler");
  }
  drawn_ = false;
  ++repeats_;
}

ReyesArgs ReyesScene::args_now() {
  ReyesArgs args{.patches = on_device_.data(),
                 .colours = colours_.data(),
                 .n = n_,
                 .view = values_.device(),
                 .samples = samples_.data(),
                 .sample_count = sample_count(),
                 .micropolygons = micropolygons_.data(),
                 .scheduler = scheduler(),
                 .host = &host_};
  std::copy(capacities_.begin(), capacities_.end(), args.settings.capacity);
  args.settings.stack = stack_;
  if (args.scheduler == Scheduler::run_to_completion) {
    // Stacks are long, since all that a grid covers goes onto one: so many blocks as they fit for.
    constexpr std::uint64_t most_bytes = 512U << 20U;
    std::uint64_t of_block = 0;
    for (std::size_t i = 0; i < reyes_procedures; ++i)
      of_block += std::uint64_t{stack_} * item_bytes(i);
    args.settings.most_blocks =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(most_bytes / of_block, 1));
  }
  args.settings.status = status_.data();
  args.settings.report = &report_;
  return args;
}

void ReyesScene::add_stages() {
  draw_ = timeline().add({.name = "draw",
                          .title = "Split, dice, blend",
                          .primitive = Primitive::schedule,
                          .queue =
                              [this](const StageRun& run) {
                                if (!run.measuring()) report_ = {};
                                run.run<Step::draw_reyes>(args_now());
                              },
                          .work =
                              [this] {
                                return StageWork{n_, n_ * sizeof(BezierPatch) +
                                                         sample_count() * sizeof(std::uint64_t)};
                              },
                          .waits = [this] { return host_looks(scheduler()); }});
  picture_ = timeline().add(
      {.name = "picture",
       .title = "Picture",
       .queue =
           [this](const StageRun& run) {
             if (run.measuring()) return;
             run.run<Step::reyes_picture>(ReyesPictureArgs{.samples = samples_.data(),
                                                           .width = width_,
                                                           .height = height_,
                                                           .side = side_,
                                                           .out = out_,
                                                           .command = command(command_)});
             queue_commands(frame_);
           },
       .work =
           [this] {
             const std::uint64_t pixels = std::uint64_t{width_} * height_;
             return StageWork{
                 pixels, sample_count() * sizeof(std::uint64_t) + pixels * sizeof(std::uint32_t)};
           },
       .repeatable = false});
}

std::vector<Fact> ReyesScene::facts() const {
  const auto& executed = read_status_->executed;
  const auto items = [&executed](ReyesWork work) {
    return std::uint64_t{executed[static_cast<std::size_t>(work)]};
  };
  return {
      {.name = "reyes.picture",
       .title = "Picture",
       .value = fmt::format("{} x {}, {} samples a pixel", width_, height_, side_ * side_)},
      {.name = "reyes.patches", .title = "Patches", .value = std::uint64_t{n_}},
      {.name = "reyes.checked",
       .title = "Checked",
       .value = items(ReyesWork::check),
       .tooltip = "Patches and pieces of which it was decided whether they are seen, and small "
                  "enough."},
      {.name = "reyes.splits",
       .title = "Splits",
       .value = items(ReyesWork::split_u) + items(ReyesWork::split_v)},
      {.name = "reyes.grids",
       .title = "Grids",
       .value = items(ReyesWork::dice),
       .tooltip = "Pieces that were diced and shaded, at 16 x 16 points at most."},
      {.name = "reyes.micropolygons",
       .title = "Micropolygons",
       .value = std::uint64_t{*read_micropolygons_}},
      {.name = "reyes.blended",
       .title = "Blended",
       .value = items(ReyesWork::blend),
       .tooltip = "Samples of micropolygons that went into the picture, or tried to. Where what is "
                  "hidden is skipped it depends on who comes first.",
       .varies = true},
      {.name = "reyes.refused",
       .title = "Refused",
       .value = std::accumulate(read_status_->refused, read_status_->refused + reyes_procedures,
                                std::uint64_t{0}),
       .tooltip = "Items of the last frame that a queue had no room for: then it is drawn again, "
                  "with larger ones."},
      {.name = "reyes.repeats",
       .title = "Drawn again",
       .value = repeats_,
       .tooltip = "How often a queue was too small so far.",
       .varies = true},
      {.name = "reyes.launches",
       .title = "Launches",
       .value = std::uint64_t{report_.launches} + read_status_->launches,
       .tooltip = "Of kernels, by the host and by kernels, for the last frame.",
       .varies = true},
      {.name = "reyes.waits",
       .title = "Host waits",
       .value = std::uint64_t{report_.synchronisations},
       .tooltip = "How often the host waited for the device to see what there was to do.",
       .varies = true},
      {.name = "reyes.failed_takes",
       .title = "Asked in vain",
       .value = std::uint64_t{read_status_->failed_takes},
       .tooltip = "How often a block asked the queues and found nothing.",
       .varies = true},
  };
}

// The picture once more, held against the same drawn sequentially.
std::vector<Check> ReyesScene::verify() {
  collect();
  if (lacks_room()) grow();
  Stream& stream = timeline().stream();
  constexpr std::uint8_t spoiled = 0x5a;
  values_.set(view_);
  stream.fill(samples_.data(), spoiled, samples_.bytes());
  run_draw();
  timeline().queue_read_backs();
  collect();
  draw_in_full();
  const std::vector<std::uint64_t> found = samples_.download(stream, sample_count());
  const ReyesReference expected = reyes_one_by_one(patches_.patches, patches_.colours, view_);
  std::vector<Check> checks = {{"draw", difference("sample", found, expected.samples)}};
  for (std::size_t i = 0; i < reyes_procedures && checks[0].difference.empty(); ++i) {
    constexpr std::array names = {"checks", "splits along u", "splits along v", "grids", "blends"};
    // Of what is hidden it depends on the order how much is skipped.
    const bool is_told = i != static_cast<std::size_t>(ReyesWork::blend) || view_.skips_hidden == 0;
    if (is_told)
      checks[0].difference =
          difference(fmt::format("the number of {}", names[i]),
                     std::uint64_t{read_status_->executed[i]}, expected.executed[i]);
  }
  if (checks[0].difference.empty())
    checks[0].difference = difference("the number of micropolygons",
                                      std::uint64_t{*read_micropolygons_}, expected.micropolygons);

  stream.fill(checked_.data(), spoiled, checked_.bytes());
  std::uint32_t* const out = std::exchange(out_, checked_.data());
  DrawCommand* const commands = std::exchange(frame_.commands, nullptr);
  timeline().run(picture_);
  collect();
  out_ = out;
  frame_.commands = commands;
  checks.push_back(
      {"picture", difference("pixel", checked_.download(stream, std::size_t{width_} * height_),
                             reyes_pixels(found, width_, height_, side_))});
  return checks;
}

std::vector<Fact> ReyesScene::pick(const Ray& ray) {
  const std::optional<PatchHit> hit = first_hit(patches_, ray);
  if (!hit) return {};
  return {{.name = "pick.patch", .title = "Patch", .value = std::uint64_t{hit->patch}},
          {.name = "pick.u", .title = "u", .value = double{hit->u}},
          {.name = "pick.v", .title = "v", .value = double{hit->v}},
          {.name = "pick.place", .title = "At", .value = ray.origin + ray.direction * hit->t}};
}

// --- What it is called

std::unique_ptr<Scene> make(const SceneRequest& request);
std::uint64_t memory(const Mesh& mesh, const Controls& asked);

constexpr SceneKind kind = {
    .name = "reyes",
    .title = "Reyes",
    .spelling = "reyes[:PIXELS] [FILE]",
    .summary = "Curved patches, split, diced and shaded by a scheduler of work that begets work",
    .controls = controls,
    .size_control = "pixels",
    .own_mesh = teapot_mesh,
    .make = make,
    .memory = memory};

std::unique_ptr<Scene> make(const SceneRequest& request) {
  return std::make_unique<ReyesScene>(request, kind);
}

// With queues of twice their first size.
std::uint64_t memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t patches = mesh.patches.empty() ? mesh.triangle_count() : mesh.patches.size();
  const auto pixels = static_cast<std::uint64_t>(asked["pixels"]);
  const auto side = static_cast<std::uint64_t>(asked["samples"]);
  constexpr std::uint64_t slots = 3;
  return with_scratch(
      patches * (sizeof(BezierPatch) + sizeof(std::uint32_t)) +
      pixels * ((slots + 1) * sizeof(std::uint32_t) + side * side * sizeof(std::uint64_t)) +
      2 * queue_bytes(patches));
}

}  // namespace

const SceneKind& reyes_scene() { return kind; }

}  // namespace warpview
