#include "app/common/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <utility>

namespace warpview {
namespace {

// Can an axis show this value?
bool has_place(double value, bool linear) {
  return std::isfinite(value) && (linear ? value >= 0.0 : value > 0.0);
}
bool has_place(const PlotPoint& point, bool linear) {
  return has_place(point.x, linear) && has_place(point.y, linear);
}
// A linear plot has no bands, unless its axis shows the time of day.
bool has_band(const PlotPoint& point) {
  return has_place(point, false) && has_place(point.low, false) && has_place(point.high, false);
}

bool has_bands(const Plot& plot) { return !plot.linear || plot.since; }

// The next 1, 2 or 5 times a power of ten, at or below a value; at or above it.
double step_below(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  const double lead = value / decade * (1.0 + 1e-9);
  return (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0) * decade;
}
double step_above(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  const double lead = value / decade * (1.0 - 1e-9);
  return (lead > 5.0 ? 10.0 : lead > 2.0 ? 5.0 : lead > 1.0 ? 2.0 : 1.0) * decade;
}

struct Range {
  double low = 0.0;
  double high = 0.0;  // 0: nothing was added
  void add(double value) {
    low = high > 0.0 ? std::min(low, value) : value;
    high = std::max(high, value);
  }
};

// Ranges of the shown series. Quartiles far from all medians are clipped, or they would flatten the
// curves.
std::pair<Range, Range> ranges_of(const Plot& plot) {
  Range x;
  Range y;
  Range quartiles;
  for (const PlotSeries& series : plot.series) {
    if (!series.shown) continue;
    for (const PlotPoint& point : series.points) {
      if (!has_place(point, plot.linear)) continue;
      x.add(point.x);
      y.add(point.y);
      if (!has_bands(plot) || !has_band(point)) continue;
      quartiles.add(point.low);
      quartiles.add(point.high);
    }
  }
  if (quartiles.high > 0.0) {
    constexpr double farthest = 4.0;
    y = {std::min(y.low, std::max(quartiles.low, y.low / farthest)),
         std::max(y.high, std::min(quartiles.high, y.high * farthest))};
  }
  return {x, y};
}

// Clips a line by the sides of a box (Liang and Barsky). Returns the part within as fractions of
// the line; none if all of it is outside.
std::optional<std::pair<float, float>> part_within(PlotVertex a, PlotVertex b, const PlotBox& box) {
  float from = 0.0F;
  float to = 1.0F;
  const std::array<std::pair<float, float>, 4> sides = {
      std::pair{a.x - b.x, a.x - box.x}, std::pair{b.x - a.x, box.right() - a.x},
      std::pair{a.y - b.y, a.y - box.y}, std::pair{b.y - a.y, box.bottom() - a.y}};
  for (const auto& [direction, distance] : sides) {
    if (direction == 0.0F) {
      if (distance < 0.0F) return {};
    } else if (direction < 0.0F) {
      from = std::max(from, distance / direction);
    } else {
      to = std::min(to, distance / direction);
    }
  }
  if (from > to) return {};
  return std::pair{from, to};
}

PlotVertex between(PlotVertex a, PlotVertex b, float part) {
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

PlotCurve curve_of(const PlotSeries& series, std::size_t number, const PlotGeometry& geometry,
                   bool bands) {
  PlotCurve curve{.series = number, .lines = {}, .band = {}, .marks = {}};
  std::vector<PlotVertex> line;
  const auto end_line = [&] {
    for (std::vector<PlotVertex>& part : clipped_line(line, geometry.area))
      curve.lines.push_back(std::move(part));
    line.clear();
  };
  const PlotPoint* last = nullptr;
  const auto place = [&](double x, double y) {
    return PlotVertex{geometry.x.at(x), geometry.y.at(y)};
  };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const PlotPoint& point = series.points[i];
    if (!has_place(point, geometry.x.linear)) {
      end_line();
      last = nullptr;
      continue;
    }
    const PlotVertex at = place(point.x, point.y);
    line.push_back(at);
    if (geometry.area.contains(at)) curve.marks.push_back({at, i});
    if (last != nullptr && bands && has_band(*last) && has_band(point)) {
      std::vector<PlotVertex> part =
          clipped_polygon({place(last->x, last->high), place(point.x, point.high),
                           place(point.x, point.low), place(last->x, last->low)},
                          geometry.area);
      if (!part.empty()) curve.band.push_back(std::move(part));
    }
    last = &point;
  }
  end_line();
  return curve;
}

float widest_of(const std::vector<PlotTick>& ticks, const PlotSurface& surface) {
  float widest = 0.0F;
  for (const PlotTick& tick : ticks) widest = std::max(widest, surface.text_width(tick.label));
  return widest;
}

// Lengths in ems.
constexpr float gap = 0.6F;

// Sorts the names by where their curves end, the highest on top. Steps over time keep theirs.
std::vector<std::size_t> order_of_legend(const Plot& plot) {
  std::vector<std::size_t> order(plot.series.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto end = [&plot](std::size_t i) {
    const std::vector<PlotPoint>& points = plot.series[i].points;
    return points.empty() || !std::isfinite(points.back().y) ? 0.0 : points.back().y;
  };
  if (has_bands(plot))
    std::stable_sort(order.begin(), order.end(),
                     [&end](std::size_t a, std::size_t b) { return end(a) > end(b); });
  return order;
}

void lay_out_legend(const Plot& plot, const PlotSurface& surface, PlotGeometry& geometry) {
  if (!plot.has_legend) {
    geometry.area.width = surface.width - surface.em;
    return;
  }
  float widest = 0.0F;
  for (const PlotSeries& series : plot.series)
    widest = std::max(widest, surface.text_width(series.name));
  const float em = surface.em;
  // A legend may take two fifths of the surface.
  const float width = std::min(widest + (plot_sample_width + gap) * em, 0.4F * surface.width);
  geometry.area.width = surface.width - width - 1.5F * em;  // its end, until the left is known
  float top = geometry.area.y;
  const float line = plot_line_height * em;
  std::vector<std::size_t> order = order_of_legend(plot);
  const auto room =
      static_cast<std::size_t>(std::max((surface.height - top) / std::max(line, 1e-3F), 2.0F));
  if (order.size() > room) order.resize(room - 1);  // the last line tells of the others
  for (const std::size_t i : order) {
    geometry.legend.push_back({i, {surface.width - width, top, width, plot_line_height * em}});
    top += plot_line_height * em;
  }
}

}  // namespace

std::string plot_value(PlotUnit unit, double value) {
  struct Prefix {
    double scale;
    const char* name;
  };
  static constexpr std::array times = {Prefix{1e3, " s"}, Prefix{1.0, " ms"},
                                       Prefix{1e-3, " \xc2\xb5s"}, Prefix{1e-6, " ns"}};
  static constexpr std::array rates = {Prefix{1e12, " T/s"}, Prefix{1e9, " G/s"},
                                       Prefix{1e6, " M/s"}, Prefix{1e3, " k/s"},
                                       Prefix{1.0, " /s"}};
  static constexpr std::array widths = {Prefix{1e3, " TB/s"}, Prefix{1.0, " GB/s"},
                                        Prefix{1e-3, " MB/s"}, Prefix{1e-6, " kB/s"}};
  if (unit == PlotUnit::share)
    return has_place(value, true) ? fmt::format("{:.3g}%", 100.0 * value) : "-";
  if (unit == PlotUnit::milliseconds && value == 0.0) return "0 ms";
  if (!has_place(value, false)) return "-";
  const auto written = [value](const auto& prefixes) {
    const auto fits = std::find_if(prefixes.begin(), prefixes.end(), [value](const Prefix& each) {
      return value >= each.scale * (1.0 - 1e-9);
    });
    const Prefix& prefix = fits == prefixes.end() ? prefixes.back() : *fits;
    const double number = value / prefix.scale;
    // Beyond the largest unit: "1000 s", not "1e+03 s".
    if (number >= 999.5) return fmt::format("{:.0f}{}", number, prefix.name);
    return fmt::format("{:.3g}{}", number, prefix.name);
  };
  switch (unit) {
    case PlotUnit::milliseconds:
      return written(times);
    case PlotUnit::per_second:
      return written(rates);
    case PlotUnit::gb_per_second:
      return written(widths);
    case PlotUnit::share:
      break;
  }
  return {};
}

float PlotAxis::at(double value) const {
  const double part =
      linear ? (value - low) / (high - low) : std::log(value / low) / std::log(high / low);
  return begin + static_cast<float>(part) * (end - begin);
}

std::vector<PlotTick> power_ticks(const PlotAxis& axis, float room) {
  std::vector<PlotTick> ticks;
  const auto first = static_cast<int>(std::ceil(std::log2(axis.low) - 1e-9));
  const auto last = static_cast<int>(std::floor(std::log2(axis.high) + 1e-9));
  const float apart = std::abs(axis.end - axis.begin) /
                      static_cast<float>(std::max(std::log2(axis.high / axis.low), 1e-6));
  int step = 1;
  while (static_cast<float>(step) * apart < room && step < last - first) step *= 2;
  for (int power = first; power <= last; ++power) {
    const double value = std::exp2(power);
    const bool named = (power - first) % step == 0;
    ticks.push_back({value, axis.at(value), named ? fmt::format("2^{}", power) : std::string()});
  }
  return ticks;
}

std::vector<PlotTick> decade_ticks(const PlotAxis& axis, PlotUnit unit) {
  constexpr double slack = 1e-9;
  std::vector<PlotTick> ticks;
  const auto first = static_cast<int>(std::floor(std::log10(axis.low)));
  const auto last = static_cast<int>(std::floor(std::log10(axis.high) + slack));
  const bool many = std::log10(axis.high / axis.low) >= 3.0;
  for (int power = first; power <= last; ++power)
    for (const double lead : {1.0, 2.0, 5.0}) {
      const double value = lead * std::pow(10.0, power);
      if (value < axis.low * (1.0 - slack) || value > axis.high * (1.0 + slack)) continue;
      const bool named = !many || lead == 1.0;
      ticks.push_back({value, axis.at(value), named ? plot_value(unit, value) : std::string()});
    }
  return ticks;
}

std::vector<PlotTick> linear_ticks(const PlotAxis& axis, PlotUnit unit) {
  constexpr double most = 6.0;
  const double step = step_above(axis.high / most);
  std::vector<PlotTick> ticks;
  for (int i = 0; i * step <= axis.high * (1.0 + 1e-9); ++i) {
    const double value = i * step;
    ticks.push_back({value, axis.at(value), i == 0 ? "0" : plot_value(unit, value)});
  }
  return ticks;
}

std::chrono::seconds ahead_of_utc(std::chrono::sys_seconds at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return {};
  return std::chrono::seconds(local.tm_gmtoff);
}

std::string on_the_clock(std::chrono::sys_seconds at, std::chrono::seconds ahead, bool day) {
  using namespace std::chrono;
  static constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const sys_seconds local = at + ahead;
  const auto midnight = floor<days>(local);
  const year_month_day date(midnight);
  const hh_mm_ss time(local - midnight);
  std::string words = fmt::format("{:02}:{:02}:{:02}", time.hours().count(), time.minutes().count(),
                                  time.seconds().count());
  if (!day) return words;
  return fmt::format("{} {} {}", months[static_cast<unsigned>(date.month()) - 1],
                     static_cast<unsigned>(date.day()), words);
}

std::vector<PlotTick> clock_ticks(const PlotAxis& axis, std::chrono::sys_seconds since,
                                  std::chrono::seconds ahead, float room) {
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  static constexpr std::array<std::int64_t, 19> steps = {
      1,          2,           5,           15,       30,       minute,   2 * minute,
      5 * minute, 15 * minute, 30 * minute, hour,     3 * hour, 6 * hour, 12 * hour,
      day,        2 * day,     7 * day,     30 * day, 365 * day};
  const auto units = static_cast<double>(std::abs(axis.end - axis.begin));
  const double least = axis.high * room / std::max(units, 1e-3);
  const auto fits = std::find_if(steps.begin(), steps.end(), [least](std::int64_t step) {
    return static_cast<double>(step) >= least;
  });
  const std::int64_t step =
      fits != steps.end() ? *fits : static_cast<std::int64_t>(std::min(least, 1e15)) + 1;
  const std::int64_t begin = (since + ahead).time_since_epoch().count();
  std::vector<PlotTick> ticks;
  for (std::int64_t at = (begin + step - 1) / step * step;
       static_cast<double>(at - begin) <= axis.high; at += step) {
    const auto value = static_cast<double>(at - begin);
    const std::string words =
        on_the_clock(since + std::chrono::seconds(at - begin), ahead, step >= day);
    const std::size_t of_time = words.size() - 8;  // "00:00:00"
    ticks.push_back({value, axis.at(value),
                     step >= day      ? words.substr(0, of_time - 1)
                     : step >= minute ? words.substr(of_time, 5)
                                      : words});
  }
  return ticks;
}

std::vector<std::vector<PlotVertex>> clipped_line(const std::vector<PlotVertex>& line,
                                                  const PlotBox& box) {
  std::vector<std::vector<PlotVertex>> parts;
  bool goes_on = false;  // does the next segment begin where the last part ends?
  for (std::size_t i = 1; i < line.size(); ++i) {
    const auto part = part_within(line[i - 1], line[i], box);
    if (!part) {
      goes_on = false;
      continue;
    }
    const auto [from, to] = *part;
    if (!goes_on) parts.push_back({between(line[i - 1], line[i], from)});
    parts.back().push_back(between(line[i - 1], line[i], to));
    goes_on = to >= 1.0F;
  }
  return parts;
}

std::vector<PlotVertex> clipped_polygon(std::vector<PlotVertex> polygon, const PlotBox& box) {
  // Clips by one side after the other (Sutherland and Hodgman), by a vertex's depth within it.
  const std::array<std::function<float(PlotVertex)>, 4> sides = {
      [&box](PlotVertex v) { return v.x - box.x; },
      [&box](PlotVertex v) { return box.right() - v.x; },
      [&box](PlotVertex v) { return v.y - box.y; },
      [&box](PlotVertex v) { return box.bottom() - v.y; }};
  for (const auto& depth : sides) {
    std::vector<PlotVertex> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const PlotVertex a = polygon[i];
      const PlotVertex b = polygon[(i + 1) % polygon.size()];
      const float in_a = depth(a);
      const float in_b = depth(b);
      if (in_a >= 0.0F) kept.push_back(a);
      if ((in_a >= 0.0F) != (in_b >= 0.0F)) kept.push_back(between(a, b, in_a / (in_a - in_b)));
    }
    polygon = std::move(kept);
  }
  if (polygon.size() < 3) polygon.clear();
  return polygon;
}

PlotGeometry lay_out(const Plot& plot, const PlotSurface& surface) {
  PlotGeometry geometry;
  const float em = surface.em;
  const float top =
      (surface.titled ? 2.0F * plot_line_height + gap : 0.0F) + plot_line_height + gap;
  geometry.area.y = top * em;
  lay_out_legend(plot, surface, geometry);
  const float right = geometry.area.width;
  const float bottom = surface.height - (2.0F * plot_line_height + gap) * em;
  geometry.area.height = std::max(bottom - geometry.area.y, em);

  const auto [x, y] = ranges_of(plot);
  geometry.empty = plot.linear ? x.high <= 0.0 : y.high <= 0.0;
  if (!geometry.empty && plot.linear) {
    const double least = plot.unit == PlotUnit::share ? 1.0 : 0.0;
    // On a time axis, leaves room beyond the last mark and above the medians, for quartiles.
    const double beyond = plot.since ? 1.08 : 1.0;
    geometry.x = {0.0, x.high * beyond, 0.0F, 1.0F, true};
    geometry.y = {0.0, std::max({y.high * beyond, least, 1e-9}), 0.0F, 1.0F, true};
  } else if (!geometry.empty) {
    constexpr double margin = std::numbers::sqrt2;  // half a step from one power of two to the next
    geometry.x = {x.low / margin, x.high * margin, 0.0F, 1.0F};
    geometry.y = {step_below(y.low), step_above(y.high), 0.0F, 1.0F};
    if (geometry.y.high <= geometry.y.low * (1.0 + 1e-6))
      geometry.y.high = step_above(geometry.y.high * 1.5);
  }
  // Values grow upwards.
  geometry.y.begin = geometry.area.bottom();
  geometry.y.end = geometry.area.y;
  if (!geometry.empty)
    geometry.y_ticks =
        plot.linear ? linear_ticks(geometry.y, plot.unit) : decade_ticks(geometry.y, plot.unit);
  geometry.area.x = widest_of(geometry.y_ticks, surface) + gap * em;
  geometry.area.width = std::max(right - geometry.area.x, em);
  geometry.x.begin = geometry.area.x;
  geometry.x.end = geometry.area.right();
  if (geometry.empty) return geometry;
  if (plot.since)
    geometry.x_ticks = clock_ticks(geometry.x, *plot.since, ahead_of_utc(*plot.since),
                                   surface.text_width("00:00:00") + em);
  else
    geometry.x_ticks = plot.linear ? linear_ticks(geometry.x, PlotUnit::milliseconds)
                                   : power_ticks(geometry.x, surface.text_width("2^00") + em);
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    if (plot.series[i].shown)
      geometry.curves.push_back(curve_of(plot.series[i], i, geometry, has_bands(plot)));
  return geometry;
}

std::optional<PlotHit> nearest(const PlotGeometry& geometry, PlotVertex to, float within) {
  std::optional<PlotHit> best;
  float least = within;
  for (const PlotCurve& curve : geometry.curves)
    for (const PlotCurve::Mark& mark : curve.marks) {
      const float distance = std::hypot(mark.at.x - to.x, mark.at.y - to.y);
      if (distance > least) continue;
      least = distance;
      best = PlotHit{curve.series, mark.point, mark.at};
    }
  return best;
}

}  // namespace warpview
