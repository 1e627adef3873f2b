// The scene of filled paths: an SVG file's, cut into tiles level by level and rasterised by the
// scheduler of one's choice.
//
//   each frame:  flatten -> draw (coarse -> coarse ... -> fine) -> order -> picture
//
// The number of edges of a curve and of tiles of a path depends on the view and is unknown in
// advance. The queues, and the arrays that all of it goes into, may turn out too small:
// what there was is counted, they grow, and the frame is drawn again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "gpu/applications/svg.h"
#include "gpu/primitives/sort/sort.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/drawn.h"
#include "scenes/parts/filled_paths.h"
#include "scenes/parts/picture_view.h"
#include "scenes/parts/scheduled_work.h"
#include "scenes/parts/svg_reference.h"
#include "scenes/planned.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

constexpr std::array colourings = {"fill", "paths", "levels", "edges"};

constexpr std::array controls = {
    pixels_control,
    samples_control,
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip = "fill: the file's colour. paths: one colour per path. levels: number of "
                       "cuts until a path's coverage of a tile was resolved. edges: number of "
                       "edges tested per sample, in partial tiles.",
            .kind = Control::Kind::choice,
            .choices = colourings,
            .group = "Picture"},
    Control{.name = "page",
            .title = "White page",
            .tooltip = "Draws a white page behind the paths.",
            .kind = Control::Kind::toggle,
            .initial = 1,
            .group = "Picture"},
    timeline_control,
};

constexpr ScheduledWork::Words words = {"a picture of these paths",
                                        "Choose fewer samples or pixels, or another scheduler"};

// All paths are there at once.
std::vector<ScheduledWork::Procedure> procedures_of(std::uint64_t paths) {
  constexpr std::uint32_t item_bytes = 11 * sizeof(std::uint32_t);
  const std::uint32_t coarse =
      ScheduledWork::capacity_for(std::max<std::uint64_t>(paths, 1U << 10U));
  std::vector<ScheduledWork::Procedure> procedures(
      svg_procedures, {.levels = 1, .item_bytes = item_bytes, .capacity = coarse});
  constexpr std::array<const char*, svg_procedures> titles = {"Cut 8 x 2", "Cut 2 x 8", "Cut 8 x 8",
                                                              "Rasterise"};
  for (std::size_t i = 0; i < titles.size(); ++i) procedures[i].title = titles[i];
  procedures[static_cast<std::size_t>(SvgWork::fine)].capacity =
      ScheduledWork::capacity_for(std::max<std::uint64_t>(2 * paths, 1U << 12U));
  return procedures;
}

// What the arrays have room for.
struct Room {
  std::uint32_t edges = 0, places = 0, records = 0, masks = 0;
};
Room first_room(std::uint64_t paths, std::uint64_t segments) {
  const auto room = [](std::uint64_t items) {
    return static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp<std::uint64_t>(items, 1U << 10U, 1U << 29U)));
  };
  return {room(2 * segments + (1U << 11U)), room(4 * segments + (1U << 12U)),
          room(2 * paths + (1U << 12U)), room(2 * paths + (1U << 11U))};
}
std::uint64_t bytes_of(const Room& room, std::uint32_t side) {
  return room.edges * sizeof(SvgEdge) + room.places * std::uint64_t{4} +
         room.records * (2 * sizeof(std::uint64_t) + 4 + sizeof(SvgRecord)) +
         std::uint64_t{room.masks} * svg_mask_words(side) * 4;
}

struct SvgPlan {
  std::uint32_t width = 0, height = 0;  // of the picture, in pixels
  std::uint32_t side = 0;               // of a pixel, in samples
  bool is_drawn = true;
  bool is_traced = false;  // ScheduledWork::trace()

  std::uint64_t pixels() const { return std::uint64_t{width} * height; }

  bool operator==(const SvgPlan&) const = default;
};

class SvgScene final : public Planned<SvgPlan> {
 public:
  static std::uint64_t memory(const Mesh& mesh, const Controls& asked);

  SvgScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, checked(request, kind)),
        paths_(filled_paths_of(mesh())),
        n_(static_cast<std::uint32_t>(paths_.picture.paths.size())),
        most_pixels_(static_cast<std::uint64_t>(controls()["pixels"])),
        values_(timeline().values<SvgView>()),
        on_device_(timeline().device(), n_),
        segments_(timeline().device(), paths_.picture.segments.size()),
        outlines_(timeline().device(), n_),
        counts_(timeline().device(), 1),
        work_(timeline(), words, procedures_of(n_)) {
    image_ = add_output({.kind = OutputKind::image,
                         .name = "picture",
                         .title = "Picture",
                         .about = "The filled paths, drawn by kernels.",
                         .key = '1',
                         .shown = true,
                         .dims_surfaces = false},
                        picture_writer())
                 .stream;
    set_plan(look_from({}));
    make_room(first_room(n_, paths_.picture.segments.size()));
    add_stages();
    read_counts_ = timeline().read_back(counts_.data());
    reserve("picture", "Picture",
            "Resolves the samples of each pixel into the picture that is shown.");
  }

  void load(LoadControl& control) override {
    Stream& stream = timeline().stream();
    on_device_.upload(stream, paths_.picture.paths);
    segments_.upload(stream, paths_.picture.segments);
    work_.clear(stream);
    stream.fill(counts_.data(), 0, counts_.bytes());
    run_phases(control, 3, [this] {
      values_.set(view_);
      run_all();
      timeline().queue_read_backs();
    });
    draw_in_full();
  }

  void compute_after(std::span<const StageId> chosen) override {
    for (const StageId stage : {flatten_, draw_, order_})
      if (stage >= chosen.front()) run(stage);
    timeline().queue_read_backs();
  }

  void repeat(StageId stage) override {
    collect();
    if (lacks_room()) grow();
    work_.reserve();
    timeline().run(stage);
    // Its records lie in another order now, and what they were computed from in another one.
    if (stage == flatten_) timeline().run_untimed(draw_);
    if (stage == flatten_ || stage == draw_) timeline().run_untimed(order_);
    timeline().queue_read_backs();
    collect();
  }
  bool repeats_alone(StageId stage) const override { return stage == draw_ || stage == order_; }

  SvgPlan plan_frame(const Frame& frame) override {
    if (lacks_room()) grow();
    work_.reserve();
    const SvgPlan plan = look_from(frame.view);
    make_room({});
    values_.set(view_);
    set_style(0, ImageStyle{plan.width, plan.height});
    return plan;
  }

  void queue_stages(const SvgPlan& plan) override {
    if (!plan.is_drawn) return;
    for (const StageId stage : {flatten_, draw_, order_}) timeline().run(stage);
    write();
  }

  void has_queued(const Frame& /*frame*/) override { has_run(plan().is_drawn); }

  bool depends_on_view() const override { return true; }
  bool lacks_room() const override { return work_.lacks_room() || (has_run_ && lacks_places()); }
  std::optional<BlocksAtWork> blocks_at_work() const override { return work_.blocks_at_work(); }
  Aabb bounds() const override {
    return paths_.picture.page.is_empty() ? paths_.bounds : paths_.picture.page;
  }
  std::vector<Legend> legends() const override;
  std::vector<Fact> facts() const override;
  std::vector<Check> verify() override;
  PickResult pick(const Ray& ray) override;

 private:
  // Before anything is made of it.
  static const SceneKind& checked(const SceneRequest& request, const SceneKind& kind) {
    const Mesh& mesh = *request.mesh;
    const std::uint64_t paths =
        std::max<std::uint64_t>(mesh.picture.paths.size(), mesh.triangle_count());
    if (paths >= svg_most_paths)
      throw Error(fmt::format("a picture of \"{}\"", mesh.name),
                  fmt::format("it has {} paths; the limit is {}", paths, svg_most_paths - 1),
                  "Open a smaller one");
    return kind;
  }

  // Sets view_.
  SvgPlan look_from(const FrameView& wanted);
  void make_room(const Room& wanted);
  void grow();
  void add_stages();
  bool lacks_places() const {
    const SvgCounts& counts = *read_counts_;
    return counts.edges > room_.edges || counts.places > room_.places ||
           counts.records > room_.records || counts.masks > room_.masks;
  }
  void has_run(bool has) {
    has_run_ = has;
    work_.has_run(has);
  }
  void run(StageId stage) {
    work_.reserve();
    timeline().run(stage);
    has_run(true);
  }
  void run_all() {
    for (const StageId stage : {flatten_, draw_, order_}) run(stage);
  }
  // Draws until all that is seen is there. Waits.
  void draw_in_full() {
    while (lacks_room()) {
      grow();
      run_all();
      timeline().queue_read_backs();
      collect();
    }
  }
  SvgPaths paths() const { return {on_device_.data(), segments_.data(), n_}; }
  SvgEdges edges() const { return {outlines_.data(), edges_.data(), room_.edges}; }
  SvgDrawArgs draw_args();
  SvgPictureArgs picture_args(const Targets& to) const;
  Writer picture_writer();

  FilledPaths paths_;
  std::uint32_t n_;
  std::uint64_t most_pixels_;
  FrameValues<SvgView> values_;
  Buffer<SvgPath> on_device_;
  Buffer<SvgSegment> segments_;
  Buffer<SvgOutline> outlines_;
  Buffer<SvgCounts> counts_;
  Buffer<SvgEdge> edges_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint64_t> keys_, sorted_;
  Buffer<std::uint32_t> order_of_;
  Buffer<SvgRecord> records_;
  Buffer<std::uint32_t> masks_;
  Room room_;
  std::uint32_t mask_words_ = 0;  // that there is room for in each mask
  ScheduledWork work_;
  std::size_t image_ = 0;  // the stream
  StageId flatten_{}, draw_{}, order_{};
  ReadBack<SvgCounts> read_counts_;
  SvgView view_{};           // of the last frame
  bool has_run_ = false;     // do the counts say how the arrays did as they are?
  std::uint64_t grown_ = 0;  // how often one of them was too small
};

