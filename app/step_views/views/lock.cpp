// Locks: the lanes that wait for each, hold it and release it, the data that it protects, and a
// warp's lanes over time.
#include <fmt/format.h>

#include <algorithm>

#include "app/step_views/arrays.h"
#include "app/step_views/chips.h"
#include "app/step_views/key.h"
#include "app/step_views/locks.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr float lock_gap = 0.5F;
constexpr std::size_t most_lock_rows = 6;
constexpr std::uint32_t most_waiting_chips = 32;  // of one lock

// Where things are, for a width of the surface.
struct LockLayout {
  bool is_narrow = false;  // the columns of a lock are below each other
  float lock_width = 9.0F;
  float waiting_x = 0.0F, waiting_width = 0.0F;
  float stage_x = 0.0F, stage_width = 0.0F;
  float chip_width = 9.6F;

  explicit LockLayout(const Sketch& sketch) : is_narrow(sketch.is_narrow()) {
    const float width = sketch.width();
    if (is_narrow) {
      stage_width = width / 3.0F;
      waiting_width = width;
    } else {
      stage_width = 7.2F;
      stage_x = width - 3.0F * stage_width;
      waiting_x = lock_width + lock_gap;
      waiting_width = stage_x - lock_gap - waiting_x;
    }
    chip_width = waiting_width / static_cast<float>(chips_a_line());
  }
  std::uint32_t chips_a_line() const {
    return static_cast<std::uint32_t>(std::max(1.0F, waiting_width / 9.6F));
  }
  // Lines of chips that a lock needs at most.
  std::uint32_t lines(std::uint32_t most_waiting) const {
    return (std::min(most_waiting, most_waiting_chips) + chips_a_line() - 1) / chips_a_line();
  }
};

class LockView : public StepView {
 public:
  LockView(const Recording& recording, const LockKind& kind)
      : kind_(kind), launches_(find_locked_launches(recording, kind)) {}

