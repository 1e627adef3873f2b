#include "app/panels/budget_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/format.h"

namespace warpview {
namespace {

struct Range {
  double first, last;
};

// Units that are worth looking at.
Range range_of_interest(const Budgets& budgets) {
  constexpr double around = 16.0;
  constexpr double fewest = 0x1p10;
  constexpr double most = 0x1p44;
  const std::vector<Cheapest> cheapest = cheapest_of(budgets.contenders);
  double first = budgets.measured;
  double last = budgets.measured;
  if (cheapest.size() > 1) {
    first = cheapest[1].from;
    last = cheapest.back().from;
  }
  first = std::clamp(first / around, fewest, most);
  return {first, std::clamp(last * around, first, most)};
}

}  // namespace

Plot budget_plot(const Budgets& budgets) {
  Plot plot{.x_title = capitalised(budgets.unit),
            .y_title = fmt::format("Update and {} together", budgets.unit),
            .has_legend = false,
            .unknown_runs = fmt::format("update and {} together", budgets.unit)};
  constexpr double step = 1.189207115002721;  // a quarter of an octave
  const auto [first, last] = range_of_interest(budgets);
  int colour = 1;
  for (const Contender& contender : budgets.contenders) {
    PlotSeries series{.name = contender.name, .colour = colour++};
    if (contender.is_measured())
      for (double units = first; units < last * step; units *= step) {
        const double ms = contender.milliseconds(units);
        series.points.push_back({.x = units, .y = ms, .low = ms, .high = ms});
      }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace warpview
