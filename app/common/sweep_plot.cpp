#include "app/common/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace warpview {
namespace {

// Converts a run of `ms` milliseconds into the metric.
double value_of(const lab::Answer& answer, SweepMetric metric, double ms) {
  if (!(ms > 0.0)) return 0.0;
  switch (metric) {
    case SweepMetric::time:
      return ms;
    case SweepMetric::items:
      return answer.question.n / ms * 1e3;
    case SweepMetric::bandwidth:
      return answer.bytes / ms * 1e-6;
  }
  return 0.0;
}

PlotPoint point_of(const lab::Answer& answer, SweepMetric metric) {
  PlotPoint point{.x = static_cast<double>(answer.question.n),
                  .y = value_of(answer, metric, answer.ms),
                  .low = value_of(answer, metric, answer.quartile_1_ms),
                  .high = value_of(answer, metric, answer.quartile_3_ms),
                  .runs = answer.runs};
  if (point.low > point.high) std::swap(point.low, point.high);
  return point;
}

void set_units(Plot& plot, SweepMetric metric) {
  switch (metric) {
    case SweepMetric::time:
      plot.unit = PlotUnit::milliseconds;
      plot.y_title = "Time: lower is better";
      break;
    case SweepMetric::items:
      plot.unit = PlotUnit::per_second;
      plot.y_title = "Items per second: higher is better";
      break;
    case SweepMetric::bandwidth:
      plot.unit = PlotUnit::gb_per_second;
      plot.y_title = "Minimum bytes / time: higher is better";
      break;
  }
}

// Its title; with its name behind where a variant that was added has the same title.
std::string curve_name(VariantId variant) {
  for (const VariantId other : variants_of(variant->primitive))
    if (other != variant && std::string_view(other->title) == variant->title)
      return fmt::format("{} ({})", variant->title, variant->name);
  return variant->title;
}

}  // namespace

PlotSeries series_of(VariantId variant) {
  // The first colour is reserved for the library.
  constexpr int others = plot_series_colours - 1;
  int place = 0;
  if (!is_library(variant))
    for (const VariantId other : variants_of(variant->primitive))
      place += other < variant && !is_library(other) ? 1 : 0;
  const bool is_again = place >= others;
  return {.name = curve_name(variant),
          .colour = is_library(variant) ? 0 : 1 + place % others,
          .mark = is_library(variant) ? 0 : 1 + place,
          .line = is_library(variant) || is_again ? PlotLine::dashed : PlotLine::solid,
          .points = {}};
}

Plot sweep_plot(std::span<const lab::Answer> answers, SweepMetric metric, const std::string& device,
                const std::set<std::string>& hidden) {
  Plot plot;
  set_units(plot, metric);
  if (answers.empty()) return plot;
  const lab::Question& asked = answers.front().question;
  const lab::ExperimentKind& kind = lab::experiment(asked.primitive);
  const lab::Form& form = kind.forms[static_cast<std::size_t>(asked.form)];
  plot.title = fmt::format("{}, {}", title(asked.primitive), form.summary);
  plot.subtitle = fmt::format("{} {} on {}; medians with cold caches, bands: quartiles",
                              lab::to_string(asked.distribution), kind.items, device);
  plot.x_title = fmt::format("Size: {}", kind.items);

  PlotSeries copy{.name = copy_series, .line = PlotLine::dotted, .points = {}};
  std::map<VariantId, std::vector<PlotPoint>> by_variant;
  for (const lab::Answer& answer : answers) {
    if (answer.runs == 0 || !answer.difference.empty() || !answer.why_not.empty()) continue;
    by_variant[*answer.variant].push_back(point_of(answer, metric));
    const double copy_ms =
        answer.copy_gb_per_s > 0.0 ? answer.bytes / answer.copy_gb_per_s * 1e-6 : 0.0;
    copy.points.push_back(
        {.x = static_cast<double>(answer.question.n), .y = value_of(answer, metric, copy_ms)});
  }
  const auto by_size = [](std::vector<PlotPoint>& points) {
    std::stable_sort(points.begin(), points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    points.erase(std::unique(points.begin(), points.end(),
                             [](const PlotPoint& a, const PlotPoint& b) { return a.x == b.x; }),
                 points.end());
  };
  for (const VariantId variant : variants_of(asked.primitive)) {
    const auto found = by_variant.find(variant);
    if (found == by_variant.end()) continue;
    PlotSeries series = series_of(variant);
    series.points = std::move(found->second);
    by_size(series.points);
    plot.series.push_back(std::move(series));
  }
  by_size(copy.points);
  if (!copy.points.empty()) plot.series.push_back(std::move(copy));
  for (PlotSeries& series : plot.series) series.shown = !hidden.contains(series.name);
  return plot;
}

}  // namespace warpview