  std::string legend() const override {
    if (kind_.word == LockKind::Word::no_lock)
      return "This variant takes no lock. Several lanes update one tally at once, each by three "
             "atomics. Lanes are written block/warp/lane.";
    return "A lane waits, acquires the lock, holds it alone, and releases it. After a waiting "
           "lane: "
           "its failed attempts and back-offs. Dotted: in back-off now. Lanes are written "
           "block/warp/lane.";
  }

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const auto number = at.launch();
    if (!number || *number >= launches_.size() || launches_[*number].lanes.empty()) {
      sketch.text({0.0F, 0.0F}, number ? "This kernel takes no lock." : "No kernel has started.",
                  plot_ink::dim);
      return sketch.take(plot_line_height);
    }
    const LockedLaunch& launch = launches_[*number];
    const LockLayout layout(sketch);
    const Now now = look(at, launch);
    float y = draw_heads(sketch, surface, layout);
    const std::size_t rows = std::min(launch.locks.size(), most_lock_rows);
    for (std::size_t i = 0; i < rows; ++i)
      y = draw_lock(sketch, surface, layout, y, at, now, launch, launch.locks[i]);
    y += draw_others(sketch, surface, y, now, launch, rows);
    return sketch.take(draw_strip(sketch, surface, y + lock_gap, at, focus, launch));
  }

 private:
  struct LaneNow {
    const LockLane* lane;
    LockMoment moment;
    bool is_new = false;     // the last step brought it into this phase
    bool is_active = false;  // it did something in the last step
    bool backs_off = false;
    bool has_left = false;  // the last step released this lock

    // Where it stands with a lock.
    enum class Place : std::uint8_t { elsewhere, waits, acquires, holds, releases };
    Place at(std::uint32_t lock) const {
      if (moment.outer == lock) return Place::holds;
      if (moment.lock != lock) return Place::elsewhere;
      if (moment.phase == LockPhase::waiting) return Place::waits;
      if (moment.phase == LockPhase::inside) return is_new ? Place::acquires : Place::holds;
      return has_left ? Place::releases : Place::elsewhere;
    }
  };
  using Place = LaneNow::Place;
  struct Now {
    std::size_t limit = 0;  // events before this one have happened
    std::vector<LaneNow> lanes;
  };

  Now look(const Playback& at, const LockedLaunch& launch) const {
    Now now{.limit = at.executed(), .lanes = {}};
    for (const LockLane& lane : launch.lanes) {
      LaneNow one{.lane = &lane, .moment = lane.at(now.limit)};
      one.is_new = one.moment.from >= at.last_begin();
      one.has_left = one.moment.phase == LockPhase::apart && one.is_new && one.moment.from > 0;
      const PlayedBlock* const block = at.block(lane.block);
      one.backs_off = block != nullptr && lane.thread < block->lanes.size() &&
                      block->lanes[lane.thread].state == LaneState::backing_off;
      for (const RecordedEvent& event : at.last())
        one.is_active |=
            event.block == lane.block && event.thread == lane.thread && is_access(event.kind);
      if (one.moment.phase != LockPhase::apart || one.has_left || one.moment.outer)
        now.lanes.push_back(one);
    }
    return now;
  }

  float draw_heads(Sketch& sketch, const PlotSurface& surface, const LockLayout& layout) const {
    const bool has_lock = kind_.word != LockKind::Word::no_lock;
    const char* const words = has_lock ? "waiting: failed attempts, back-offs"
                                       : "three atomics of each lane, in this order:";
    if (layout.is_narrow)
      return draw_paragraph(sketch, surface, {0.0F, 0.0F},
                            has_lock ? "After a waiting lane: its failed attempts and back-offs."
                                     : "Three atomics of each lane, in this order.",
                            plot_ink::dim) +
             lock_gap;
    sketch.text({0.0F, 0.0F}, has_lock ? "Lock" : "Tally", plot_ink::dim);
    sketch.text({layout.waiting_x, 0.0F}, words, plot_ink::dim);
    for (std::size_t i = 0; i < 3; ++i)
      sketch.text({layout.stage_x + (static_cast<float>(i) + 0.5F) * layout.stage_width, 0.0F},
                  stage_name(i), plot_ink::dim, PlotShape::Align::middle);
    return plot_line_height;
  }

  const char* stage_name(std::size_t i) const {
    static constexpr const char* of_locks[] = {"acquires", "holds it", "releases"};
    static constexpr const char* of_atomics[] = {"first", "between", "last"};
    return kind_.word == LockKind::Word::no_lock ? of_atomics[i] : of_locks[i];
  }

  // Returns where the next one begins.
  float draw_lock(Sketch& sketch, const PlotSurface& surface, const LockLayout& layout, float y,
                  const Playback& at, const Now& now, const LockedLaunch& launch,
                  std::uint32_t lock) const {
    std::vector<const LaneNow*> waiting, inside;
    for (const LaneNow& lane : now.lanes)
      if (const Place place = lane.at(lock); place != Place::elsewhere)
        (place == Place::waits ? waiting : inside).push_back(&lane);
    const bool is_taken = std::any_of(inside.begin(), inside.end(), [lock](const LaneNow* lane) {
      return lane->at(lock) != Place::releases;
    });
    draw_lock_word(sketch, surface, {0.0F, y, layout.lock_width, chip_height}, at, lock, is_taken);
    const std::string value = guarded_value(at, lock);
    const std::uint32_t lines = layout.lines(launch.most_waiting.at(lock));
    if (layout.is_narrow) {
      const float right = layout.lock_width + lock_gap;
      const float value_height = draw_paragraph(sketch, surface, {right, y}, value, plot_ink::dim);
      // Numbers grow: a tally has room for the longest.
      const float room = kind_.stride != 256 && value.find(',') != std::string::npos ? 3.0F : 1.0F;
      y += std::max({value_height, room * plot_line_height, chip_height}) + 0.2F;
      draw_stages(sketch, surface, layout, y, at, lock, inside);
      y += chip_height + 0.2F;
      draw_waiting(sketch, surface, layout, y, at, now, waiting, lines);
      return y + static_cast<float>(lines) * (chip_height + 0.2F) + lock_gap;
    }
    draw_waiting(sketch, surface, layout, y, at, now, waiting, lines);
    draw_stages(sketch, surface, layout, y, at, lock, inside);
    y += static_cast<float>(std::max(lines, 1U)) * (chip_height + 0.2F) - 0.2F;
    return y + draw_paragraph(sketch, surface, {0.0F, y}, value, plot_ink::dim) + lock_gap;
  }

  void draw_lock_word(Sketch& sketch, const PlotSurface& surface, const PlotBox& box,
                      const Playback& at, std::uint32_t lock, bool is_taken) const {
    const std::uint32_t element = kind_.word == LockKind::Word::bit ? lock / 32 : lock;
    const std::string& array = at.recording().arrays[kind_.array].name;
    std::string words = kind_.word == LockKind::Word::bit
                            ? fmt::format("bit {} of {}[{}]", lock % 32, array, element)
                            : fmt::format("{}[{}]", array, element);
    draw_chip(sketch, surface, box,
              {.words = std::move(words),
               .ink = is_taken ? ink::held : plot_ink::neutral,
               .active = is_taken,
               .name = word_name({kind_.array, element, 0})});
  }

  // The value that the lock protects.
  std::string guarded_value(const Playback& at, std::uint32_t lock) const {
    if (!kind_.guarded) return {};
    const auto bytes = at.contents(*kind_.guarded);
    if (kind_.stride == 256)
      return fmt::format("protects head {}, tail {}", number_at<std::uint32_t>(bytes, 128),
                         number_at<std::uint32_t>(bytes, 132));
    const RecordedArray& array = at.recording().arrays[*kind_.guarded];
    const std::size_t offset = std::size_t{lock} * array.element_bytes;
    if (offset + array.element_bytes > bytes.size()) return {};
    if (array.element_bytes == 16)
      return fmt::format("{}[{}]: count {}, largest {}, sum {}", array.name, lock,
                         number_at<std::uint32_t>(bytes, offset),
                         number_at<std::uint32_t>(bytes, offset + 4),
                         number_at<std::uint64_t>(bytes, offset + 8));
    if (!kind_.is_for_warp)
      return fmt::format("protects {}[{}]: {}", array.name, lock,
                         number_at<std::int32_t>(bytes, offset));
    if (!at.last_write({*kind_.guarded, lock, 0}))
      return fmt::format("buffer {}: not used yet", lock);
    return fmt::format("buffer {}: last owned by warp {} of the grid", lock,
                       number_at<std::uint32_t>(bytes, offset));
  }

  void draw_waiting(Sketch& sketch, const PlotSurface& surface, const LockLayout& layout, float y,
                    const Playback& at, const Now& now, const std::vector<const LaneNow*>& waiting,
                    std::uint32_t lines) const {
    const std::size_t places = std::size_t{lines} * layout.chips_a_line();
    const bool is_cut = waiting.size() > places;
    for (std::size_t i = 0; i < std::min(waiting.size(), places); ++i) {
      const LaneNow& lane = *waiting[i];
      const std::size_t line = i / layout.chips_a_line();
      const PlotBox box{
          layout.waiting_x + static_cast<float>(i % layout.chips_a_line()) * layout.chip_width,
          y + static_cast<float>(line) * (chip_height + 0.2F), layout.chip_width - 0.3F,
          chip_height};
      if (is_cut && i + 1 == places) {
        sketch.text({box.x, box.y}, fmt::format("{} more", waiting.size() - i), plot_ink::dim);
        break;
      }
      const std::string words =
          lane_words(at.recording(), lane.lane->block, lane.lane->thread) +
          fmt::format(": {}, {}", LockLane::count(lane.lane->failures, lane.moment.from, now.limit),
                      LockLane::count(lane.lane->sleeps, lane.moment.from, now.limit));
      draw_chip(sketch, surface, box,
                {.words = words,
                 .ink = ink::waiting,
                 .active = lane.is_active,
                 .dotted = lane.backs_off,
                 .name = lane_name(lane.lane->block, lane.lane->thread)});
    }
  }

  // Cells for what a lane does with the lock; the lane stands in one of them.
  void draw_stages(Sketch& sketch, const PlotSurface& surface, const LockLayout& layout, float y,
                   const Playback& at, std::uint32_t lock,
                   const std::vector<const LaneNow*>& inside) const {
    std::vector<const LaneNow*> at_stage[3];
    for (const LaneNow* lane : inside)
      at_stage[static_cast<unsigned>(lane->at(lock)) - static_cast<unsigned>(Place::acquires)]
          .push_back(lane);
    for (std::size_t i = 0; i < 3; ++i) {
      const PlotBox cell{layout.stage_x + static_cast<float>(i) * layout.stage_width, y,
                         layout.stage_width - 0.3F, chip_height};
      if (at_stage[i].empty()) {
        sketch.frame(cell, plot_ink::grid, 0.06F);
        if (layout.is_narrow)
          sketch.text({cell.x + 0.5F * cell.width, y + 0.1F}, stage_name(i), plot_ink::dim,
                      PlotShape::Align::middle);
        continue;
      }
      const LockLane& lane = *at_stage[i].front()->lane;
      std::string words = lane_words(at.recording(), lane.block, lane.thread);
      if (at_stage[i].size() > 1) words += fmt::format(" +{}", at_stage[i].size() - 1);
      draw_chip(sketch, surface, cell,
                {.words = std::move(words),
                 .ink = ink::held,
                 .active = at_stage[i].front()->is_active,
                 .name = lane_name(lane.block, lane.thread)});
    }
  }

  // Locks that are in use and have no row. Returns the height.
  float draw_others(Sketch& sketch, const PlotSurface& surface, float y, const Now& now,
                    const LockedLaunch& launch, std::size_t rows) const {
    if (launch.locks.size() <= rows) return 0.0F;
    std::size_t inside = 0, waiting = 0;
    for (const LaneNow& lane : now.lanes) {
      const auto end = launch.locks.begin() + static_cast<std::ptrdiff_t>(rows);
      if (std::find(launch.locks.begin(), end, lane.moment.lock) != end) continue;
      inside += lane.moment.phase == LockPhase::inside ? 1 : 0;
      waiting += lane.moment.phase == LockPhase::waiting ? 1 : 0;
    }
    return draw_paragraph(sketch, surface, {0.0F, y},
                          kind_.word == LockKind::Word::no_lock
                              ? fmt::format("{} other tallies: {} lanes between their atomics",
                                            launch.locks.size() - rows, inside)
                              : fmt::format("{} other locks: {} lanes hold one, {} wait",
                                            launch.locks.size() - rows, inside, waiting),
                          plot_ink::dim);
  }

  // The lanes that the strip shows: those of the chosen warp, or, where few of them ever want a
  // lock, those of all warps.
  std::vector<const LockLane*> strip_lanes(const Playback& at, const StepFocus& focus,
                                           const LockedLaunch& launch, std::string& title) const {
    const std::uint32_t warp_size = at.recording().warp_size;
    std::uint32_t warp = 0;
    for (const RecordedEvent& event : at.last())
      if (event.block == focus.block && event.kind != EventKind::block_begin)
        warp = event.thread / warp_size;
    std::vector<const LockLane*> lanes;
    for (const LockLane& lane : launch.lanes)
      if (lane.block == focus.block && lane.thread / warp_size == warp) lanes.push_back(&lane);
    title = fmt::format("Block {}, warp {}, lane by lane:", focus.block, warp);
    if (lanes.size() >= 4) return lanes;
    lanes.clear();
    for (const LockLane& lane : launch.lanes)
      if (lanes.size() < 64) lanes.push_back(&lane);
    title = "All lanes that take locks:";
    return lanes;
  }

  // Time to the right, a row for each lane. Returns the lower end.
  float draw_strip(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                   const StepFocus& focus, const LockedLaunch& launch) const {
    std::string title;
    const auto lanes = strip_lanes(at, focus, launch, title);
    y += draw_paragraph(sketch, surface, {0.0F, y}, title + " time runs to the right");
    std::vector<KeyEntry> key;
    if (kind_.word != LockKind::Word::no_lock) key.push_back({"waits", filled(ink::waiting, 0.8F)});
    key.push_back({kind_.word == LockKind::Word::no_lock ? "between its atomics" : "holds a lock",
                   filled(ink::held)});
    key.push_back({"done", filled(plot_ink::grid)});
    y += draw_key(sketch, surface, {0.0F, y}, key) + 0.3F;
    const float label = 5.2F;
    const float width = sketch.width() - label;
    const float row = lanes.size() > 16 ? 0.6F : plot_line_height;
    const auto begin = static_cast<float>(at.step_of(launch.begin));
    const auto steps = static_cast<float>(at.step_of(launch.end - 1)) + 1.0F - begin;
    const auto x_of = [&](std::size_t step) {
      return label + width * std::clamp((static_cast<float>(step) - begin) / steps, 0.0F, 1.0F);
    };
    float label_end = y;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const float top = y + static_cast<float>(i) * row;
      if (top >= label_end - 0.01F &&
          top + plot_line_height <= y + static_cast<float>(lanes.size()) * row + 0.01F) {
        sketch.text({0.0F, top}, lane_words(at.recording(), lanes[i]->block, lanes[i]->thread),
                    plot_ink::dim);
        label_end = top + plot_line_height;
      }
      draw_row(sketch, {label, top, width, 0.85F * row}, at, launch, *lanes[i], x_of);
    }
    const float bottom = y + std::max(static_cast<float>(lanes.size()) * row, plot_line_height);
    sketch.line({x_of(at.at()), y - 0.2F}, {x_of(at.at()), bottom}, plot_ink::text, 0.12F);
    return bottom;
  }

  // Phases in columns of a fixed width, so that a long run has no more shapes than a short one.
  template <class XOf>
  void draw_row(Sketch& sketch, const PlotBox& row, const Playback& at, const LockedLaunch& launch,
                const LockLane& lane, const XOf& x_of) const {
    constexpr float column = 0.25F;
    const auto columns = static_cast<std::size_t>(row.width / column);
    std::vector<std::uint8_t> inks(columns, 0);  // 0: nothing, else by importance
    const auto fill = [&](std::size_t from, std::size_t to, std::uint8_t with) {
      const auto first = static_cast<std::size_t>((x_of(at.step_of(from)) - row.x) / column);
      const auto last = static_cast<std::size_t>((x_of(at.step_of(to)) - row.x) / column);
      for (std::size_t c = first; c < std::min(std::max(last, first + 1), columns); ++c)
        inks[c] = std::max(inks[c], with);
    };
    for (std::size_t i = 0; i < lane.moments.size(); ++i) {
      const bool is_last = i + 1 == lane.moments.size();
      const std::size_t to = is_last ? launch.end - 1 : lane.moments[i + 1].from;
      const LockMoment& moment = lane.moments[i];
      const bool holds = moment.phase == LockPhase::inside ||
                         (moment.phase == LockPhase::apart && moment.outer.has_value());
      if (moment.phase == LockPhase::apart && !holds && !is_last) continue;
      fill(moment.from, to,
           holds                                ? std::uint8_t{3}
           : moment.phase == LockPhase::waiting ? std::uint8_t{2}
                                                : std::uint8_t{1});
    }
    static constexpr int ink_of[] = {plot_ink::grid, plot_ink::grid, ink::waiting, ink::held};
    for (std::size_t c = 0; c < columns;) {
      std::size_t end = c;
      while (end < columns && inks[end] == inks[c]) ++end;
      if (inks[c] > 0)
        sketch.box({row.x + static_cast<float>(c) * column, row.y,
                    static_cast<float>(end - c) * column, row.height},
                   ink_of[inks[c]], inks[c] == 2 ? 0.8F : 1.0F, lane_name(lane.block, lane.thread));
      c = end;
    }
  }

  LockKind kind_;
  std::vector<LockedLaunch> launches_;
};

}  // namespace

bool is_for_lock(const Recording& recording) { return lock_kind(recording).has_value(); }
std::unique_ptr<StepView> make_lock(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<LockView>(*recording, lock_kind(*recording).value());
}

}  // namespace warpview::step_views
