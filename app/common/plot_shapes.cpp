// A plot's colours, lines, marks and words.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "app/common/plot.h"

namespace warpview {
namespace {

constexpr float band_opacity = 0.2F;

class Painter {
 public:
  Painter(const Plot& plot, const PlotGeometry& geometry, const PlotSurface& surface)
      : plot_(plot), geometry_(geometry), surface_(surface), em_(surface.em) {}

  std::vector<PlotShape> paint() {
    axes();
    if (surface_.titled) titles();
    for (const PlotCurve& curve : geometry_.curves) bands(curve);
    for (const PlotCurve& curve : geometry_.curves) lines(curve);
    for (const PlotCurve& curve : geometry_.curves)
      for (const PlotCurve::Mark& each : curve.marks) mark(plot_.series[curve.series], each.at);
    legend();
    return std::move(shapes_);
  }

 private:
  using Align = PlotShape::Align;

  void add(PlotShape shape) { shapes_.push_back(std::move(shape)); }
  void text(float x, float y, std::string words, int ink, Align align, bool bold = false) {
    add(text_shape({x, y}, std::move(words), ink, align, bold));
  }
  void line(std::vector<PlotVertex> vertices, int ink, float width, float opacity,
            PlotLine style = PlotLine::solid) {
    add(line_shape(std::move(vertices), ink, width));
    shapes_.back().opacity = opacity;
    shapes_.back().line = style;
  }
  void polygon(std::vector<PlotVertex> vertices, int ink, float opacity) {
    add(polygon_shape(std::move(vertices), ink, opacity));
  }

  void axes() {
    const PlotBox& area = geometry_.area;
    constexpr float faint = 0.45F;
    for (const PlotTick& tick : geometry_.y_ticks) {
      line({{area.x, tick.at}, {area.right(), tick.at}}, plot_ink::grid, 1.0F,
           tick.label.empty() ? faint : 1.0F);
      if (!tick.label.empty())
        text(area.x - 0.5F * em_, tick.at - 0.62F * em_, tick.label, plot_ink::dim, Align::right);
    }
    for (const PlotTick& tick : geometry_.x_ticks) {
      line({{tick.at, area.y}, {tick.at, area.bottom()}}, plot_ink::grid, 1.0F,
           tick.label.empty() ? faint : 1.0F);
      if (!tick.label.empty())
        text(tick.at, area.bottom() + 0.3F * em_, tick.label, plot_ink::dim, Align::middle);
    }
    line({{area.x, area.y}, {area.x, area.bottom()}, {area.right(), area.bottom()}}, plot_ink::dim,
         1.0F, 1.0F);
    text(0.0F, area.y - (plot_line_height + 0.3F) * em_, plot_.y_title, plot_ink::dim, Align::left);
    text(area.right(), area.bottom() + (plot_line_height + 0.3F) * em_, plot_.x_title,
         plot_ink::dim, Align::right);
    if (geometry_.empty)
      text(area.x + 0.5F * area.width, area.y + 0.5F * area.height, "Nothing was measured",
           plot_ink::dim, Align::middle);
  }

  void titles() {
    text(0.0F, 0.0F, plot_.title, plot_ink::text, Align::left, true);
    text(0.0F, plot_line_height * em_, fitting(plot_.subtitle, surface_.width), plot_ink::dim,
         Align::left);
  }

  void bands(const PlotCurve& curve) {
    for (const std::vector<PlotVertex>& part : curve.band)
      polygon(part, plot_ink_of(plot_.series[curve.series]), band_opacity);
  }
  void lines(const PlotCurve& curve) {
    const PlotSeries& series = plot_.series[curve.series];
    const float width = series.line == PlotLine::solid ? 0.13F : 0.15F;
    for (const std::vector<PlotVertex>& each : curve.lines)
      line(each, plot_ink_of(series), width * em_, 1.0F, series.line);
  }

  // Circle, square, triangle, diamond, inverted triangle: all of about the same area.
  void mark(const PlotSeries& series, PlotVertex at, float opacity = 1.0F) {
    struct Shape {
      int corners;
      float first;  // corner, in turns from the right
      float radius;
    };
    static constexpr std::array shapes = {Shape{16, 0.0F, 0.30F}, Shape{4, 0.125F, 0.36F},
                                          Shape{3, 0.75F, 0.42F}, Shape{4, 0.0F, 0.38F},
                                          Shape{3, 0.25F, 0.42F}};
    if (series.mark < 0) return;
    const Shape& shape = shapes[static_cast<std::size_t>(series.mark) % shapes.size()];
    std::vector<PlotVertex> corners;
    for (int i = 0; i < shape.corners; ++i) {
      const float turn = 2.0F * std::numbers::pi_v<float> *
                         (shape.first + static_cast<float>(i) / static_cast<float>(shape.corners));
      corners.push_back(
          {at.x + shape.radius * em_ * std::cos(turn), at.y + shape.radius * em_ * std::sin(turn)});
    }
    polygon(std::move(corners), plot_ink_of(series), opacity);
  }

  void legend() {
    constexpr float hidden = 0.3F;
    for (const PlotLegendEntry& entry : geometry_.legend) {
      const PlotSeries& series = plot_.series[entry.series];
      const float opacity = series.shown ? 1.0F : hidden;
      const float middle = entry.box.y + 0.5F * entry.box.height;
      line({{entry.box.x, middle}, {entry.box.x + plot_sample_width * em_, middle}},
           plot_ink_of(series), 0.13F * em_, opacity, series.line);
      mark(series, {entry.box.x + 0.5F * plot_sample_width * em_, middle}, opacity);
      const float begin = entry.box.x + (plot_sample_width + 0.6F) * em_;
      text(begin, middle - 0.62F * em_, fitting(series.name, entry.box.right() - begin),
           series.shown ? plot_ink::text : plot_ink::dim, Align::left);
      shapes_.back().opacity = series.shown ? 1.0F : 0.6F;
    }
    const std::size_t left_out = plot_.series.size() - geometry_.legend.size();
    if (left_out == 0 || geometry_.legend.empty()) return;
    const PlotBox& last = geometry_.legend.back().box;
    text(last.x, last.bottom() + 0.5F * last.height - 0.62F * em_,
         "and " + std::to_string(left_out) + " more", plot_ink::dim, Align::left);
  }

