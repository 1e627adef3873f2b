// Where a plot's parts lie, what the SVG and the picture of it hold, and its colours.
#include "app/common/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/common/busy_plot.h"
#include "app/common/plot_svg.h"
#include "app/common/sweep_plot.h"
#include "app/panels/plot_view.h"
#include "tests/support/colour_vision.h"

namespace warpview {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

PlotSurface surface() {
  return {.width = 800.0F, .height = 500.0F, .em = 14.0F, .text_width = [](std::string_view words) {
            return 8.0F * static_cast<float>(words.size());
          }};
}

// One series over powers of two from 2^first on.
Plot plot_of(const std::vector<double>& values, int first = 10) {
  Plot plot{.title = "a < b & c", .y_title = "Time"};
  PlotSeries series{.name = "lookback", .colour = 1, .mark = 1, .points = {}};
  for (const double y : values)
    series.points.push_back({std::exp2(first++), y, 0.9 * y, 1.1 * y, 5});
  plot.series.push_back(series);
  return plot;
}

std::vector<std::string> labels_of(const std::vector<PlotTick>& ticks) {
  std::vector<std::string> labels;
  for (const PlotTick& tick : ticks)
    if (!tick.label.empty()) labels.push_back(tick.label);
  return labels;
}

bool is_finite(const std::vector<PlotShape>& shapes) {
  return std::all_of(shapes.begin(), shapes.end(), [](const PlotShape& shape) {
    return std::all_of(shape.vertices.begin(), shape.vertices.end(), [](const PlotVertex& v) {
      return std::isfinite(v.x) && std::isfinite(v.y);
    });
  });
}

// Shares over milliseconds: linear, from 0.
Plot shares_of(const std::vector<double>& shares) {
  Plot plot{.unit = PlotUnit::share, .linear = true};
  PlotSeries series{.name = "megakernel", .colour = 1, .points = {}};
  double ms = 0.0;
  for (const double share : shares) series.points.push_back({.x = ms++, .y = share});
  plot.series.push_back(series);
  return plot;
}

TEST(LinearPlot, BeginsAtZeroAndHoldsTheWhole) {
  const PlotGeometry geometry = lay_out(shares_of({0.0, 0.25, 0.5}), surface());
  ASSERT_FALSE(geometry.empty);
  ASSERT_EQ(geometry.curves.size(), 1U);
  ASSERT_EQ(geometry.curves[0].lines.size(), 1U);
  const std::vector<PlotVertex>& line = geometry.curves[0].lines[0];
  ASSERT_EQ(line.size(), 3U);
  EXPECT_FLOAT_EQ(line[0].x, geometry.area.x);
  EXPECT_FLOAT_EQ(line[0].y, geometry.area.bottom());
  EXPECT_FLOAT_EQ(line[2].x, geometry.area.right());
  EXPECT_FLOAT_EQ(line[2].y, geometry.area.y + 0.5F * geometry.area.height);
  EXPECT_FLOAT_EQ(line[1].x - line[0].x, line[2].x - line[1].x);
  EXPECT_EQ(labels_of(geometry.y_ticks),
            (std::vector<std::string>{"0", "20%", "40%", "60%", "80%", "100%"}));
  EXPECT_EQ(labels_of(geometry.x_ticks),
            (std::vector<std::string>{"0", "500 \xc2\xb5s", "1 ms", "1.5 ms", "2 ms"}));
  EXPECT_TRUE(geometry.curves[0].band.empty());
}

TEST(LinearPlot, GrowsWithSharesAboveOneAndLeavesOutWhatIsNone) {
  const PlotGeometry above = lay_out(shares_of({1.0, 2.5}), surface());
  EXPECT_FLOAT_EQ(above.y.high, 2.5);
  const PlotGeometry parted = lay_out(shares_of({0.5, 0.5, nan, 0.5, -1.0, 0.5, 0.5}), surface());
  EXPECT_EQ(parted.curves[0].marks.size(), 5U);
  EXPECT_EQ(parted.curves[0].lines.size(), 2U);
  for (const std::vector<double>& nothing : {std::vector<double>{}, {nan}, {0.5}})
    EXPECT_TRUE(lay_out(shares_of(nothing), surface()).empty);
  EXPECT_TRUE(is_finite(
      plot_shapes(shares_of({0.0, 0.0}), lay_out(shares_of({0.0, 0.0}), surface()), surface())));
}

TEST(LinearPlot, WritesShares) {
  EXPECT_EQ(plot_value(PlotUnit::share, 0.456), "45.6%");
  EXPECT_EQ(plot_value(PlotUnit::share, 0.0), "0%");
  for (const double none : {-0.1, nan, infinity}) EXPECT_EQ(plot_value(PlotUnit::share, none), "-");
}

// Each slice is a step; a variant has the colour that it has in a sweep.
TEST(BusyPlot, HasAStepForEachSlice) {
  const std::vector<VariantId> rows = variants_of(Primitive::schedule);
  std::vector<lab::Answer> answers(2);
  answers[0].question.primitive = answers[1].question.primitive = Primitive::schedule;
  answers[0].variant = rows[4];
  answers[0].busy = {.milliseconds = 3.0, .shares = {1.0, 0.5, 0.0}};
  answers[1].variant = rows[2];
  const Plot plot = busy_plot(answers, "a device");
  ASSERT_EQ(plot.series.size(), 1U) << "the other one did not tell";
  EXPECT_EQ(plot.series[0].name, rows[4]->title);
  EXPECT_EQ(plot.series[0].colour, series_of(rows[4]).colour);
  std::vector<std::pair<double, double>> points;
  for (const PlotPoint& point : plot.series[0].points) points.emplace_back(point.x, point.y);
  EXPECT_EQ(points, (std::vector<std::pair<double, double>>{
                        {0, 1}, {1, 1}, {1, 0.5}, {2, 0.5}, {2, 0}, {3, 0}}));
  EXPECT_FALSE(busy_plot(answers, "a device", {rows[4]->title}).series[0].shown);
  EXPECT_EQ(busy_csv(answers),
            "variant,ms,share\nmegakernel,0,1\nmegakernel,1,0.5\nmegakernel,2,0\n");
  EXPECT_TRUE(busy_plot({}, "").series.empty());
}

TEST(PlotTicks, StandAtPowersOfTwo) {
  const PlotAxis axis{900.0, 17000.0, 100.0F, 500.0F};
  const std::vector<PlotTick> ticks = power_ticks(axis, 20.0F);
  EXPECT_EQ(labels_of(ticks), (std::vector<std::string>{"2^10", "2^11", "2^12", "2^13", "2^14"}));
  for (const PlotTick& tick : ticks) EXPECT_FLOAT_EQ(tick.at, axis.at(tick.value));
  EXPECT_NEAR(ticks[1].at - ticks[0].at, ticks[4].at - ticks[3].at, 1e-3F);
}

TEST(PlotTicks, WordsKeepApart) {
  const PlotAxis axis{1.0, std::exp2(28.0), 0.0F, 280.0F};
  const std::vector<PlotTick> ticks = power_ticks(axis, 35.0F);
  EXPECT_EQ(ticks.size(), 29U);
  EXPECT_EQ(labels_of(ticks), (std::vector<std::string>{"2^0", "2^4", "2^8", "2^12", "2^16", "2^20",
                                                        "2^24", "2^28"}));
}

TEST(PlotTicks, OfTimesHaveTheirUnits) {
  EXPECT_EQ(labels_of(decade_ticks({1e-3, 1e3, 0.0F, 1.0F}, PlotUnit::milliseconds)),
            (std::vector<std::string>{"1 \xc2\xb5s", "10 \xc2\xb5s", "100 \xc2\xb5s", "1 ms",
                                      "10 ms", "100 ms", "1 s"}));
  EXPECT_EQ(labels_of(decade_ticks({2.0, 50.0, 0.0F, 1.0F}, PlotUnit::gb_per_second)),
            (std::vector<std::string>{"2 GB/s", "5 GB/s", "10 GB/s", "20 GB/s", "50 GB/s"}));
}

TEST(PlotValues, HaveThreeDigits) {
  EXPECT_EQ(plot_value(PlotUnit::milliseconds, 0.0123456), "12.3 \xc2\xb5s");
  EXPECT_EQ(plot_value(PlotUnit::milliseconds, 1.2e6), "1200 s");
  EXPECT_EQ(plot_value(PlotUnit::per_second, 2.5e9), "2.5 G/s");
  EXPECT_EQ(plot_value(PlotUnit::gb_per_second, 3920.0), "3.92 TB/s");
  for (const double none : {-1.0, nan, infinity})
    EXPECT_EQ(plot_value(PlotUnit::milliseconds, none), "-");
  EXPECT_EQ(plot_value(PlotUnit::milliseconds, 0.0), "0 ms");
  EXPECT_EQ(plot_value(PlotUnit::per_second, 0.0), "-");
}

TEST(PlotClipping, OfLinesLeavesWhatIsWithin) {
  const PlotBox box{0.0F, 0.0F, 10.0F, 10.0F};
  // In, out over the top, in again.
  const auto parts = clipped_line({{2.0F, 5.0F}, {4.0F, -5.0F}, {6.0F, 5.0F}, {8.0F, 5.0F}}, box);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_FLOAT_EQ(parts[0].back().y, 0.0F);
  EXPECT_FLOAT_EQ(parts[0].back().x, 3.0F);
  EXPECT_FLOAT_EQ(parts[1].front().x, 5.0F);
  EXPECT_EQ(parts[1].size(), 3U);
  EXPECT_TRUE(clipped_line({{-5.0F, -5.0F}, {15.0F, -5.0F}}, box).empty());
}

TEST(PlotClipping, OfPolygonsLeavesWhatIsWithin) {
  const PlotBox box{0.0F, 0.0F, 10.0F, 10.0F};
  const auto part =
      clipped_polygon({{-10.0F, 2.0F}, {20.0F, 2.0F}, {20.0F, 4.0F}, {-10.0F, 4.0F}}, box);
  ASSERT_EQ(part.size(), 4U);
  for (const PlotVertex& v : part) EXPECT_TRUE(box.contains(v)) << v.x << " " << v.y;
  EXPECT_TRUE(clipped_polygon({{20.0F, 2.0F}, {30.0F, 2.0F}, {30.0F, 4.0F}}, box).empty());
}

TEST(PlotLayout, HoldsAllMediansAndClipsTheBand) {
  Plot plot = plot_of({0.01, 0.02, 0.1, 0.4});
  plot.series[0].points[3].high = 400.0;
  const PlotGeometry geometry = lay_out(plot, surface());
  ASSERT_EQ(geometry.curves.size(), 1U);
  const PlotCurve& curve = geometry.curves.front();
  EXPECT_EQ(curve.marks.size(), 4U);
  ASSERT_EQ(curve.lines.size(), 1U);
  EXPECT_EQ(curve.lines[0].size(), 4U);
  EXPECT_LT(curve.lines[0][3].y, curve.lines[0][0].y) << "more is higher";
  EXPECT_LE(geometry.y.high, 2.0) << "four times the largest median";
  ASSERT_EQ(curve.band.size(), 3U);
  for (const auto& part : curve.band)
    for (const PlotVertex& v : part) {
      EXPECT_GE(v.y, geometry.area.y - 1e-3F);
      EXPECT_LE(v.y, geometry.area.bottom() + 1e-3F);
    }
}

TEST(PlotLayout, OfASingleSize) {
  const Plot plot = plot_of({0.1});
  const PlotGeometry geometry = lay_out(plot, surface());
  EXPECT_EQ(geometry.curves.at(0).marks.size(), 1U);
  EXPECT_EQ(labels_of(geometry.x_ticks), std::vector<std::string>{"2^10"});
  EXPECT_GE(geometry.y_ticks.size(), 2U);
  EXPECT_TRUE(is_finite(plot_shapes(plot, geometry, surface())));
}

TEST(PlotLayout, WithoutAnythingToShow) {
  Plot hidden = plot_of({0.1, 0.2});
  hidden.series[0].shown = false;
  for (const Plot& plot : {Plot(), plot_of({}), plot_of({0.0, nan, -1.0, infinity}), hidden}) {
    const PlotGeometry geometry = lay_out(plot, surface());
    EXPECT_TRUE(geometry.empty);
    EXPECT_TRUE(is_finite(plot_shapes(plot, geometry, surface())));
    EXPECT_FALSE(nearest(geometry, {400.0F, 250.0F}, 1e6F));
    EXPECT_NE(plot_as_svg(plot, 640, 400).find("Nothing was measured"), std::string::npos);
  }
  EXPECT_EQ(lay_out(hidden, surface()).legend.size(), 1U) << "it can be shown again";
}

TEST(PlotLayout, OfWhatWasNotMeasuredPartsTheCurve) {
  for (const double none : {nan, 0.0, infinity}) {
    Plot plot = plot_of({0.1, 0.2, none, 0.4, 0.5});
    plot.series[0].points[4].low = none;
    const PlotGeometry geometry = lay_out(plot, surface());
    const PlotCurve& curve = geometry.curves.at(0);
    EXPECT_EQ(curve.lines.size(), 2U);
    EXPECT_EQ(curve.marks.size(), 4U);
    EXPECT_EQ(curve.band.size(), 1U) << "of the first two";
    EXPECT_TRUE(is_finite(plot_shapes(plot, geometry, surface())));
  }
}

TEST(PlotLayout, OfTheSmallestSurface) {
  for (const float size : {0.0F, 1.0F, 40.0F}) {
    PlotSurface small = surface();
    small.width = small.height = size;
    const Plot plot = plot_of({0.1, 0.2});
    EXPECT_TRUE(is_finite(plot_shapes(plot, lay_out(plot, small), small)));
  }
}

TEST(PlotHover, FindsTheNearestPoint) {
  const PlotGeometry geometry = lay_out(plot_of({0.01, 0.02, 0.1}), surface());
  const PlotVertex second = geometry.curves.at(0).marks.at(1).at;
  const auto hit = nearest(geometry, {second.x + 3.0F, second.y - 4.0F}, 6.0F);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->point, 1U);
  EXPECT_FALSE(nearest(geometry, {second.x + 3.0F, second.y - 4.0F}, 4.0F));
}

