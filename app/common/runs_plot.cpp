#include "app/common/runs_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "app/common/change.h"
#include "app/common/digits.h"
#include "app/common/lab_operations.h"
#include "app/common/sweep_plot.h"

namespace warpview {
namespace {

// The subject of a run, without its time and size.
struct Column {
  std::string (*of)(const MeasuredRun& run);
};
constexpr std::array subject = {
    Column{[](const MeasuredRun& run) { return primitive_title(run.row.primitive); }},
    Column{[](const MeasuredRun& run) { return run.row.form; }},
    Column{[](const MeasuredRun& run) { return run.row.distribution; }},
    Column{[](const MeasuredRun& run) { return run.device; }},
    Column{[](const MeasuredRun& run) { return run.backend; }},
};

bool differ(std::span<const MeasuredRun> runs, const Column& column) {
  return std::any_of(runs.begin(), runs.end(), [&](const MeasuredRun& run) {
    return column.of(run) != column.of(runs.front());
  });
}

std::vector<MeasuredRun> timed_by_age(std::span<const MeasuredRun> runs) {
  std::vector<MeasuredRun> timed;
  for (const MeasuredRun& run : runs)
    if (run.row.ms > 0.0) timed.push_back(run);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const MeasuredRun& a, const MeasuredRun& b) { return a.at < b.at; });
  return timed;
}

// The variant's own colour, where this version of the program has it.
std::optional<PlotSeries> known_series(const LabCsvRow& row) {
  const std::optional<VariantId> variant = variant_of(row);
  return variant ? std::optional(series_of(*variant)) : std::nullopt;
}

// On the CPU the other variants are emulated.
bool is_native(const LabCsvRow& row) {
  const std::optional<VariantId> variant = variant_of(row);
  return variant && runs_on_host(*variant, Backend::cpu);
}

Spread spread_of(const LabCsvRow& row) {
  return {row.ms, row.quartile_1_ms, row.quartile_3_ms,
          static_cast<std::size_t>(std::max(row.runs, 0))};
}

// Collects the series of a plot by name, in order of appearance.
class Gathered {
 public:
  PlotSeries& named(const std::string& name, const LabCsvRow& row, bool has_own_colour) {
    const auto [at, is_new] = places_.emplace(name, series_.size());
    if (!is_new) return series_[at->second];
    const auto place = static_cast<int>(series_.size());
    const auto known = has_own_colour ? known_series(row) : std::nullopt;
    PlotSeries& made = series_.emplace_back(
        known.value_or(PlotSeries{.name = name,
                                  .colour = 1 + place % (plot_series_colours - 1),
                                  .mark = place,
                                  .points = {}}));
    made.name = name;
    // Curves of one colour differ in their line.
    const auto same =
        std::count_if(series_.begin(), series_.end() - 1,
                      [&](const PlotSeries& each) { return each.colour == made.colour; });
    if (same > 0) made.line = same % 2 == 1 ? PlotLine::dashed : PlotLine::dotted;
    return made;
  }
  std::vector<PlotSeries> take() { return std::move(series_); }

 private:
  std::vector<PlotSeries> series_;
  std::map<std::string, std::size_t> places_;
};

PlotPoint point_of_run(const MeasuredRun& run, double x) {
  return {.x = x,
          .y = run.row.ms,
          .low = run.row.quartile_1_ms,
          .high = run.row.quartile_3_ms,
          .runs = run.row.runs};
}

// Names a run by its variant's title, and by the columns in which it differs from the others.
std::string name_of(const MeasuredRun& run, std::span<const Column> differing) {
  const std::optional<PlotSeries> known = known_series(run.row);
  std::string name = known ? known->name : run.row.variant;
  for (const Column& column : differing)
    if (const std::string words = column.of(run); !words.empty()) name += ", " + words;
  return name;
}

std::string time_of(const MeasuredRun& run, bool day) {
  return on_the_clock(run.at, ahead_of_utc(run.at), day);
}

bool spans_days(std::span<const MeasuredRun> by_age) {
  const auto day = [](const MeasuredRun& run) {
    return std::chrono::floor<std::chrono::days>(run.at + ahead_of_utc(run.at));
  };
  return day(by_age.front()) != day(by_age.back());
}

