// Blocks over time: a row for each place of a resident block, the whole run to the right.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/common/source_files.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"

namespace warpview::step_views {
namespace {

// Columns of the chart: however long a run is, it has no more.
constexpr std::size_t chart_columns = 192;
constexpr std::uint32_t most_chart_rows = 32;

// What a block does in a column. Several in one column: the last of these that is so.
namespace block_does {
constexpr std::uint8_t acts = 1, at_barrier = 2, waits = 4;
}  // namespace block_does

// A block from its begin to its end.
struct BlockRun {
  std::uint32_t launch = 0, block = 0;
  std::uint32_t row = 0;
  std::size_t begin = 0, end = 0;  // events
  std::size_t first_column = 0;
  std::vector<std::uint8_t> does{};   // by column from the first on
  std::vector<std::uint8_t> works{};  // which procedure, from 1; 0: none is known
};

// Follows the lanes of all blocks through the run.
class BlockFinder {
 public:
  explicit BlockFinder(const Recording& recording) : recording_(recording) {
    for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
      const RecordedArray& array = recording.arrays[i];
      // Batch of gpu/primitives/schedule/queues.h: the procedure, the number of items, and more.
      if (recording.primitive == "schedule" && array.name == "batch" &&
          array.kind == ArrayKind::shared && array.bytes == 24)
        batch_ = i;
    }
  }

  std::vector<BlockRun> run() {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) look_at(i);
    for (auto& [block, now] : running_) finish(now, recording_.events.size());
    return std::move(runs_);
  }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(taken_.size()); }
  std::uint32_t procedures() const { return procedures_; }

 private:
  enum class Lane : std::uint8_t { running, at_barrier, backing_off, exited };
  struct Running {
    BlockRun run;
    std::vector<Lane> lanes;
    std::size_t waiting = 0, resting = 0, exited = 0;  // at a barrier, in back-off
    std::size_t seen = 0;                              // until this column all is noted
    std::uint32_t chosen = 0;                          // procedure of the next batch
    std::uint8_t works = 0;
  };

  std::size_t column_of(std::size_t event) const {
    return event * chart_columns / std::max<std::size_t>(recording_.events.size(), 1);
  }

  void look_at(std::size_t i) {
    const RecordedEvent& event = recording_.events[i];
    if (event.kind == EventKind::launch) {
      launch_ = event.subject;
    } else if (event.kind == EventKind::block_begin) {
      begin(i, event.block);
    } else if (!is_patch(event.kind)) {
      const auto found = running_.find(event.block);
      if (found == running_.end()) return;
      follow(i, event, found->second);
      if (event.kind == EventKind::block_end) {
        finish(found->second, i + 1);
        running_.erase(found);
      }
    }
  }

  void begin(std::size_t i, std::uint32_t block) {
    if (!launch_ || running_.contains(block)) return;
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto row = static_cast<std::uint32_t>(free - taken_.begin());
    if (free == taken_.end()) taken_.push_back(false);
    taken_[row] = true;
    Running& now = running_[block];
    now.run.launch = *launch_;
    now.run.block = block;
    now.run.row = row;
    now.run.begin = i;
    now.run.first_column = column_of(i);
    now.lanes.resize(recording_.launches[*launch_].threads());
    now.seen = now.run.first_column;
  }

  void follow(std::size_t i, const RecordedEvent& event, Running& now) {
    note(now, column_of(i));
    const auto change = [&](std::size_t thread, Lane to) {
      if (thread >= now.lanes.size()) return;
      Lane& lane = now.lanes[thread];
      now.waiting -= lane == Lane::at_barrier ? 1 : 0;
      now.resting -= lane == Lane::backing_off ? 1 : 0;
      now.exited -= lane == Lane::exited ? 1 : 0;
      lane = to;
      now.waiting += lane == Lane::at_barrier ? 1 : 0;
      now.resting += lane == Lane::backing_off ? 1 : 0;
      now.exited += lane == Lane::exited ? 1 : 0;
    };
    if (event.kind == EventKind::arrive) {
      change(event.thread, Lane::at_barrier);
    } else if (event.kind == EventKind::back_off) {
      change(event.thread, Lane::backing_off);
    } else if (event.kind == EventKind::exit) {
      change(event.thread, Lane::exited);
    } else if (event.kind == EventKind::barrier) {
      for (std::size_t k = 0; k < now.lanes.size(); ++k)
        if (now.lanes[k] == Lane::at_barrier) change(k, Lane::running);
    } else if (is_access(event.kind) || event.kind == EventKind::answer) {
      change(event.thread, Lane::running);
      mark(now, block_does::acts);
    }
    if (batch_ && event.subject == *batch_ && event.kind == EventKind::write) choose(event, now);
    note(now, column_of(i));
  }

  // A batch is chosen, or none: its block then looks for work.
  void choose(const RecordedEvent& event, Running& now) {
    constexpr std::uint32_t most = 15;
    if (event.offset == 0)
      now.chosen = static_cast<std::uint32_t>(std::min<std::uint64_t>(event.value, most));
    if (event.offset != 4) return;
    now.works = event.value == 0 ? 0 : static_cast<std::uint8_t>(now.chosen + 1);
    if (event.value != 0) procedures_ = std::max(procedures_, now.chosen + 1);
  }

  // The state holds from the last noted column to this one.
  static void note(Running& now, std::size_t column) {
    BlockRun& run = now.run;
    const std::size_t size = column - run.first_column + 1;
    if (run.does.size() < size) {
      run.does.resize(size);
      run.works.resize(size);
    }
    const std::size_t live = now.lanes.size() - now.exited;
    std::uint8_t state = 0;
    if (now.waiting > 0 && now.waiting < live) state |= block_does::at_barrier;
    if (now.resting > 0 && now.resting + now.waiting == live) state |= block_does::waits;
    for (std::size_t c = now.seen; c <= column; ++c) {
      run.does[c - run.first_column] |= state;
      if (now.works > 0 || c > now.seen) run.works[c - run.first_column] = now.works;
    }
    now.seen = column;
  }
  static void mark(Running& now, std::uint8_t what) {
    now.run.does[now.seen - now.run.first_column] |= what;
  }
  void finish(Running& now, std::size_t end) {
    note(now, std::max(now.seen, column_of(end - 1)));
    now.run.end = end;
    taken_[now.run.row] = false;
    runs_.push_back(std::move(now.run));
  }

  const Recording& recording_;
  std::optional<std::uint32_t> batch_;
  std::optional<std::uint32_t> launch_;
  std::map<std::uint32_t, Running> running_;  // by block
  std::vector<bool> taken_;                   // rows
  std::vector<BlockRun> runs_;
  std::uint32_t procedures_ = 0;
};