TEST(PlotDashes, CoverTheLineInParts) {
  const auto dashes =
      dashed({{0.0F, 0.0F}, {30.0F, 0.0F}, {30.0F, 30.0F}}, PlotLine::dashed, 10.0F);
  EXPECT_GT(dashes.size(), 3U);
  float drawn = 0.0F;
  for (const auto& each : dashes)
    for (std::size_t i = 1; i < each.size(); ++i)
      drawn += std::hypot(each[i].x - each[i - 1].x, each[i].y - each[i - 1].y);
  EXPECT_NEAR(drawn, 60.0F * 7.0F / 11.0F, 7.0F);
}

TEST(PlotAsSvg, HoldsWordsAndBothColours) {
  const std::string svg = plot_as_svg(plot_of({0.01, 0.02, 0.1}), 640, 400);
  EXPECT_TRUE(svg.starts_with("<svg "));
  for (const char* part : {"a &lt; b &amp; c", ">lookback</text>", ">2^10</text>",
                           "@media(prefers-color-scheme:dark)", "</svg>\n"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

class PlotPicture : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Themes, PlotPicture, testing::Values(Theme::dark, Theme::light));

TEST_P(PlotPicture, HasThePaperAndTheCurve) {
  const Theme theme = GetParam();
  const Plot plot = plot_of({0.01, 0.02, 0.1});
  const Picture picture = plot_picture(plot, 900, 560, theme);
  ASSERT_EQ(picture.rgba.size(), 900U * 560U * 4U);
  const auto count = [&picture](PlotColour c) {
    int found = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
      found += picture.rgba[i] == c.red && picture.rgba[i + 1] == c.green &&
                       picture.rgba[i + 2] == c.blue
                   ? 1
                   : 0;
    return found;
  };
  EXPECT_GT(count(plot_colour(plot_ink::paper, theme)), 350'000);
  const int curve = count(plot_colour(plot_ink::first_series + 1, theme));
  EXPECT_GT(curve, 150) << "its marks, and the line between them";
  EXPECT_LT(curve, 5'000);
  EXPECT_GT(count(plot_colour(plot_ink::text, theme)), 20) << "words";
}

// ---- Colours ------------------------------------------------------------------------------------

Rgb rgb_of(PlotColour c) { return decoded({c.red / 255.0, c.green / 255.0, c.blue / 255.0}); }

TEST(PlotColours, CanBeToldApart) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Rgb paper = rgb_of(plot_colour(plot_ink::paper, theme));
    for (int a = plot_ink::neutral; a < plot_ink::first_ramp; ++a) {
      const Rgb one = rgb_of(plot_colour(a, theme));
      EXPECT_GE(contrast(one, paper), 3.0) << a << " on its paper";
      for (int b = plot_ink::neutral; b < a; ++b)
        EXPECT_GE(least_distance(one, rgb_of(plot_colour(b, theme))), 0.085)
            << a << " and " << b << ", light: " << (theme == Theme::light);
    }
  }
}

// ---- Of the laboratory's answers ----------------------------------------------------------------

std::vector<lab::Answer> answers() {
  std::vector<lab::Answer> all;
  for (const std::uint32_t n : {1024U, 2048U, 4096U})
    for (const VariantId variant : variants_of(Primitive::scan)) {
      lab::Answer answer{.question = {.primitive = Primitive::scan, .n = n}, .variant = variant};
      answer.ms = n * 1e-6;
      answer.quartile_1_ms = 0.9 * answer.ms;
      answer.quartile_3_ms = 1.2 * answer.ms;
      answer.runs = 7;
      answer.bytes = 8.0 * n;
      answer.copy_gb_per_s = 20.0;
      all.push_back(answer);
    }
  all[1].difference = "one word";
  return all;
}

TEST(SweepPlot, HasAllVariantsAndTheCopy) {
  const Plot plot = sweep_plot(answers(), SweepMetric::time, "a device");
  ASSERT_EQ(plot.series.size(), variants_of(Primitive::scan).size() + 1);
  EXPECT_EQ(plot.series.back().name, copy_series);
  EXPECT_EQ(plot.series.back().line, PlotLine::dotted);
  EXPECT_DOUBLE_EQ(plot.series.back().points.at(0).y, 8.0 * 1024 / 20.0 * 1e-6);
  const auto at = [&plot](const std::string& name) {
    return *std::find_if(plot.series.begin(), plot.series.end(),
                         [&name](const PlotSeries& each) { return each.name == name; });
  };
  EXPECT_EQ(at(find_variant(Primitive::scan, "library")->title).line, PlotLine::dashed);
  EXPECT_EQ(at((*answers()[1].variant)->title).points.size(), 2U);
  for (std::size_t a = 0; a < plot.series.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(plot.series[a].colour == plot.series[b].colour &&
                   plot.series[a].mark == plot.series[b].mark);
}

// No other variant has the library's colour. Two of one colour differ by their lines and marks.
TEST(SweepPlot, TheLibrarysColourIsItsOwn) {
  for (int p = 0; p < primitive_count; ++p) {
    const std::vector<VariantId> variants = variants_of(static_cast<Primitive>(p));
    for (const VariantId one : variants)
      for (const VariantId other : variants) {
        if (one == other || plot_ink_of(series_of(one)) != plot_ink_of(series_of(other))) continue;
        EXPECT_FALSE(is_library(one) || is_library(other)) << one->name << ", " << other->name;
        EXPECT_NE(series_of(one).line, series_of(other).line) << one->name << ", " << other->name;
      }
  }
}

TEST(PlotLayout, NamesStandInTheOrderOfTheCurvesEnds) {
  Plot plot = plot_of({1.0, 2.0});
  for (const double end : {8.0, 0.5}) {
    plot.series.push_back(plot_of({1.0, end}).series[0]);
    plot.series.back().name = end > 1.0 ? "slow" : "quick";
  }
  const PlotGeometry geometry = lay_out(plot, surface());
  ASSERT_EQ(geometry.legend.size(), 3U);
  EXPECT_EQ(geometry.legend[0].series, 1U);
  EXPECT_EQ(geometry.legend[1].series, 0U);
  EXPECT_EQ(geometry.legend[2].series, 2U);
  EXPECT_LT(geometry.legend[0].box.y, geometry.legend[1].box.y);
}

TEST(PlotLayout, ALongSubtitleIsCutByDots) {
  Plot plot = plot_of({1.0, 2.0});
  plot.subtitle = std::string(300, 's');
  for (const PlotShape& shape : plot_shapes(plot, lay_out(plot, surface()), surface()))
    if (shape.words.starts_with("ss")) {
      EXPECT_LE(surface().text_width(shape.words), surface().width + 1.0F);
      EXPECT_TRUE(shape.words.ends_with("..."));
    }
}

// Long names are cut, and of too many the last line says how many are left out.
TEST(PlotLayout, TheLegendStaysWithinThePlot) {
  Plot plot;
  for (int i = 0; i < 40; ++i) {
    plot.series.push_back(plot_of({1.0, 2.0}).series[0]);
    plot.series.back().name = std::string(60, 'x') + std::to_string(i);
  }
  const PlotGeometry geometry = lay_out(plot, surface());
  ASSERT_LT(geometry.legend.size(), 40U);
  EXPECT_LE(geometry.legend.back().box.bottom(), surface().height);
  const std::string more = "and " + std::to_string(40 - geometry.legend.size()) + " more";
  bool is_told = false;
  for (const PlotShape& shape : plot_shapes(plot, geometry, surface())) {
    if (shape.kind != PlotShape::Kind::text) continue;
    is_told |= shape.words == more;
    if (shape.words.find('x') != std::string::npos) {
      EXPECT_LE(shape.vertices[0].x + surface().text_width(shape.words), surface().width + 1.0F);
    }
    EXPECT_LE(shape.vertices[0].y, surface().height);
  }
  EXPECT_TRUE(is_told);
}

TEST(PlotLayout, QuartilesStayWithinThePlot) {
  Plot plot = plot_of({1.0, 1.0, 1.0});
  plot.series[0].points[1].high = 3.5;
  plot.series[0].points[2].low = 0.3;
  const PlotGeometry geometry = lay_out(plot, surface());
  EXPECT_GE(geometry.y.high, 3.5);
  EXPECT_LE(geometry.y.low, 0.3);
}

TEST(SweepPlot, OfRatesHasItsQuartilesTheOtherWay) {
  for (const SweepMetric metric : {SweepMetric::items, SweepMetric::bandwidth}) {
    const std::string library = find_variant(Primitive::scan, "library")->title;
    const Plot plot = sweep_plot(answers(), metric, "a device", {library});
    for (const PlotSeries& series : plot.series) {
      EXPECT_EQ(series.shown, series.name != library);
      if (series.name == copy_series) continue;
      const PlotPoint& point = series.points.back();
      EXPECT_NEAR(point.y, metric == SweepMetric::items ? 1e9 : 8.0, 1e-3 * point.y);
      EXPECT_LT(point.low, point.y);
      EXPECT_GT(point.high, point.y);
    }
  }
  EXPECT_TRUE(sweep_plot({}, SweepMetric::time, "").series.empty());
}

}  // namespace
}  // namespace warpview
