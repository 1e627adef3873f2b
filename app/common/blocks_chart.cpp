#include "app/common/blocks_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/common/digits.h"

namespace warpview {
namespace {

// In ems.
constexpr float swatch_size = 0.75F;
constexpr float swatch_gap = 0.4F;  // between a swatch and its name
constexpr float legend_gap = 1.2F;  // between a name and the next swatch
constexpr float highest_row = 1.1F;
constexpr float highest_rows = 11.0F;  // of all together
constexpr float lowest_rows = 3.0F;
constexpr float queues_height = 4.0F;

// Units between two points of a fill level: one for the highest level in between.
constexpr float level_step = 2.0F;

int ink_of(unsigned procedure) {
  return procedure < most_procedures ? plot_ink::first_series + static_cast<int>(procedure)
                                     : plot_ink::neutral;
}

class Layout {
 public:
  Layout(const BlocksAtWork& blocks, const PlotSurface& surface)
      : blocks_(blocks), surface_(surface), em_(surface.em) {}

  BlocksChart lay_out() {
    if (blocks_.stretches.empty()) return std::move(chart_);
    legend();
    rows();
    queues();
    chart_.height += plot_line_height * em_;  // the words of the axis
    return std::move(chart_);
  }

 private:
  const std::vector<BusyStretch>& stretches() const { return blocks_.stretches; }

  // Only procedures that executed something, over as many lines as needed.
  void legend() {
    std::array<bool, most_procedures + 1> seen{};
    for (const BusyStretch& stretch : stretches())
      seen[std::min<unsigned>(stretch.procedure, most_procedures)] = true;
    float x = 0.0F;
    for (unsigned procedure = 0; procedure < seen.size(); ++procedure) {
      if (!seen[procedure]) continue;
      const float width = (swatch_size + swatch_gap) * em_ +
                          surface_.text_width(procedure_in_words(blocks_, procedure));
      if (x > 0.0F && x + width > surface_.width) {
        x = 0.0F;
        chart_.height += plot_line_height * em_;
      }
      chart_.legend.push_back({{x, chart_.height, width, plot_line_height * em_}, procedure});
      x += width + legend_gap * em_;
    }
    chart_.height += (plot_line_height + 0.2F) * em_;
  }

  void rows() {
    const std::vector<std::uint32_t> rows = rows_of(stretches());
    chart_.rows = *std::max_element(rows.begin(), rows.end()) + 1;
    const auto count = static_cast<float>(chart_.rows);
    const float height = std::min(std::max(count * highest_row, lowest_rows), highest_rows) * em_;
    chart_.area = {0.0F, chart_.height, surface_.width, height};
    double last = 0.0;
    for (const BusyStretch& stretch : stretches())
      last = std::max(last, blocks_.begin_ms(stretch) + BlocksAtWork::length_ms(stretch));
    chart_.time = {.low = 0.0,
                   .high = std::max(last, BlocksAtWork::ms_of_ns),
                   .begin = 0.0F,
                   .end = surface_.width,
                   .linear = true};
    chart_.ticks = linear_ticks(chart_.time, PlotUnit::milliseconds);
    const float row_height = height / count;
    const float gap = row_height >= 4.0F ? 1.0F : 0.0F;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double from = blocks_.begin_ms(stretches()[i]);
      const float x = chart_.time.at(from);
      const float end = chart_.time.at(from + BlocksAtWork::length_ms(stretches()[i]));
      const float y = chart_.area.y + static_cast<float>(rows[i]) * row_height;
      chart_.bars.push_back({{x, y, std::max(end - x, 0.0F), row_height - gap}, i});
    }
    chart_.height += height;
  }

  // A block samples its procedure's queues when it takes a batch: the level is the one before that.
  void queues() {
    if (!blocks_.has_queues) return;
    const auto level = [](const BusyStretch& stretch) { return stretch.queued + stretch.items; };
    for (const BusyStretch& stretch : stretches())
      chart_.most_left = std::max(chart_.most_left, level(stretch));
    chart_.height += (plot_line_height + 0.5F) * em_;  // a heading
    chart_.queues = {0.0F, chart_.height, surface_.width, queues_height * em_};
    chart_.height += chart_.queues.height;
    for (unsigned procedure = 0; procedure < most_procedures; ++procedure) {
      std::vector<std::pair<float, std::uint32_t>> highest;
      for (const BusyStretch& stretch : stretches()) {
        if (stretch.procedure != procedure) continue;
        const float x =
            std::floor(chart_.time.at(blocks_.begin_ms(stretch)) / level_step) * level_step;
        if (highest.empty() || highest.back().first != x) highest.emplace_back(x, 0);
        highest.back().second = std::max(highest.back().second, level(stretch));
      }
      if (highest.empty()) continue;
      BlocksChart::Level line{procedure, {}};
      for (const auto& [x, items] : highest)
        line.line.push_back(
            {x, chart_.queues.bottom() - chart_.queues.height * static_cast<float>(items) /
                                             static_cast<float>(std::max(chart_.most_left, 1U))});
      chart_.levels.push_back(std::move(line));
    }
  }

  const BlocksAtWork& blocks_;
  const PlotSurface& surface_;
  float em_;
  BlocksChart chart_;
};

class ChartPainter {
 public:
  ChartPainter(const BlocksAtWork& blocks, const BlocksChart& chart, const PlotSurface& surface)
      : blocks_(blocks), chart_(chart), surface_(surface), em_(surface.em) {}