SvgPlan SvgScene::look_from(const FrameView& wanted) {
  const FrameView seen = wanted.width > 0 ? wanted : front_view(bounds());
  const auto [width, height] = picture_size(std::min(seen.width, svg_longest),
                                            std::min(seen.height, svg_longest), most_pixels_);
  const auto tiles = [](std::uint32_t pixels) { return (pixels + svg_tile - 1) / svg_tile; };
  view_.width = width;
  view_.height = height;
  view_.side = static_cast<std::uint32_t>(controls()["samples"]);
  view_.columns = tiles(width);
  view_.rows = tiles(height);
  view_.colouring = static_cast<SvgColouring>(controls().choice("colour_by"));
  view_.first = controls().on("page") ? 0 : 1;

  // Rows of x, y and w; columns of x, y and 1, as z is 0 in the plane of the paths.
  constexpr std::array<std::size_t, 3> rows = {0, 1, 3};
  constexpr std::array<std::size_t, 3> columns = {0, 4, 12};
  bool is_finite = true;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) {
      view_.to_clip[row][column] = seen.to_clip[columns[column] + rows[row]];
      is_finite = is_finite && std::isfinite(view_.to_clip[row][column]);
    }
  if (!is_finite) view_.first = n_;
  const Aabb box = bounds();
  const Vec3 size = box.is_empty() ? Vec3{1.0F, 1.0F, 0.0F} : box.max - box.min;
  constexpr float nearest_share = 1e-6F;
  view_.nearest = std::max(nearest_share * std::max(size.x, size.y), 1e-12F);
  return {.width = view_.width,
          .height = view_.height,
          .side = view_.side,
          .is_drawn = is_wanted(image_),
          .is_traced = work_.trace(controls())};
}

