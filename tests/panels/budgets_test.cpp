// What the Scene panel shows of a scene that compares contenders.
#include <gtest/gtest.h>

#include <string>

#include "app/panels/budget_plot.h"
#include "tests/panels/panel_test.h"

namespace warpview::test {
namespace {

Budgets three_trees() {
  return {.unit = "rays",
          .measured = 1e6,
          .contenders = {{.group = "a", .name = "A: quick", .once_ms = 1.0, .each_ns = 10.0},
                         {.group = "b", .name = "B: good", .once_ms = 5.0, .each_ns = 6.0},
                         {.group = "c", .name = "C: not yet", .once_ms = 0.0, .each_ns = 0.0}}};
}

TEST(BudgetPlot, ShowsWhereCurvesCross) {
  const Budgets budgets = three_trees();
  const Plot plot = budget_plot(budgets);
  EXPECT_EQ(plot.x_title, "Rays");
  ASSERT_EQ(plot.series.size(), 3U);
  EXPECT_TRUE(plot.series[2].points.empty());
  for (std::size_t i = 0; i < 2; ++i) {
    const PlotSeries& series = plot.series[i];
    EXPECT_EQ(series.name, budgets.contenders[i].name);
    // A and B cost the same for a million rays.
    EXPECT_LE(series.points.front().x, 1e6 / 10);
    EXPECT_GE(series.points.back().x, 1e6 * 10);
    for (const PlotPoint& point : series.points)
      EXPECT_DOUBLE_EQ(point.y, budgets.contenders[i].milliseconds(point.x));
  }
  EXPECT_NE(plot.series[0].colour, plot.series[1].colour);
}

TEST(BudgetPlot, OfASceneThatMeasuredNothingIsEmpty) {
  Budgets budgets = three_trees();
  for (Contender& one : budgets.contenders) one.once_ms = one.each_ns = 0.0;
  for (const PlotSeries& series : budget_plot(budgets).series) EXPECT_TRUE(series.points.empty());
}

class BudgetPanel : public PanelTest {};

TEST_F(BudgetPanel, HasTheFactsOfAllContendersInOneTable) {
  model_ = loaded_model();
  set_size(1280, 2000);
  Snapshot& results = model_.results.change();
  results.budgets = three_trees();
  const auto boxes = [](const char* name, double value) {
    return Fact{.name = name, .title = "Boxes per ray", .value = value};
  };
  results.facts = {boxes("a.boxes", 123.4),
                   boxes("b.boxes", 5678.9),
                   {.name = "a.once_ms", .title = "Refit", .value = 1.0, .unit = "ms"},
                   {.name = "b.once_ms", .title = "Build", .value = 5.0, .unit = "ms"},
                   {.name = "mesh.triangles", .title = "Triangles", .value = std::uint64_t{777}}};
  state_.show_timings = false;
  frames(3);
  EXPECT_TRUE(can_read("123"));
  EXPECT_TRUE(can_read("5679"));
  EXPECT_TRUE(can_read("Update, ms")) << "the same fact may have two titles";
  EXPECT_TRUE(can_read("B: good"));
  EXPECT_TRUE(can_read("Cheapest: A up to 1 million rays, then B."));
  click("Scene", "facts/Mesh");
  frames(3);
  EXPECT_TRUE(can_read("777"));
  EXPECT_FALSE(find("Scene", "facts/A")) << "contenders have no lists of their own";
  model_.results.change().budgets.reset();
  frames(3);
  EXPECT_FALSE(can_read("B: good"));
}

}  // namespace
}  // namespace warpview::test