  std::vector<PlotShape> paint() {
    if (chart_.bars.empty()) return {};
    shapes_.reserve(chart_.bars.size() + 64);
    legend();
    axis();
    for (const BlocksChart::Bar& bar : chart_.bars) {
      add(box_shape(bar.box, ink_of(blocks_.stretches[bar.stretch].procedure), 1.0F,
                    fmt::format("stretch {}", bar.stretch)));
    }
    levels();
    return std::move(shapes_);
  }

 private:
  void add(PlotShape shape) { shapes_.push_back(std::move(shape)); }

  void legend() {
    const float size = swatch_size * em_;
    for (const BlocksChart::Swatch& swatch : chart_.legend) {
      add(box_shape({swatch.box.x, swatch.box.y + 0.2F * em_, size, size},
                    ink_of(swatch.procedure)));
      add(text_shape({swatch.box.x + size + swatch_gap * em_, swatch.box.y},
                     procedure_in_words(blocks_, swatch.procedure), plot_ink::text));
    }
  }

  void axis() {
    const float bottom =
        chart_.queues.height > 0.0F ? chart_.queues.bottom() : chart_.area.bottom();
    float until = -em_;
    for (const PlotTick& tick : chart_.ticks) {
      add(line_shape({{tick.at, chart_.area.y}, {tick.at, chart_.area.bottom()}}, plot_ink::grid,
                     1.0F));
      if (chart_.queues.height > 0.0F)
        add(line_shape({{tick.at, chart_.queues.y}, {tick.at, bottom}}, plot_ink::grid, 1.0F));
      const float width = surface_.text_width(tick.label);
      const float x =
          std::clamp(tick.at - 0.5F * width, 0.0F, std::max(surface_.width - width, 0.0F));
      if (x < until + 0.5F * em_) continue;
      add(text_shape({x, bottom + 0.15F * em_}, tick.label, plot_ink::dim));
      until = x + width;
    }
    add(line_shape({{0.0F, chart_.area.bottom()}, {surface_.width, chart_.area.bottom()}},
                   plot_ink::grid, 1.0F));
  }

  void levels() {
    if (!(chart_.queues.height > 0.0F)) return;
    add(text_shape({0.0F, chart_.queues.y - (plot_line_height + 0.05F) * em_},
                   fmt::format("Items in queues, up to {}", group_digits(chart_.most_left)),
                   plot_ink::dim));
    add(line_shape({{0.0F, chart_.queues.bottom()}, {surface_.width, chart_.queues.bottom()}},
                   plot_ink::grid, 1.0F));
    for (const BlocksChart::Level& level : chart_.levels) {
      std::vector<PlotVertex> vertices = level.line;
      // A single sample becomes a tick.
      if (vertices.size() == 1) vertices.push_back({vertices[0].x, chart_.queues.bottom()});
      add(line_shape(std::move(vertices), ink_of(level.procedure), 0.1F * em_));
    }
  }

  const BlocksAtWork& blocks_;
  const BlocksChart& chart_;
  const PlotSurface& surface_;
  float em_;
  std::vector<PlotShape> shapes_;
};

}  // namespace

std::string procedure_in_words(const BlocksAtWork& blocks, unsigned procedure) {
  if (procedure < blocks.procedures.size()) return blocks.procedures[procedure];
  return "Input";
}

BlocksChart lay_out(const BlocksAtWork& blocks, const PlotSurface& surface) {
  return Layout(blocks, surface).lay_out();
}

std::vector<PlotShape> blocks_shapes(const BlocksAtWork& blocks, const BlocksChart& chart,
                                     const PlotSurface& surface) {
  return ChartPainter(blocks, chart, surface).paint();
}

std::optional<std::size_t> stretch_at(const BlocksChart& chart, PlotVertex place) {
  std::optional<std::size_t> found;
  float least = 1.0F;
  for (const BlocksChart::Bar& bar : chart.bars) {
    if (place.y < bar.box.y || place.y > bar.box.bottom()) continue;
    const float away = std::max({bar.box.x - place.x, place.x - bar.box.right(), 0.0F});
    if (away > least) continue;
    least = away;
    found = bar.stretch;
  }
  return found;
}

std::vector<std::string> use_in_words(const BlocksAtWork& blocks) {
  if (blocks.stretches.empty()) return {};
  const BlockUse use = use_of(blocks);
  const auto ms = [](double value) { return plot_value(PlotUnit::milliseconds, value); };
  std::vector<std::string> sentences = {
      fmt::format("{}: {:.0f} % of {} busy over {}.", blocks.title, 100.0 * use.share,
                  use.places > 0 ? fmt::format("{} places", group_digits(use.places))
                                 : std::string("all places"),
                  ms(use.milliseconds)),
      fmt::format("Host syncs {}, launches {}; all blocks idle for {}.",
                  group_digits(blocks.report.synchronisations),
                  group_digits(blocks.report.launches), ms(use.idle_ms))};
  if (blocks.left_out > 0)
    sentences.push_back(fmt::format("Only the first {} of {} stretches are shown.",
                                    group_digits(blocks.stretches.size()),
                                    group_digits(blocks.stretches.size() + blocks.left_out)));
  return sentences;
}

}  // namespace warpview