// At least as much as there is, and as is wanted. Where it cannot be had all stays.
void SvgScene::make_room(const Room& wanted) {
  const Room larger{std::max(room_.edges, wanted.edges), std::max(room_.places, wanted.places),
                    std::max(room_.records, wanted.records), std::max(room_.masks, wanted.masks)};
  const std::uint32_t mask_words = std::max(mask_words_, svg_mask_words(view_.side));
  const bool masks_grow = larger.masks > room_.masks || mask_words > mask_words_;
  if (larger.edges == room_.edges && larger.places == room_.places &&
      larger.records == room_.records && !masks_grow)
    return;
  collect();
  timeline().forget_graphs();
  Device& device = timeline().device();
  const auto grow = [&device](auto& buffer, std::uint64_t items) {
    if (buffer.size() >= items) return;
    // The new one first: what is in the old one may be all that there is to show.
    std::remove_reference_t<decltype(buffer)> more(device, items);
    buffer = std::move(more);
  };
  grow(edges_, larger.edges);
  room_.edges = larger.edges;
  grow(lists_, larger.places);
  room_.places = larger.places;
  grow(keys_, larger.records);
  grow(sorted_, larger.records);
  grow(order_of_, larger.records);
  grow(records_, larger.records);
  room_.records = larger.records;
  grow(masks_, std::uint64_t{larger.masks} * mask_words);
  room_.masks = larger.masks;
  mask_words_ = mask_words;
}

// After a frame that came to more than there was room for.
void SvgScene::grow() {
  if (has_run_ && lacks_places()) {
    const SvgCounts counts = *read_counts_;
    const auto larger = [](std::uint32_t now, std::uint32_t counted) -> std::uint32_t {
      if (counted <= now) return now;
      constexpr std::uint32_t most = 1U << 29U;
      if (counted > most)
        throw Error(words.what, fmt::format("it needs {} edges or tiles", counted), words.remedy);
      return std::bit_ceil(std::max(counted, 2 * now));
    };
    try {
      make_room({larger(room_.edges, counts.edges), larger(room_.places, counts.places),
                 larger(room_.records, counts.records), larger(room_.masks, counts.masks)});
      timeline().reserve_scratch();
    } catch (const Error& error) {
      has_run(false);
      throw Error(words.what,
                  fmt::format("its lists are too small for {} edges and {} tiles, and larger lists "
                              "cannot be allocated: {}",
                              counts.places, counts.records, error.what()),
                  words.remedy);
    }
    ++grown_;
  }
  const bool queues_lack = work_.lacks_room();
  has_run_ = false;
  if (queues_lack) work_.grow();
  work_.has_run(false);
}

SvgDrawArgs SvgScene::draw_args() {
  return {.paths = paths(),
          .view = values_.device(),
          .edges = edges(),
          .counts = counts_.data(),
          .lists = lists_.data(),
          .list_room = room_.places,
          .keys = keys_.data(),
          .records = records_.data(),
          .record_room = room_.records,
          .masks = masks_.data(),
          .mask_room = room_.masks,
          .mask_words = svg_mask_words(plan().side)};
}
SvgPictureArgs SvgScene::picture_args(const Targets& to) const {
  return {.paths = paths(),
          .view = values_.device(),
          .counts = counts_.data(),
          .keys = sorted_.data(),
          .order = order_of_.data(),
          .records = records_.data(),
          .record_room = room_.records,
          .masks = masks_.data(),
          .mask_room = room_.masks,
          .mask_words = svg_mask_words(plan().side),
          .width = plan().width,
          .height = plan().height,
          .out = to.stream<std::uint32_t>(),
          .command = to.command()};
}

void SvgScene::add_stages() {
  flatten_ = timeline().add(
      {.name = "flatten",
       .title = "Flatten",
       .about = "Cuts the curves of all paths into straight edges, as fine as the picture needs.",
       .queue =
           [this](const StageRun& run) {
             run.run<Step::svg_flatten>(SvgFlattenArgs{.paths = paths(),
                                                       .view = values_.device(),
                                                       .out = edges(),
                                                       .counts = counts_.data()});
           },
       .work =
           [this] {
             return StageWork{paths_.picture.segments.size(),
                              segments_.bytes() + read_counts_->edges * sizeof(SvgEdge)};
           }});
  draw_ = work_.add_stage<Step::svg_draw>(
      "draw", "Subdivide, draw",
      "Cuts the picture into tiles until few edges are left in each, and rasterises them.",
      [this] { return draw_args(); },
      [this] {
        const SvgCounts& counts = *read_counts_;
        return StageWork{n_, counts.edges * sizeof(SvgEdge) + counts.records * sizeof(SvgRecord)};
      });
  order_ = timeline().add(
      {.name = "order",
       .title = "Order by path",
       .about = "Sorts the tiles by path, so that paths are painted in the order of the file.",
       .primitive = Primitive::sort,
       .queue =
           [this](const StageRun& run) {
             run.run<Primitive::sort>(SortArgs{.key = SortKey::u64,
                                               .keys_in = keys_.data(),
                                               .keys_out = sorted_.data(),
                                               .values_in = nullptr,
                                               .values_out = order_of_.data(),
                                               .n = room_.records,
                                               .begin_bit = 0,
                                               .end_bit = svg_key_bits});
           },
       .work =
           [this] {
             return StageWork{room_.records, room_.records * (2 * sizeof(std::uint64_t) + 4)};
           }});
}

