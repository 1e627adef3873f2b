// Queues: the places of each ring, its head and tail, and what each lane does with it.
#include <fmt/format.h>

#include <algorithm>

#include "app/step_views/arrays.h"
#include "app/step_views/chips.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/queues.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr float ring_gap = 0.5F;
constexpr std::uint32_t most_ring_places = 32;  // that are shown of one queue

class RingView : public StepView {
 public:
  RingView(const Recording& recording, const QueueArrays& arrays)
      : arrays_(arrays),
        launches_(find_queue_lanes(recording, arrays)),
        has_levels_(recording.variant.starts_with("bucket_") && arrays.queues > 1) {}

  std::string legend() const override {
    if (arrays_.kind == QueueArrays::Places::none)
      return "This variant moves no items: appends draw numbers from the tail, takes from the "
             "head. "
             "Lanes are written block/warp/lane.";
    if (arrays_.asks_by_warps)
      return "One lane asks for its warp and changes the count for all lanes that are admitted: "
             "appends first, and at most three operations for each place at a time. An admitted "
             "lane "
             "draws a number, an append from the tail, a take from the head, and waits until the "
             "number's place may be filled or emptied. Lanes are written block/warp/lane. Dotted: "
             "a "
             "lane that backs off, or a place that a lane waits for.";
    return "The count admits a lane. The lane then draws a number, an append from the tail, a take "
           "from the head, and waits until the number's place may be filled or emptied. A refused "
           "lane has changed the count and undoes its change. Lanes are written block/warp/lane. "
           "Dotted: a lane that backs off, or a place that a lane waits for.";
  }

  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    if (!at.launch()) {
      sketch.text({0.0F, 0.0F}, "No kernel has started.", plot_ink::dim);
      return sketch.take(plot_line_height);
    }
    const std::vector<LaneNow> lanes = look(at);
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key()) + 0.3F;
    y = draw_queues(sketch, surface, y, at, lanes) + ring_gap;
    y = draw_lanes(sketch, surface, y, at, lanes, true) + ring_gap;
    y = draw_lanes(sketch, surface, y, at, lanes, false);
    return sketch.take(y);
  }

 private:
  struct LaneNow {
    const QueueLane* lane;
    QueueMoment moment;
    bool is_active = false;
    bool backs_off = false;
  };

  // What the lane does at the step, or has finished by it; none if it takes no part.
  static std::optional<QueueMoment> moment_of(const QueueLane& lane, const Playback& at) {
    QueueMoment moment = lane.at(at.executed());
    if (moment.phase == QueuePhase::apart && moment.from >= at.last_begin())
      moment = lane.at(at.last_begin());
    else if (moment.is_brief && moment.from < at.last_begin())
      return std::nullopt;
    if (moment.phase == QueuePhase::apart) return std::nullopt;
    return moment;
  }

  std::vector<LaneNow> look(const Playback& at) const {
    std::vector<LaneNow> lanes;
    const auto launch = at.launch();
    if (!launch || *launch >= launches_.size()) return lanes;
    for (const QueueLane& lane : launches_[*launch]) {
      const std::optional<QueueMoment> moment = moment_of(lane, at);
      if (!moment) continue;
      LaneNow now{.lane = &lane, .moment = *moment};
      const PlayedBlock* const block = at.block(lane.block);
      now.backs_off = block != nullptr && lane.thread < block->lanes.size() &&
                      block->lanes[lane.thread].state == LaneState::backing_off;
      for (const RecordedEvent& event : at.last())
        now.is_active |=
            event.block == lane.block && event.thread == lane.thread && is_access(event.kind);
      lanes.push_back(now);
    }
    return lanes;
  }

  std::vector<KeyEntry> key() const {
    if (arrays_.kind == QueueArrays::Places::none)
      return {{"append", filled(ink::appends)}, {"take", filled(ink::takes)}};
    return {{"append", filled(ink::appends)},
            {"take", filled(ink::takes)},
            {"tail: place of the next append", pointer(true)},
            {"head: place of the next take", pointer(false)},
            {"holds an item", filled(plot_ink::neutral, 0.5F)}};
  }
  // A triangle that points at the place below it.
  static PlotShape& draw_pointer(Sketch& sketch, PlotVertex tip, bool is_tail) {
    constexpr float half = 0.45F, height = 0.75F;
    return sketch.triangle({tip.x - half, tip.y - height}, {tip.x + half, tip.y - height}, tip,
                           is_tail ? ink::appends : ink::takes);
  }
  static KeySample pointer(bool is_tail) {
    return [is_tail](Sketch& sketch, PlotBox box) {
      draw_pointer(sketch, {box.x + 0.5F * box.width, box.y + 0.5F * box.height + 0.4F}, is_tail);
    };
  }

  // ---- The rings -------------------------------------------------------------------------------

  struct Cells {
    std::uint32_t a_line = 4;
    float width = 5.9F;
    std::uint32_t shown = 0;  // places of each queue
    std::uint32_t lines() const { return (shown + a_line - 1) / std::max(a_line, 1U); }
    float queue_width() const { return static_cast<float>(std::min(a_line, shown)) * width; }
  };
  Cells cells_for(const Sketch& sketch, const PlotSurface& surface) const {
    Cells cells;
    const float width = sketch.width();
    const bool is_one = arrays_.queues == 1;
    float wanted = sketch.is_narrow() ? 5.6F : is_one ? 7.6F : 5.2F;
    if (arrays_.kind == QueueArrays::Places::tickets && !sketch.is_narrow())
      wanted = std::max(wanted, Sketch::width_of(surface, "append 000") + 0.1F);
    cells.a_line = std::max(static_cast<std::uint32_t>(width / wanted), 2U);
    // A power of two, so that laps are below each other.
    while ((cells.a_line & (cells.a_line - 1)) != 0) cells.a_line &= cells.a_line - 1;
    cells.width = is_one || sketch.is_narrow() ? width / static_cast<float>(cells.a_line) : wanted;
    cells.shown = std::min(arrays_.capacity, most_ring_places);
    return cells;
  }
  static float cell_height(bool has_tickets) {
    return 2.0F * plot_line_height + chip_height + (has_tickets ? plot_line_height : 0.0F) + 0.3F;
  }

  float draw_queues(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                    const std::vector<LaneNow>& lanes) const {
    const Cells cells = cells_for(sketch, surface);
    const bool has_tickets = arrays_.kind == QueueArrays::Places::tickets;
    const float block_width = cells.shown > 0 ? std::max(cells.queue_width(), 2.0F * cells.width)
                                              : std::min(sketch.width(), 30.0F);
    const auto side_by_side =
        std::max(static_cast<std::uint32_t>((sketch.width() + 0.01F) / block_width), 1U);
    constexpr std::uint32_t most_queues = 16;
    const std::uint32_t shown = std::min(arrays_.queues, most_queues);
    const float height = 2.0F * plot_line_height + 0.2F +
                         static_cast<float>(cells.lines()) * cell_height(has_tickets) +
                         (arrays_.capacity > cells.shown ? plot_line_height : 0.0F) + ring_gap;
    for (std::uint32_t queue = 0; queue < shown; ++queue) {
      const std::uint32_t line = queue / side_by_side;
      const PlotVertex corner{static_cast<float>(queue % side_by_side) * block_width,
                              y + static_cast<float>(line) * height};
      // Words of the only queue may be wider than its places.
      const float width = arrays_.queues == 1 ? sketch.width() : block_width - 0.4F;
      draw_queue(sketch, surface, corner, width, cells, at, queue, lanes);
    }
    const std::uint32_t all_lines = (shown + side_by_side - 1) / side_by_side;
    y += static_cast<float>(all_lines) * height;
    if (shown < arrays_.queues) {
      sketch.text({0.0F, y}, fmt::format("{} more queues", arrays_.queues - shown), plot_ink::dim);
      y += plot_line_height;
    }
    if (has_tickets)
      y += draw_paragraph(sketch, surface, {0.0F, y},
                          "Below a place is its ticket: the append or take that it admits next.",
                          plot_ink::dim);
    return y;
  }

  std::uint32_t word_of(const Playback& at, std::uint32_t queue, std::uint32_t offset) const {
    return number_at<std::uint32_t>(at.contents(arrays_.words),
                                    std::size_t{queue} * QueueArrays::word_bytes + offset);
  }

  void draw_queue(Sketch& sketch, const PlotSurface& surface, PlotVertex corner, float width,
                  const Cells& cells, const Playback& at, std::uint32_t queue,
                  const std::vector<LaneNow>& lanes) const {
    const std::uint32_t head = word_of(at, queue, QueueArrays::head_offset);
    const std::uint32_t tail = word_of(at, queue, QueueArrays::tail_offset);
    const auto count = static_cast<std::int32_t>(word_of(at, queue, 0));
    const std::string name = arrays_.queues == 1 ? "Count"
                             : has_levels_       ? fmt::format("Level {}: count", queue)
                                                 : fmt::format("Queue {}: count", queue);
    std::string title = fmt::format("{} {}", name, count);
    if (arrays_.kind == QueueArrays::Places::locked) title = fmt::format("Items: {}", tail - head);
    if (arrays_.capacity > 0) title += fmt::format(" of {}", arrays_.capacity);
    sketch.text(corner, cut_to(surface, std::move(title), width)).name =
        word_name({arrays_.words, queue, 0});
    std::string ends = fmt::format("head {}, tail {}", head, tail);
    if (arrays_.asks_by_warps)
      ends += fmt::format(", in flight {} of {}",
                          word_of(at, queue, QueueArrays::operations_offset), 3 * arrays_.capacity);
    sketch
        .text({corner.x, corner.y + plot_line_height}, cut_to(surface, std::move(ends), width),
              plot_ink::dim)
        .name = word_name({arrays_.words, queue, 0});
    if (arrays_.capacity == 0) return;
    const std::uint32_t mask = arrays_.capacity - 1;
    const std::uint32_t first =
        arrays_.capacity > cells.shown ? (head & mask) / cells.shown * cells.shown : 0;
    const float top = corner.y + 2.0F * plot_line_height + 0.2F;
    const float height = cell_height(arrays_.kind == QueueArrays::Places::tickets);
    for (std::uint32_t i = 0; i < cells.shown; ++i) {
      const std::uint32_t line = i / cells.a_line;
      const PlotBox box{corner.x + static_cast<float>(i % cells.a_line) * cells.width,
                        top + static_cast<float>(line) * height, cells.width - 0.4F, height};
      draw_place(sketch, surface, box, at, queue, first + i, lanes);
      const auto end_at = [&](std::uint32_t number) {
        return (number & mask) == first + i ? std::optional(number) : std::nullopt;
      };
      draw_ends(sketch, surface, box, corner.x, corner.x + width, end_at(head), end_at(tail));
    }
    if (arrays_.capacity > cells.shown)
      sketch.text({corner.x, top + static_cast<float>(cells.lines()) * height},
                  fmt::format("{} more places", arrays_.capacity - cells.shown), plot_ink::dim);
  }

  // The ends of a queue over their places: a triangle over the middle, and the number above it.
  void draw_ends(Sketch& sketch, const PlotSurface& surface, const PlotBox& box, float left,
                 float right, std::optional<std::uint32_t> head,
                 std::optional<std::uint32_t> tail) const {
    if (!head && !tail) return;
    const float middle = box.x + 0.5F * box.width;
    const float apart = head && tail ? 0.55F : 0.0F;
    const float tip = box.y + 2.0F * plot_line_height - 0.1F;
    if (head) draw_pointer(sketch, {middle - apart, tip}, false).name = "head";
    if (tail) draw_pointer(sketch, {middle + apart, tip}, true).name = "tail";
    std::string words;
    if (head && head == tail)
      words = fmt::format("head, tail {}", *head);
    else if (head && tail)
      words = fmt::format("head {}, tail {}", *head, *tail);
    else
      words = head ? fmt::format("head {}", *head) : fmt::format("tail {}", *tail);
    const float half = 0.5F * Sketch::width_of(surface, words);
    sketch.text({std::clamp(middle, left + half, std::max(right - half, left + half)), box.y},
                std::move(words), plot_ink::text, PlotShape::Align::middle);
  }

  struct Place {
    bool is_full = false;
    std::string item;
    std::string ticket;
  };
  Place place_now(const Playback& at, std::uint32_t queue, std::uint32_t place) const {
    const std::size_t offset = (std::size_t{queue} * arrays_.capacity + place) * 4;
    const auto value = number_at<std::uint32_t>(at.contents(arrays_.places), offset);
    Place now;
    switch (arrays_.kind) {
      case QueueArrays::Places::tickets: {
        const auto ticket = number_at<std::uint32_t>(at.contents(arrays_.tickets), offset);
        now.is_full = ticket % 2 == 1;
        now.ticket =
            fmt::format("{} {}", now.is_full ? "take" : "append", ticket - ticket % 2 + place);
        break;
      }
      case QueueArrays::Places::indices:
        now.is_full = value != 0xffffffffU;
        break;
      case QueueArrays::Places::locked: {
        const std::uint32_t head = word_of(at, queue, QueueArrays::head_offset);
        const std::uint32_t tail = word_of(at, queue, QueueArrays::tail_offset);
        now.is_full = ((place - head) & (arrays_.capacity - 1)) < tail - head;
        break;
      }
      case QueueArrays::Places::none:
        break;
    }
    if (now.is_full) now.item = fmt::format("{}", value);
    return now;
  }

  // A lane that has a number of this place; one that moves an item comes first.
  const LaneNow* lane_at(std::uint32_t queue, std::uint32_t place,
                         const std::vector<LaneNow>& lanes) const {
    const LaneNow* found = nullptr;
    for (const LaneNow& lane : lanes) {
      const QueueMoment& m = lane.moment;
      if (m.queue != queue || (m.phase != QueuePhase::waits && m.phase != QueuePhase::moves))
        continue;
      if (((place - m.number) & (arrays_.capacity - 1)) >= m.count) continue;
      if (found == nullptr || m.phase == QueuePhase::moves) found = &lane;
    }
    return found;
  }

  void draw_place(Sketch& sketch, const PlotSurface& surface, const PlotBox& box,
                  const Playback& at, std::uint32_t queue, std::uint32_t place,
                  const std::vector<LaneNow>& lanes) const {
    const std::string name = word_name({arrays_.places, queue * arrays_.capacity + place, 0});
    const float number_y = box.y + plot_line_height;
    sketch.text({box.x, number_y}, fmt::format("{}", place), plot_ink::dim);
    const Place now = place_now(at, queue, place);
    const LaneNow* const lane = lane_at(queue, place, lanes);
    const PlotBox cell{box.x, number_y + plot_line_height, box.width, chip_height};
    if (now.is_full) sketch.box(cell, plot_ink::neutral, 0.35F, name);
    if (lane == nullptr) {
      sketch.frame(cell, plot_ink::grid, 0.08F, name);
    } else {
      const bool moves = lane->moment.phase == QueuePhase::moves;
      const int ink = lane->moment.is_append ? ink::appends : ink::takes;
      if (moves) sketch.box(cell, ink, 0.35F, name);
      sketch.frame(cell, ink, 0.14F, name).line = moves ? PlotLine::solid : PlotLine::dotted;
    }
    std::string words = now.item;
    if (lane != nullptr && lane->moment.phase == QueuePhase::moves)
      words = fmt::format("{}", lane->moment.item);
    sketch
        .text({cell.x + 0.5F * cell.width, cell.y + 0.1F}, cut_to(surface, words, cell.width),
              plot_ink::text, PlotShape::Align::middle)
        .name = name;
    if (!now.ticket.empty())
      sketch
          .text({box.x, cell.bottom()}, cut_to(surface, now.ticket, box.width + 0.3F),
                plot_ink::dim)
          .name = word_name({arrays_.tickets, queue * arrays_.capacity + place, 0});
  }

  // ---- The lanes -------------------------------------------------------------------------------

  struct Stage {
    QueuePhase phase;
    const char* of_appends;
    const char* of_takes;
  };
  std::span<const Stage> stages() const {
    static constexpr Stage with_places[] = {
        {QueuePhase::asks, "wants room", "wants an item"},
        {QueuePhase::promised, "is admitted", "is admitted"},
        {QueuePhase::waits, "has a number", "has a number"},
        {QueuePhase::moves, "puts its item", "takes its item"},
        {QueuePhase::refused, "gives up: full", "gives up: empty"}};
    static constexpr Stage by_warps[] = {with_places[0], with_places[2], with_places[3],
                                         with_places[4]};
    static constexpr Stage numbers_alone[] = {{QueuePhase::promised, "counts", "counts"},
                                              {QueuePhase::moves, "draws", "draws"}};
    static constexpr Stage moves_alone[] = {{QueuePhase::moves, "puts its item", "takes its item"}};
    if (arrays_.kind == QueueArrays::Places::none) return numbers_alone;
    if (arrays_.kind == QueueArrays::Places::locked) return moves_alone;
    if (arrays_.asks_by_warps) return by_warps;
    return with_places;
  }

  std::string words_of(const Playback& at, const LaneNow& lane) const {
    std::string words = lane_words(at.recording(), lane.lane->block, lane.lane->thread);
    const QueueMoment& m = lane.moment;
    const bool has_places = arrays_.kind != QueueArrays::Places::none;
    if (m.phase == QueuePhase::waits || (m.phase == QueuePhase::moves && !has_places))
      words += m.count > 1 ? fmt::format(": {} to {}", m.number, m.number + m.count - 1)
                           : fmt::format(": {}", m.number);
    if (m.phase == QueuePhase::asks && arrays_.queues > 1)
      words += fmt::format(", {} {}", has_levels_ ? "level" : "queue", m.queue);
    if (m.phase == QueuePhase::moves && has_places) words += fmt::format(": item {}", m.item);
    return words;
  }

  // All lanes that append, or all that take, by what they do. Returns the lower end.
  float draw_lanes(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                   const std::vector<LaneNow>& lanes, bool is_append) const {
    const auto parts = stages();
    const bool is_narrow = sketch.is_narrow();
    sketch.text({0.0F, y}, is_append ? "Lanes that append" : "Lanes that take", plot_ink::text,
                PlotShape::Align::left, true);
    y += plot_line_height + 0.2F;
    const auto columns = static_cast<float>(is_narrow ? 1 : parts.size());
    const float width = std::min(sketch.width() / columns, 24.0F);
    float bottom = y;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<const LaneNow*> here;
      for (const LaneNow& lane : lanes)
        if (lane.moment.phase == parts[i].phase && lane.moment.is_append == is_append)
          here.push_back(&lane);
      const PlotVertex corner{is_narrow ? 0.0F : static_cast<float>(i) * width, y};
      const float end =
          draw_stage(sketch, surface, corner, width - 0.5F,
                     is_append ? parts[i].of_appends : parts[i].of_takes, at, here, is_append);
      bottom = std::max(bottom, end);
      if (is_narrow) y = end + 0.2F;
    }
    return bottom;
  }

  float draw_stage(Sketch& sketch, const PlotSurface& surface, PlotVertex corner, float width,
                   const char* title, const Playback& at, const std::vector<const LaneNow*>& here,
                   bool is_append) const {
    std::string words = title;
    if (here.size() > 1) words += fmt::format(" ({})", here.size());
    sketch.text(corner, cut_to(surface, std::move(words), width),
                here.empty() ? plot_ink::dim : plot_ink::text);
    float y = corner.y + plot_line_height;
    float wanted = 4.0F;
    for (const LaneNow* lane : here)
      wanted = std::max(wanted, Sketch::width_of(surface, words_of(at, *lane)) + 0.8F);
    const auto a_line = static_cast<std::size_t>(std::max(1.0F, width / wanted));
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(here.size(), most); ++i) {
      const float chip = width / static_cast<float>(a_line);
      const std::size_t line = i / a_line;
      const PlotBox box{corner.x + static_cast<float>(i % a_line) * chip,
                        y + static_cast<float>(line) * (chip_height + 0.2F), chip - 0.2F,
                        chip_height};
      if (i + 1 == most && here.size() > most) {
        sketch.text({box.x, box.y}, fmt::format("{} more", here.size() - i), plot_ink::dim);
        break;
      }
      draw_chip(sketch, surface, box,
                {.words = words_of(at, *here[i]),
                 .ink = is_append ? ink::appends : ink::takes,
                 .active = here[i]->is_active,
                 .dotted = here[i]->backs_off,
                 .name = lane_name(here[i]->lane->block, here[i]->lane->thread)});
    }
    const std::size_t lines = (std::min(here.size(), most) + a_line - 1) / a_line;
    return y + static_cast<float>(lines) * (chip_height + 0.2F);
  }

  QueueArrays arrays_;
  std::vector<std::vector<QueueLane>> launches_;
  bool has_levels_;
};

}  // namespace

bool is_for_ring(const Recording& recording) { return queue_arrays(recording).has_value(); }
std::unique_ptr<StepView> make_ring(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<RingView>(*recording, queue_arrays(*recording).value());
}

}  // namespace warpview::step_views
