// What the run has cost up to the step: sectors, bank turns, atomics, barriers and more.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/step_views/count_series.h"
#include "app/step_views/sketch.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

struct CountRow {
  const char* words;
  std::uint32_t StepCounts::*count;
};
constexpr CountRow count_rows[] = {{"global reads (warps)", &StepCounts::global_reads},
                                   {"global writes, atomics (warps)", &StepCounts::global_writes},
                                   {"global sectors of 32 bytes", &StepCounts::sectors},
                                   {"shared accesses (warps)", &StepCounts::shared_accesses},
                                   {"bank turns", &StepCounts::bank_turns},
                                   {"accesses with conflicts", &StepCounts::conflicts},
                                   {"atomics (lanes)", &StepCounts::atomics},
                                   {"barriers", &StepCounts::barriers},
                                   {"collectives", &StepCounts::collectives},
                                   {"divergent steps", &StepCounts::divergent},
                                   {"back-offs (lanes)", &StepCounts::back_offs}};

class Counts : public StepView {
 public:
  explicit Counts(const std::shared_ptr<const Recording>& recording) {
    const Playback playback(recording);
    for (std::size_t i = 0; i < playback.steps(); ++i) {
      const auto events = playback.events_of(i);
      const RecordedEvent& head = events.front();
      if (head.kind == EventKind::launch) launches_.push_back(i);
      const StepCounts counts = counts_of(*recording, events);
      all_.add(i, counts);
      if (!is_host_write(head.kind) && head.kind != EventKind::launch)
        blocks_[{launches_.size(), head.block}].add(i, counts);
    }
  }

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const StepCounts total = all_.before(at, at.at());
    const auto launches = static_cast<std::size_t>(
        std::lower_bound(launches_.begin(), launches_.end(), at.at()) - launches_.begin());
    const StepCounts launch =
        launches == 0 ? total : total - all_.before(at, launches_[launches - 1]);
    StepCounts block;
    if (const auto found = blocks_.find({launches, focus.block}); found != blocks_.end())
      block = found->second.before(at, at.at());
    const StepCounts step = at.at() == 0 ? StepCounts{} : counts_of(at.recording(), at.last());
    return table(sketch, surface, fmt::format("block {}", focus.block),
                 {step, block, launch, total});
  }

  std::string legend() const override {
    return "Counts of this step, and of the chosen block, of the launch and of the whole run up to "
           "this step.";
  }

 private:
  static StepDrawing table(Sketch& sketch, const PlotSurface& surface, std::string block,
                           const StepCounts (&counts)[4]) {
    const std::string heads[] = {"step", std::move(block), "launch", "run"};
    float column = 0.0F, words = 0.0F;
    for (const CountRow& row : count_rows) {
      words = std::max(words, Sketch::width_of(surface, row.words));
      for (const StepCounts& each : counts)
        column = std::max(column, Sketch::width_of(surface, fmt::format("{}", each.*row.count)));
    }
    for (const std::string& head : heads)
      column = std::max(column, Sketch::width_of(surface, head));
    column += 0.8F;
    // Where the columns do not fit beside the words, they lie below them.
    const bool beside = words + 4.0F * column <= sketch.width();
    if (!beside) column = std::min(column, 0.25F * sketch.width());
    const float left = beside ? words : 0.0F;
    const auto numbers = [&](float y, const auto& text_of, int ink) {
      for (std::size_t i = 0; i < 4; ++i)
        sketch.text({left + column * static_cast<float>(i + 1), y}, text_of(i), ink,
                    PlotShape::Align::right);
    };
    float y = 0.0F;
    numbers(
        y, [&](std::size_t i) { return heads[i]; }, plot_ink::dim);
    y += plot_line_height;
    for (const CountRow& row : count_rows) {
      sketch.text({0.0F, y}, row.words, plot_ink::dim);
      if (!beside) y += plot_line_height;
      numbers(
          y, [&](std::size_t i) { return fmt::format("{}", counts[i].*row.count); },
          plot_ink::text);
      y += plot_line_height + (beside ? 0.0F : 0.2F);
    }
    return sketch.take(y);
  }

  CountSeries all_;
  std::vector<std::size_t> launches_;                                    // steps
  std::map<std::pair<std::size_t, std::uint32_t>, CountSeries> blocks_;  // by launch, from 1
};

}  // namespace

bool is_for_counts(const Recording& recording) { return !recording.launches.empty(); }
std::unique_ptr<StepView> make_counts(std::shared_ptr<const Recording> recording) {
  return std::make_unique<Counts>(recording);
}

}  // namespace warpview::step_views