Writer SvgScene::picture_writer() {
  return {.streams = {{"picture", sizeof(std::uint32_t), most_pixels_}},
          .write = [this](const StageRun& run,
                          const Targets& to) { run.run<Step::svg_picture>(picture_args(to)); },
          .work =
              [this](const Targets&) {
                const std::uint64_t masks =
                    std::uint64_t{read_counts_->masks} * svg_mask_words(plan().side) * 4;
                const std::uint64_t pixels = plan().pixels();
                return StageWork{pixels, masks + read_counts_->records * sizeof(SvgRecord) +
                                             pixels * sizeof(std::uint32_t)};
              },
          .check =
              [this](DrawnCheck& check, const WrittenAt& at) {
                const PathPicture& picture = paths_.picture;
                const SvgReference expected =
                    svg_one_by_one(picture.paths, picture.segments, view_);
                check.command(at.command, picture_command);
                check.stream(at.stream, svg_pixels(expected.covered, picture.paths, view_));
              }};
}

std::vector<Legend> SvgScene::legends() const {
  const auto colour = [](std::uint32_t packed) {
    const auto part = [packed](unsigned shift) {
      return static_cast<float>(packed >> shift & 255U) / 255.0F;
    };
    return Vec3{part(0), part(8), part(16)};
  };
  Legend legend;
  legend.scale = Legend::Scale::swatches;
  if (view_.colouring == SvgColouring::levels) {
    legend.title = "Cuts until resolved";
    for (std::uint32_t level = 1; level < svg_level_colours; ++level)
      legend.swatches.push_back(
          {fmt::format("{}{}", level, level + 1 == svg_level_colours ? " and more" : ""),
           colour(svg_level_colour(level))});
    return {legend};
  }
  if (view_.colouring != SvgColouring::edges) return {};
  legend.title = "Edges of the tile";
  legend.swatches.push_back({"0", colour(svg_edges_colour(0))});
  for (std::uint32_t edges = 1; edges <= svg_most_edges; edges *= 2)
    legend.swatches.push_back({edges == svg_most_edges ? fmt::format("{} and more", edges)
                               : edges == 1            ? "1"
                                            : fmt::format("{} to {}", edges, 2 * edges - 1),
                               colour(svg_edges_colour(edges))});
  return {legend};
}

std::vector<Fact> SvgScene::facts() const {
  const auto& executed = work_.status().executed;
  const auto items = [&executed](SvgWork work) {
    return std::uint64_t{executed[static_cast<std::size_t>(work)]};
  };
  const SvgCounts& counts = *read_counts_;
  std::vector<Fact> facts = {
      {.name = "svg.picture",
       .title = "Picture",
       .value = fmt::format("{} x {}, {} samples a pixel", view_.width, view_.height,
                            view_.side * view_.side),
       .tooltip = "Size of the picture, and its samples."},
      {.name = "svg.paths",
       .title = "Paths",
       .value = std::uint64_t{n_},
       .tooltip = "Filled paths of the file."},
      {.name = "svg.segments",
       .title = "Lines and curves",
       .value = std::uint64_t{paths_.picture.segments.size()},
       .tooltip = "Lines and curves of all paths."},
      {.name = "svg.edges",
       .title = "Edges",
       .value = std::uint64_t{counts.edges},
       .tooltip = "Line segments of flattened curves, as many as the view needs."},
      {.name = "svg.coarse_wide",
       .title = "Cut 8 x 2",
       .value = items(SvgWork::coarse_wide),
       .tooltip = "Rectangles of tiles that were subdivided this way."},
      {.name = "svg.coarse_tall",
       .title = "Cut 2 x 8",
       .value = items(SvgWork::coarse_tall),
       .tooltip = "Tiles that were cut into 2 x 8, in the last frame."},
      {.name = "svg.coarse_square",
       .title = "Cut 8 x 8",
       .value = items(SvgWork::coarse_square),
       .tooltip = "Tiles that were cut into 8 x 8, in the last frame."},
      {.name = "svg.fine",
       .title = "Rasterised",
       .value = items(SvgWork::fine),
       .tooltip = "8 x 8 pixel tiles that a path's edges touch."},
      {.name = "svg.covered",
       .title = "Covered",
       .value = std::uint64_t{counts.records},
       .tooltip = "Tiles that paths cover, in part or in full, counted per path."},
      {.name = "svg.masks",
       .title = "Partly covered",
       .value = std::uint64_t{counts.masks},
       .tooltip = "Partly covered tiles, with a coverage mask per sample."},
      {.name = "svg.listed",
       .title = "List entries",
       .value = std::uint64_t{counts.places},
       .tooltip = "Edges in the lists of all rectangles and tiles."},
      {.name = "svg.grown",
       .title = "List overflows",
       .value = grown_,
       .tooltip = "Frames computed again because a list of edges or tiles overflowed, so far.",
       .varies = true}};
  work_.append_facts("svg", facts);
  return facts;
}