  // Elided if it is too wide, between whole UTF-8 letters.
  std::string fitting(const std::string& words, float width) const {
    constexpr float slack = 1.0F;
    if (surface_.text_width(words) <= width + slack) return words;
    std::string cut = words;
    while (!cut.empty()) {
      while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0U) == 0x80U)
        cut.pop_back();
      if (!cut.empty()) cut.pop_back();
      if (surface_.text_width(cut + "...") <= width) break;
    }
    return cut + "...";
  }

  const Plot& plot_;
  const PlotGeometry& geometry_;
  const PlotSurface& surface_;
  float em_;
  std::vector<PlotShape> shapes_;
};

}  // namespace

PlotShape text_shape(PlotVertex at, std::string words, int ink, PlotShape::Align align, bool bold) {
  return {.kind = PlotShape::Kind::text,
          .ink = ink,
          .vertices = {at},
          .align = align,
          .bold = bold,
          .words = std::move(words)};
}
PlotShape line_shape(std::vector<PlotVertex> vertices, int ink, float width, std::string name) {
  return {.kind = PlotShape::Kind::line,
          .ink = ink,
          .width = width,
          .vertices = std::move(vertices),
          .words = {},
          .name = std::move(name)};
}
PlotShape polygon_shape(std::vector<PlotVertex> vertices, int ink, float opacity,
                        std::string name) {
  return {.kind = PlotShape::Kind::polygon,
          .ink = ink,
          .opacity = opacity,
          .vertices = std::move(vertices),
          .words = {},
          .name = std::move(name)};
}
PlotShape box_shape(const PlotBox& box, int ink, float opacity, std::string name) {
  return polygon_shape(
      {{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}},
      ink, opacity, std::move(name));
}

int plot_ink_of(const PlotSeries& series) {
  return series.colour < 0 ? plot_ink::neutral
                           : plot_ink::first_series + series.colour % plot_series_colours;
}

PlotColour plot_colour(int ink, Theme theme) {
  static constexpr std::array<Shades, plot_inks> inks = {{
      {0x16191e, 0xffffff},  // paper
      {0xdee2e8, 0x1c2026},  // text
      {0x969eaa, 0x606772},  // dim
      {0x343a44, 0xdee2e7},  // grid
      {0x969eaa, 0x7c838e},  // neutral
      {0xe4a129, 0xb97312},  // the library's
      {0x68a9ec, 0x356bd6},  // the other series'
      {0xf5e32b, 0x721422}, {0x9f6ad7, 0x9a45a2}, {0x059c68, 0x1d456a}, {0xd45e09, 0xad431b},
      {0xa9e9d0, 0x1f0e7b}, {0x78cef0, 0x460649}, {0x51409a, 0x341c74},  // the ramp
      {0x4851a4, 0x2a2e7d}, {0x3c61ab, 0x1c3e84}, {0x2f71af, 0x004d87}, {0x227fb0, 0x005a89},
      {0x188db0, 0x006788}, {0x1a9aae, 0x007387}, {0x27a7ab, 0x007f84}, {0x3ab2a7, 0x008a80},
      {0x50bda1, 0x169479}, {0x68c899, 0x3b9d71}, {0x83d18f, 0x58a566}, {0xa0d882, 0x76ac58},
      {0xbfde73, 0x95b245}, {0xe0e263, 0xb4b52e}, {0xffe455, 0xd4b606},
  }};
  const unsigned hex = inks[static_cast<std::size_t>(std::clamp(ink, 0, plot_inks - 1))].of(theme);
  const auto channel = [hex](unsigned shift) {
    return static_cast<std::uint8_t>((hex >> shift) & 0xffU);
  };
  return {channel(16), channel(8), channel(0)};
}

std::vector<PlotShape> plot_shapes(const Plot& plot, const PlotGeometry& geometry,
                                   const PlotSurface& surface) {
  return Painter(plot, geometry, surface).paint();
}

std::vector<std::vector<PlotVertex>> dashed(const std::vector<PlotVertex>& line, PlotLine style,
                                            float em) {
  if (style == PlotLine::solid || line.size() < 2 || !(em > 0.0F)) return {line};
  const float on = (style == PlotLine::dashed ? 0.7F : 0.2F) * em;
  const float off = (style == PlotLine::dashed ? 0.4F : 0.3F) * em;
  std::vector<std::vector<PlotVertex>> dashes = {{line.front()}};
  bool drawing = true;
  float left = on;  // until the pen goes up, or down
  for (std::size_t i = 1; i < line.size(); ++i) {
    PlotVertex at = line[i - 1];
    const PlotVertex end = line[i];
    for (float way = std::hypot(end.x - at.x, end.y - at.y); way > 0.0F;) {
      const float step = std::min(way, left);
      at = {at.x + step / way * (end.x - at.x), at.y + step / way * (end.y - at.y)};
      way -= step;
      left -= step;
      if (drawing) dashes.back().push_back(at);
      if (left > 0.0F) continue;
      drawing = !drawing;
      left = drawing ? on : off;
      if (drawing) dashes.push_back({at});
    }
  }
  if (dashes.back().size() < 2) dashes.pop_back();
  return dashes;
}

}  // namespace warpview