class BlocksView : public StepView {
 public:
  explicit BlocksView(const Recording& recording) : events_(recording.events.size()) {
    BlockFinder finder(recording);
    runs_ = finder.run();
    rows_ = finder.rows();
    procedures_ = finder.procedures();
    std::map<std::string, std::uint8_t> numbers;
    for (const RecordedLaunch& launch : recording.launches) {
      const std::string name(bare_name(launch.kernel));
      const auto next = static_cast<std::uint8_t>(numbers.size());
      const auto [at, is_new] = numbers.try_emplace(name, next);
      if (is_new) kernels_.push_back(name);
      kernel_of_.push_back(at->second);
      if (is_new) longest_words_.emplace_back();
      std::string& longest = longest_words_[at->second];
      const std::size_t number = recording.launches.size();
      std::string words = words_about(launch, number, number, {launch.blocks(), launch.blocks()});
      if (words.size() > longest.size()) longest = std::move(words);
    }
  }

  std::string legend() const override {
    return "Each row is a slot for a resident block. Boxes are the blocks that ran in it, with "
           "their numbers. Strong colour: the block makes accesses. Pale: it is resident while the "
           "schedule runs other blocks.";
  }

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key());
    draw_paragraph(sketch, surface, {0.0F, y}, now_words(at));
    y += static_cast<float>(most_lines(sketch, surface)) * plot_line_height + 0.5F;
    const std::uint32_t rows = std::min(rows_, most_chart_rows);
    const float height = rows <= 16 ? plot_line_height + 0.25F : 0.8F;
    for (const BlockRun& run : runs_)
      if (run.row < rows)
        draw_run(sketch, surface,
                 {0.0F, y + static_cast<float>(run.row) * height, sketch.width(), 0.85F * height},
                 run, focus);
    const float bottom = y + static_cast<float>(rows) * height;
    const std::size_t event = at.executed();
    const float x = sketch.width() * static_cast<float>(event) /
                    static_cast<float>(std::max<std::size_t>(events_, 1));
    sketch.line({x, y - 0.3F}, {x, bottom + 0.1F}, plot_ink::text, 0.12F).name = "now";
    y = bottom + 0.3F;
    std::string note = "Time runs to the right, in accesses of all lanes.";
    if (rows < rows_) note += fmt::format(" {} more rows are not shown.", rows_ - rows);
    y += draw_paragraph(sketch, surface, {0.0F, y}, note, plot_ink::dim);
    return sketch.take(y);
  }

 private:
  std::vector<KeyEntry> key() const {
    std::vector<KeyEntry> entries;
    constexpr std::size_t most = 8;
    if (procedures_ > 0) {
      for (std::uint32_t i = 0; i < std::min<std::uint32_t>(procedures_, 4); ++i)
        entries.push_back({fmt::format("procedure {}", i), filled(ink::work(i))});
      entries.push_back({"looks for work", filled(plot_ink::neutral)});
    } else {
      for (std::size_t i = 0; i < std::min(kernels_.size(), most); ++i)
        entries.push_back({kernels_[i], filled(ink::work(i))});
    }
    entries.push_back({"all lanes wait", filled(ink::waiting)});
    entries.push_back({"some wait at a barrier", [](Sketch& sketch, PlotBox box) {
                         sketch.box(box, plot_ink::neutral, 0.22F);
                         sketch.box(
                             {box.x, box.y + 0.8F * box.height, box.width, 0.2F * box.height},
                             ink::waiting);
                       }});
    return entries;
  }

  struct Residents {
    std::size_t blocks = 0, in_back_off = 0;
  };
  static std::string words_about(const RecordedLaunch& launch, std::size_t number,
                                 std::size_t launches, const Residents& residents) {
    return fmt::format("Launch {} of {}, {}: {} of {} blocks are resident, {} of them in back-off",
                       number, launches, bare_name(launch.kernel), residents.blocks,
                       launch.blocks(), residents.in_back_off);
  }

  // Lines of the longest words at any step, so that the rows stay in their place.
  std::size_t most_lines(const Sketch& sketch, const PlotSurface& surface) const {
    std::size_t lines = 1;
    for (const std::string& words : longest_words_)
      lines = std::max(lines, wrapped(surface, words, sketch.width()).size());
    return lines;
  }

  static std::string now_words(const Playback& at) {
    if (!at.launch()) return "No kernel has started.";
    std::size_t waiting = 0;
    for (const PlayedBlock& block : at.blocks()) {
      bool all_wait = true, backs_off = false;
      for (const PlayedLane& lane : block.lanes) {
        all_wait &= lane.state != LaneState::running;
        backs_off |= lane.state == LaneState::backing_off;
      }
      waiting += all_wait && backs_off ? 1 : 0;
    }
    const RecordedLaunch& launch = at.recording().launches[*at.launch()];
    return words_about(launch, *at.launch() + 1, at.recording().launches.size(),
                       {at.blocks().size(), waiting});
  }

  int ink_of(const BlockRun& run, std::size_t column) const {
    if (procedures_ == 0) return ink::work(kernel_of_[run.launch]);
    return run.works[column] == 0 ? plot_ink::neutral : ink::work(run.works[column] - 1U);
  }

  void draw_run(Sketch& sketch, const PlotSurface& surface, const PlotBox& row, const BlockRun& run,
                const StepFocus& focus) const {
    const float column = row.width / static_cast<float>(chart_columns);
    const std::string name = fmt::format("block/{}/{}", run.launch, run.block);
    const auto box_of = [&](std::size_t from, std::size_t to) {
      return PlotBox{static_cast<float>(run.first_column + from) * column, row.y,
                     static_cast<float>(to - from) * column, row.height};
    };
    struct Look {
      int ink;
      float opacity;
      bool operator==(const Look&) const = default;
    };
    const auto look_of = [&](std::size_t c) {
      const std::uint8_t does = run.does[c];
      if ((does & block_does::waits) != 0) return Look{ink::waiting, 0.75F};
      return Look{ink_of(run, c), (does & block_does::acts) != 0 ? 0.6F : 0.22F};
    };
    const std::size_t columns = run.does.size();
    for (std::size_t c = 0; c < columns;) {
      std::size_t end = c + 1;
      while (end < columns && look_of(end) == look_of(c)) ++end;
      const Look look = look_of(c);
      sketch.box(box_of(c, end), look.ink, look.opacity, name);
      c = end;
    }
    // A bar at the lower edge: lanes that wait for others of their block.
    const auto at_barrier = [&](std::size_t c) {
      return (run.does[c] & (block_does::at_barrier | block_does::waits)) == block_does::at_barrier;
    };
    for (std::size_t c = 0; c < columns;) {
      std::size_t end = c + 1;
      while (end < columns && at_barrier(end) == at_barrier(c)) ++end;
      PlotBox bar = box_of(c, end);
      bar.y += 0.8F * bar.height;
      bar.height *= 0.2F;
      if (at_barrier(c)) sketch.box(bar, ink::waiting, 1.0F, name);
      c = end;
    }
    const PlotBox whole = box_of(0, columns);
    sketch.frame(whole, run.block == focus.block ? plot_ink::text : plot_ink::paper, 0.06F, name);
    const std::string number = fmt::format("{}", run.block);
    if (row.height >= plot_line_height && Sketch::width_of(surface, number) + 0.4F < whole.width)
      sketch.text({whole.x + 0.2F, row.y}, number).name = name;
  }

  std::size_t events_;
  std::vector<BlockRun> runs_;
  std::uint32_t rows_ = 0;
  std::uint32_t procedures_ = 0;
  std::vector<std::string> kernels_;
  std::vector<std::uint8_t> kernel_of_;     // by launch
  std::vector<std::string> longest_words_;  // by kernel: at any step
};

}  // namespace

bool is_for_blocks(const Recording& recording) {
  std::size_t blocks = 0;
  for (const RecordedEvent& event : recording.events)
    blocks += event.kind == EventKind::block_begin ? 1 : 0;
  return blocks > 1;
}
std::unique_ptr<StepView> make_blocks(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<BlocksView>(*recording);
}

}  // namespace warpview::step_views