// The picture once more, held against the same drawn sequentially.
std::vector<Check> SvgScene::verify() {
  collect();
  if (lacks_room()) grow();
  Stream& stream = timeline().stream();
  constexpr std::uint8_t spoiled = 0x5a;
  values_.set(view_);
  for (const auto& [memory, bytes] : {std::pair<void*, std::size_t>{edges_.data(), edges_.bytes()},
                                      {lists_.data(), lists_.bytes()},
                                      {records_.data(), records_.bytes()},
                                      {masks_.data(), masks_.bytes()},
                                      {sorted_.data(), sorted_.bytes()},
                                      {order_of_.data(), order_of_.bytes()}})
    stream.fill(memory, spoiled, bytes);
  run_all();
  timeline().queue_read_backs();
  collect();
  draw_in_full();

  const PathPicture& picture = paths_.picture;
  const SvgReference expected = svg_one_by_one(picture.paths, picture.segments, view_);
  const SvgCounts counts = *read_counts_;
  std::vector<Check> checks = {
      {"flatten", difference("the number of edges", std::uint64_t{counts.edges}, expected.edges)}};

  Check draw{"draw", {}};
  constexpr std::array names = {"8 x 2 cuts", "2 x 8 cuts", "8 x 8 cuts", "rasterised tiles"};
  for (std::size_t i = 0; i < svg_procedures && draw.difference.empty(); ++i)
    draw.difference = difference(fmt::format("the number of {}", names[i]),
                                 std::uint64_t{work_.status().executed[i]}, expected.executed[i]);
  if (draw.difference.empty())
    draw.difference = difference("the number of covered tiles", std::uint64_t{counts.records},
                                 std::uint64_t{expected.covered.size()});
  const std::vector<std::uint64_t> keys = keys_.download(stream, room_.records);
  const std::vector<std::uint64_t> sorted = sorted_.download(stream, room_.records);
  const std::vector<std::uint32_t> order = order_of_.download(stream, room_.records);
  const std::vector<SvgRecord> records = records_.download(stream, counts.records);
  const std::uint32_t mask_words = svg_mask_words(view_.side);
  const std::vector<std::uint32_t> masks =
      masks_.download(stream, std::size_t{counts.masks} * mask_words);
  Check ordered{"order", {}};
  std::vector<std::uint64_t> in_order = keys;
  std::sort(in_order.begin(), in_order.end());
  ordered.difference = difference("key", sorted, in_order);
  for (std::size_t i = 0; i < counts.records && draw.difference.empty(); ++i) {
    const SvgCoverage& wanted = expected.covered[i];
    if (!ordered.difference.empty()) break;
    if (order[i] >= counts.records || keys[order[i]] != sorted[i]) {
      ordered.difference = fmt::format("entry {} should be record {}", i, order[i]);
      break;
    }
    const SvgRecord& record = records[order[i]];
    const bool is_noted = record.mask == svg_full || record.mask < counts.masks;
    const SvgCoverage found =
        is_noted
            ? svg_coverage(
                  view_, sorted[i], record,
                  record.mask == svg_full ? nullptr : &masks[std::size_t{record.mask} * mask_words])
            : SvgCoverage{};
    if (!(found == wanted))
      draw.difference = fmt::format(
          "path {} covers tile {} differently: {} edges after {} cuts, should be {} after {}{}",
          wanted.key & (svg_most_paths - 1), wanted.key >> 20U, found.edges, found.level,
          wanted.edges, wanted.level, found.mask == wanted.mask ? "" : "; other samples");
  }
  checks.push_back(draw);
  checks.push_back(ordered);

  checks.push_back(check_writers());
  return checks;
}

