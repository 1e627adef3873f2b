#include "app/common/busy_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/digits.h"
#include "app/common/sweep_plot.h"

namespace warpview {

Plot busy_plot(std::span<const lab::Answer> answers, const std::string& device,
               const std::set<std::string>& hidden) {
  Plot plot{.x_title = "Time within a run",
            .y_title = "Busy blocks, fraction of resident capacity",
            .unit = PlotUnit::share,
            .linear = true};
  if (answers.empty()) return plot;
  const lab::Question& asked = answers.front().question;
  const lab::ExperimentKind& kind = lab::experiment(asked.primitive);
  const lab::Form& form = kind.forms[static_cast<std::size_t>(asked.form)];
  plot.title = fmt::format("{}, {}", title(asked.primitive), form.summary);
  plot.subtitle = fmt::format("{} {} {} on {}; of one run", group_digits(asked.n),
                              lab::to_string(asked.distribution), kind.items, device);
  for (const VariantId variant : variants_of(asked.primitive)) {
    const auto answer =
        std::find_if(answers.begin(), answers.end(), [variant](const lab::Answer& each) {
          return each.variant == variant && !each.busy.shares.empty();
        });
    if (answer == answers.end()) continue;
    PlotSeries series = series_of(variant);
    series.mark = -1;
    series.shown = !hidden.contains(series.name);
    double from = 0.0;
    for (const double share : answer->busy.shares) {
      const double to = from + answer->busy.slice_ms();
      series.points.push_back({.x = from, .y = share});
      series.points.push_back({.x = to, .y = share});
      from = to;
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string busy_csv(std::span<const lab::Answer> answers) {
  std::string text = "variant,ms,share\n";
  for (const lab::Answer& answer : answers)
    for (std::size_t i = 0; i < answer.busy.shares.size(); ++i)
      text += fmt::format("{},{:.6g},{:.4g}\n", (*answer.variant)->name,
                          static_cast<double>(i) * answer.busy.slice_ms(), answer.busy.shares[i]);
  return text;
}

}  // namespace warpview
