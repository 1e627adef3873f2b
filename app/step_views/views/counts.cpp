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
  std::uint32_t StepCounts::*count;  // null: a heading
};
constexpr CountRow count_rows[] = {{"Global memory", nullptr},
                                   {"reads", &StepCounts::global_reads},
                                   {"writes", &StepCounts::global_writes},
                                   {"sectors", &StepCounts::sectors},
                                   {"Shared memory", nullptr},
                                   {"accesses", &StepCounts::shared_accesses},
                                   {"bank turns", &StepCounts::bank_turns},
                                   {"conflicts", &StepCounts::conflicts},
                                   {"Lanes and warps", nullptr},
                                   {"atomics", &StepCounts::atomics},
                                   {"barriers", &StepCounts::barriers},
                                   {"collectives", &StepCounts::collectives},
                                   {"divergent", &StepCounts::divergent},
                                   {"back-offs", &StepCounts::back_offs}};

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
      if (!is_patch(head.kind) && head.kind != EventKind::launch)
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
    return table(sketch, surface, {step, block, launch, total});
  }

  std::string legend() const override {
    return "Counts up to this step. Reads, writes, accesses and conflicts are per warp, atomics "
           "and back-offs per lane; a sector has 32 bytes; divergent: steps of a diverged warp.";
  }

 private:
  static StepDrawing table(Sketch& sketch, const PlotSurface& surface,
                           const StepCounts (&counts)[4]) {
    static constexpr const char* heads[] = {"step", "block", "launch", "run"};
    float right[4] = {};  // of the columns
    float x = 0.0F;
    for (const CountRow& row : count_rows)
      if (row.count) x = std::max(x, Sketch::width_of(surface, row.words) + 0.5F);
    for (std::size_t i = 0; i < 4; ++i) {
      float column = Sketch::width_of(surface, heads[i]);
      for (const CountRow& row : count_rows)
        if (row.count)
          column =
              std::max(column, Sketch::width_of(surface, fmt::format("{}", counts[i].*row.count)));
      // Where there is room, columns keep their places as numbers grow.
      const float usual = sketch.is_narrow() ? 0.0F : 5.0F;
      right[i] = std::min(x += std::max(column + 0.7F, usual), sketch.width());
    }
    float y = 0.0F;
    for (std::size_t i = 0; i < 4; ++i)
      sketch.text({right[i], y}, heads[i], plot_ink::dim, PlotShape::Align::right);
    for (const CountRow& row : count_rows) {
      if (!row.count) {
        y += plot_line_height + (y > 0.0F ? 0.2F : 0.0F);
        sketch.text({0.0F, y}, row.words, plot_ink::text, PlotShape::Align::left, true);
        continue;
      }
      y += plot_line_height;
      sketch.text({0.0F, y}, row.words, plot_ink::dim);
      for (std::size_t i = 0; i < 4; ++i)
        sketch.text({right[i], y}, fmt::format("{}", counts[i].*row.count), plot_ink::text,
                    PlotShape::Align::right);
    }
    return sketch.take(y + plot_line_height);
  }

  CountSeries all_;
  std::vector<std::size_t> launches_;                                    // steps
  std::map<std::pair<std::size_t, std::uint32_t>, CountSeries> blocks_;  // by launch, from 1
};

}  // namespace

bool is_for_counts(const Recording& recording) { return !recording.launches.empty(); }
std::unique_ptr<StepView> make_counts(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Counts>(recording);
}

}  // namespace warpview::step_views