PickResult SvgScene::pick(const Ray& ray) {
  const double t = -double{ray.origin.z} / double{ray.direction.z};
  if (!(t >= 0.0 && std::isfinite(t))) return {};
  const double x = ray.origin.x + ray.direction.x * t;
  const double y = ray.origin.y + ray.direction.y * t;
  const std::optional<std::uint32_t> path = path_at(paths_, x, y, controls().on("page") ? 0 : 1);
  if (!path) return {};
  const SvgPath& hit = paths_.picture.paths[*path];
  const std::string& name = paths_.picture.names[*path];
  PickResult result{
      .facts = {{.name = "pick.path",
                 .title = "Path",
                 .value = std::uint64_t{*path},
                 .tooltip = "Number of the topmost path there, in the order of the file."}}};
  std::vector<Fact>& facts = result.facts;
  if (!name.empty())
    facts.push_back({.name = "pick.name",
                     .title = "Name",
                     .value = name,
                     .tooltip = "Name (id) of the path in the file."});
  facts.push_back(
      {.name = "pick.fill",
       .title = "Fill",
       .value = fmt::format("#{:02x}{:02x}{:02x}, {:.0f} %", hit.fill & 255U, hit.fill >> 8U & 255U,
                            hit.fill >> 16U & 255U, (hit.fill >> 24U) / 2.55),
       .tooltip = "Colour and opacity that fill the path."});
  facts.push_back({.name = "pick.rule",
                   .title = "Rule",
                   .value = std::string(hit.rule == SvgRule::even_odd ? "even-odd" : "nonzero"),
                   .tooltip = "Which places are inside the path: by its winding number, or by how "
                              "often a ray crosses it."});
  facts.push_back({.name = "pick.segments",
                   .title = "Lines and curves",
                   .value = std::uint64_t{hit.count},
                   .tooltip = "Lines and curves of the path."});
  result.hit({static_cast<float>(x), static_cast<float>(y), 0.0F});
  return result;
}

// With arrays and queues of twice their first size.
std::uint64_t SvgScene::memory(const Mesh& mesh, const Controls& asked) {
  const std::uint64_t triangles = mesh.triangle_count();
  const bool is_picture = mesh.is_picture();
  const std::uint64_t paths = is_picture ? mesh.picture.paths.size() : triangles + 1;
  const std::uint64_t segments = is_picture ? mesh.picture.segments.size() : 3 * triangles + 4;
  const auto side = static_cast<std::uint32_t>(asked["samples"]);
  return with_scratch(paths * (sizeof(SvgPath) + sizeof(SvgOutline)) +
                      segments * sizeof(SvgSegment) +
                      2 * bytes_of(first_room(paths, segments), side) +
                      2 * ScheduledWork::queue_bytes(procedures_of(paths)));
}

}  // namespace

SceneKind svg_scene() {
  return scene_kind<SvgScene>(
      {.name = "svg",
       .title = "Filled paths",
       .usage = "svg[:PIXELS] [FILE.svg]",
       .summary = "Filled paths of an SVG file, cut into tiles by a choice of schedulers",
       .invitation = "Filled paths, drawn by kernels. Zoom in, colour by Levels.",
       .thumbnail = "svg:262144 --set page=off",
       .controls = controls,
       .size_control = "pixels",
       .own_mesh = emblem_picture,
       .draws_pictures = true,
       .stands_still = true});
}

}  // namespace warpview