// Titles tell what all runs have in common.
void set_titles(Plot& plot, std::span<const MeasuredRun> by_age, RunsAxis over) {
  const LabCsvRow& first = by_age.front().row;
  plot.title = differ(by_age, subject[0]) ? "Several primitives" : subject[0].of(by_age.front());
  if (!differ(by_age, subject[0]) && !differ(by_age, subject[1])) plot.title += ", " + first.form;
  const bool one_size = std::all_of(by_age.begin(), by_age.end(), [&](const MeasuredRun& run) {
    return run.row.items == first.items;
  });
  if (one_size) plot.subtitle = group_digits(first.items) + " items";
  if (!differ(by_age, subject[2]))
    plot.subtitle += (plot.subtitle.empty() ? "" : ", ") + first.distribution;
  if (!differ(by_age, subject[3])) plot.subtitle += " on " + by_age.front().device;
  plot.subtitle += "; medians, bands: quartiles";
  plot.y_title = "Median time: lower is better";
  plot.x_title = over == RunsAxis::size ? "Input size: items" : "Measured at: local time";
}

void add_over_time(Plot& plot, std::span<const MeasuredRun> by_age,
                   std::span<const Column> differing, Gathered& gathered) {
  using namespace std::chrono;
  const seconds length = by_age.back().at - by_age.front().at;
  plot.linear = true;
  plot.since = by_age.front().at - std::max(length / 12, seconds(10));
  const bool one_variant = std::all_of(by_age.begin(), by_age.end(), [&](const MeasuredRun& run) {
    return run.row.variant == by_age.front().row.variant;
  });
  for (const MeasuredRun& run : by_age) {
    PlotSeries& series = gathered.named(name_of(run, differing), run.row, !one_variant);
    series.points.push_back(point_of_run(run, static_cast<double>((run.at - *plot.since).count())));
  }
}

void add_over_sizes(std::span<const MeasuredRun> by_age, std::span<const Column> differing,
                    Gathered& gathered) {
  struct Curve {
    std::string name;
    std::set<std::uint32_t> sizes;
    int number = 0;
  };
  const bool days = spans_days(by_age);
  std::map<std::string, Curve> curves;
  for (const MeasuredRun& run : by_age) {
    const std::string of = name_of(run, differing);
    Curve& curve = curves[of];
    if (curve.number == 0 || curve.sizes.contains(run.row.items))
      curve = {.name = curve.number == 0 ? of : of + ", " + time_of(run, days),
               .sizes = {},
               .number = curve.number + 1};
    curve.sizes.insert(run.row.items);
    gathered.named(curve.name, run.row, true)
        .points.push_back(point_of_run(run, static_cast<double>(run.row.items)));
  }
}

}  // namespace

RunsAxis telling_axis(std::span<const MeasuredRun> runs) {
  const bool has_sizes = std::any_of(runs.begin(), runs.end(), [&](const MeasuredRun& run) {
    return run.row.items != runs.front().row.items;
  });
  return has_sizes ? RunsAxis::size : RunsAxis::time;
}

Plot runs_plot(std::span<const MeasuredRun> runs, RunsAxis over,
               const std::set<std::string>& hidden) {
  Plot plot;
  const std::vector<MeasuredRun> by_age = timed_by_age(runs);
  if (by_age.empty()) return plot;
  set_titles(plot, by_age, over);
  std::vector<Column> differing;
  for (const Column& column : subject)
    if (differ(by_age, column)) differing.push_back(column);
  const Column size{[](const MeasuredRun& run) { return group_digits(run.row.items); }};
  if (over == RunsAxis::time && differ(by_age, size)) differing.push_back(size);
  Gathered gathered;
  if (over == RunsAxis::time)
    add_over_time(plot, by_age, differing, gathered);
  else
    add_over_sizes(by_age, differing, gathered);
  plot.series = gathered.take();
  for (PlotSeries& series : plot.series) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    series.shown = !hidden.contains(series.name);
  }
  return plot;
}

RunsDifference difference_of_runs(const MeasuredRun& before, const MeasuredRun& now) {
  const Change change = change_of(spread_of(before.row), spread_of(now.row));
  const bool same_question =
      std::all_of(subject.begin(), subject.end(),
                  [&](const Column& column) { return column.of(before) == column.of(now); }) &&
      before.row.items == now.row.items;
  if (change.words().empty() || !same_question) return {};
  const std::array<MeasuredRun, 2> both = {before, now};
  const bool days = spans_days(both);
  const bool same_variant = before.row.variant == now.row.variant;
  const auto name = [&](const MeasuredRun& run) {
    const std::string title = variant_title(run.row);
    return same_variant ? title + " at " + time_of(run, days) : title;
  };
  const bool is_mixed =
      now.backend == to_string(Backend::cpu) && is_native(before.row) != is_native(now.row);
  return {.words = fmt::format("{} -> {}: {}{}", name(before), name(now), change.words(),
                               is_mixed ? ", native against emulated" : ""),
          .direction = is_mixed ? 0 : change.direction};
}

}  // namespace warpview
