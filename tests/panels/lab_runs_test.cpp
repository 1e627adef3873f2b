// The runs of the laboratory: as data, as a plot, as a file, and in the tab Runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "app/common/csv.h"
#include "app/common/lab_runs.h"
#include "app/common/runs_plot.h"
#include "app/common/sweep_plot.h"
#include "app/panels/runs_table.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds morning = std::chrono::sys_days(std::chrono::year_month_day(
    std::chrono::year(2026), std::chrono::month(11), std::chrono::day(26)));

MeasuredRun run_of(const std::string& primitive, const std::string& variant, std::uint32_t items,
                   double ms, std::chrono::seconds after = 0s) {
  return {.at = morning + 8h + after,
          .backend = "cpu",
          .device = "a processor",
          .asked_by = "run",
          .row = {.primitive = primitive,
                  .form = lab::experiment(find_primitive(primitive)).forms[0].name,
                  .distribution = "uniform",
                  .items = items,
                  .seed = 1,
                  .variant = variant,
                  .verified = true,
                  .ms = ms,
                  .quartile_1_ms = 0.75 * ms,
                  .quartile_3_ms = 1.25 * ms,
                  .runs = 50,
                  .bytes = 4e6}};
}

// As it is in the file, below the head line.
std::string line_of(const MeasuredRun& run) {
  return runs_as_csv({&run, 1}).substr(runs_as_csv({}).size());
}

// ---- The file -----------------------------------------------------------------------------------

TEST(Csv, IsReadAsItIsWritten) {
  const std::vector<std::string> fields = {"a", "", "b,c", "\"", "x\ny", " d "};
  const std::string line = csv_line(fields);
  const std::string both = line + "next\r\n";
  std::string_view text = both;
  EXPECT_EQ(take_csv_line(text), fields);
  EXPECT_EQ(take_csv_line(text), std::vector<std::string>{"next"});
  EXPECT_TRUE(text.empty());
  for (const char* cut : {"a,b", "\"a", "\"a\n", ""}) {
    std::string_view rest = cut;
    EXPECT_FALSE(take_csv_line(rest)) << cut;
    EXPECT_TRUE(rest.empty());
  }
}

TEST(KeptRuns, AreReadAsTheyAreWritten) {
  std::vector<MeasuredRun> runs = {run_of("sort", "onesweep", 1U << 16U, 1.5),
                                   run_of("scan", "lookback", 1000, 0.125, 30s)};
  runs[1].row.verified = false;
  runs[1].row.difference = "sums differ, \"all\" of them";
  runs[1].device = "a GPU, large";
  const RunsRead read = read_runs(runs_as_csv(runs));
  EXPECT_TRUE(read.is_ours);
  EXPECT_EQ(read.damaged, 0U);
  EXPECT_EQ(read.runs, runs);
  EXPECT_NE(line_of(runs[1]).find(",2026-11-26T08:00:30Z,"), std::string::npos);
  // The laboratory's columns are the first.
  EXPECT_TRUE(runs_as_csv(runs).starts_with(
      lab_csv_header().substr(0, lab_csv_header().size() - 1) + ",at,backend,device,asked_by\n"));
}

TEST(KeptRuns, ADamagedLineIsLeftOutAlone) {
  const std::vector<MeasuredRun> runs = {run_of("sort", "onesweep", 64, 1.5),
                                         run_of("sort", "resident", 64, 2.5)};
  const std::string whole = runs_as_csv(runs);
  const std::string head = runs_as_csv({});
  const std::string last = line_of(runs[1]);
  // Cut off anywhere in the last line.
  for (std::size_t cut = 1; cut < last.size(); ++cut) {
    const RunsRead read = read_runs(std::string_view(whole).substr(0, whole.size() - cut));
    EXPECT_TRUE(read.is_ours);
    ASSERT_EQ(read.runs.size(), 1U) << cut;
    EXPECT_EQ(read.runs[0], runs[0]);
    EXPECT_EQ(read.damaged, 1U);
  }
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string line = last;
    line.replace(line.find(from), from.size(), to);
    const RunsRead read = read_runs(head + line + line_of(runs[0]));
    EXPECT_EQ(read.damaged, 1U) << to;
    EXPECT_EQ(read.runs.size(), 1U) << to;
  };
  damaged(",64,", ",-64,");
  damaged(",64,", ",99999999999,");
  damaged(",64,", ",\"64,");
  damaged(",2.5,", ",nan,");
  damaged(",2.5,", ",1e999,");
  damaged("sort,", ",");
  damaged("yes", "maybe");
  damaged("2026-11-26", "2026-13-26");
  damaged("2026-11-26", "2026-02-30");
  damaged("08:00:00", "28:00:00");
  damaged(",cpu,", ",");
}

TEST(KeptRuns, WhatIsNoFileOfRunsIsNone) {
  for (const char* text : {"primitive,form\n",
                           "\x7f"
                           "ELF",
                           "{}", "\n\n\n"}) {
    const RunsRead read = read_runs(text);
    EXPECT_FALSE(read.is_ours) << text;
    EXPECT_TRUE(read.runs.empty());
  }
  EXPECT_TRUE(read_runs("").is_ours) << "an empty file has no runs";
}

TEST(KeptRuns, HaveABound) {
  LabRuns runs;
  for (std::size_t i = 0; i < LabRuns::most + 7; ++i)
    runs.add(run_of("scan", "lookback", static_cast<std::uint32_t>(i), 1.0));
  ASSERT_EQ(runs.all().size(), LabRuns::most);
  EXPECT_EQ(runs.all().front().row.items, 7U) << "the oldest make way";
  const std::vector<MeasuredRun> last = runs.last(2);
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[1].row.items, LabRuns::most + 6);
  std::string text = runs_as_csv({});
  for (std::size_t i = 0; i < LabRuns::most + 3; ++i)
    text += line_of(run_of("scan", "lookback", static_cast<std::uint32_t>(i), 1.0));
  EXPECT_EQ(read_runs(text).runs.front().row.items, 3U);
}

TEST(LabRuns, ClearingIsTakenBack) {
  LabRuns runs;
  runs.add(run_of("scan", "lookback", 1, 1.0));
  runs.add(run_of("scan", "lookback", 2, 1.0));
  runs.clear();
  EXPECT_TRUE(runs.all().empty());
  EXPECT_EQ(runs.rewrites(), 1U);
  runs.add(run_of("scan", "lookback", 3, 1.0));
  runs.restore();
  ASSERT_EQ(runs.all().size(), 3U);
  EXPECT_EQ(runs.all().front().row.items, 1U);
  EXPECT_FALSE(runs.can_restore());
  EXPECT_EQ(runs.rewrites(), 2U);
}

// ---- The plot -----------------------------------------------------------------------------------

TEST(RunsPlot, OverTimeACurveForEachVariant) {
  const std::vector<MeasuredRun> runs = {run_of("sort", "onesweep", 64, 2.0, 2h),
                                         run_of("sort", "resident", 64, 4.0),
                                         run_of("sort", "onesweep", 64, 3.0)};
  EXPECT_EQ(telling_axis(runs), RunsAxis::time);
  const Plot plot = runs_plot(runs, RunsAxis::time);
  ASSERT_EQ(plot.series.size(), 2U);
  ASSERT_TRUE(plot.since);
  const PlotSeries& onesweep = plot.series[0].name == "Onesweep" ? plot.series[0] : plot.series[1];
  EXPECT_EQ(onesweep.name, "Onesweep");
  ASSERT_EQ(onesweep.points.size(), 2U);
  EXPECT_EQ(onesweep.points[0].y, 3.0) << "the older first";
  EXPECT_EQ(onesweep.points[1].x - onesweep.points[0].x, 7200.0);
  EXPECT_EQ(onesweep.points[0].low, 2.25);
  EXPECT_TRUE(plot.title.starts_with("radix sort")) << plot.title;
  EXPECT_NE(plot.subtitle.find("64 items"), std::string::npos);
  EXPECT_NE(plot.series[0].colour, plot.series[1].colour);
}

// A size that comes again begins a new curve: this morning's and this evening's sweep.
TEST(RunsPlot, OverSizesACurveForEachSweep) {
  std::vector<MeasuredRun> runs;
  for (const auto after : {0s, 7200s})
    for (const std::uint32_t n : {256U, 512U, 1024U})
      runs.push_back(run_of("scan", "lookback", n, after == 0s ? 2.0 : 1.0, after));
  EXPECT_EQ(telling_axis(runs), RunsAxis::size);
  const Plot plot = runs_plot(runs, RunsAxis::size);
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_EQ(plot.series[0].points.size(), 3U);
  EXPECT_EQ(plot.series[1].points.size(), 3U);
  EXPECT_NE(plot.series[0].name, plot.series[1].name);
  EXPECT_NE(plot.series[0].line, plot.series[1].line) << "of one colour";
  EXPECT_FALSE(plot.linear);
}

TEST(RunsPlot, NamesTellWhatDiffers) {
  std::vector<MeasuredRun> runs = {run_of("sort", "onesweep", 64, 2.0),
                                   run_of("sort", "onesweep", 128, 4.0)};
  runs[1].device = "another";
  const Plot plot = runs_plot(runs, RunsAxis::time);
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_EQ(plot.series[0].name, "Onesweep, a processor, 64");
  EXPECT_EQ(plot.series[1].name, "Onesweep, another, 128");
}

TEST(RunsPlot, HiddenCurvesAndRunsWithoutTimes) {
  std::vector<MeasuredRun> runs = {run_of("sort", "onesweep", 64, 2.0),
                                   run_of("sort", "resident", 64, 0.0)};
  const Plot plot = runs_plot(runs, RunsAxis::time, {"Onesweep"});
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_FALSE(plot.series[0].shown);
  EXPECT_TRUE(runs_plot({}, RunsAxis::time).series.empty());
}

TEST(RunsPlot, TwoRunsAreComparedInTheWordsOfThePanels) {
  MeasuredRun before = run_of("sort", "resident", 64, 3.0);
  MeasuredRun now = run_of("sort", "onesweep", 64, 1.0, 60s);
  EXPECT_EQ(difference_of_runs(before, now).words,
            "One launch, resident -> Onesweep: 3.00x (1.80 to 5.00)");
  now.row.ms = 3.3;
  now.row.quartile_1_ms = 3.0;
  now.row.quartile_3_ms = 3.6;
  EXPECT_NE(difference_of_runs(before, now).words.find("no clear difference ("), std::string::npos);
  now.row.items = 128;
  EXPECT_EQ(difference_of_runs(before, now).words, "") << "another question";
  MeasuredRun later = run_of("sort", "resident", 64, 1.0, 60s);
  const std::string words = difference_of_runs(before, later).words;
  EXPECT_NE(words.find("One launch, resident at "), std::string::npos) << words;
  EXPECT_EQ(difference_of_runs(before, later).direction, -1);
  later.row.variant = "library";
  EXPECT_EQ(difference_of_runs(before, later).direction, 0) << "native against emulated";
  later.backend = before.backend = "cuda";
  EXPECT_EQ(difference_of_runs(before, later).direction, -1);
}

TEST(Plot, TicksOfAClockAreWholeHoursWhereTheUserIs) {
  const PlotAxis axis{0.0, 6.0 * 3600.0, 0.0F, 600.0F, true};
  const std::vector<PlotTick> ticks = clock_ticks(axis, morning + 8h + 10min, 1800s, 80.0F);
  ASSERT_GE(ticks.size(), 2U);
  EXPECT_EQ(ticks[0].label, "09:00");
  EXPECT_EQ(ticks[0].value, 20.0 * 60.0) << "half an hour ahead of UTC";
  for (std::size_t i = 1; i < ticks.size(); ++i) EXPECT_GE(ticks[i].at - ticks[i - 1].at, 80.0F);
  const PlotAxis days{0.0, 40.0 * 86400.0, 0.0F, 600.0F, true};
  for (const PlotTick& tick : clock_ticks(days, morning, 0s, 80.0F))
    EXPECT_NE(tick.label.find(' '), std::string::npos) << tick.label;
  const PlotAxis seconds{0.0, 20.0, 0.0F, 600.0F, true};
  EXPECT_EQ(clock_ticks(seconds, morning, 0s, 80.0F).front().label, "00:00:00");
  // However odd the axis is, ticks are few.
  for (const double length : {1e-9, 1.0, 1e9, 1e12})
    for (const float room : {1.0F, 80.0F})
      EXPECT_LE(clock_ticks({0.0, length, 0.0F, 600.0F, true}, morning, 0s, room).size(), 601U);
}

// ---- The tab ------------------------------------------------------------------------------------

class RunsTab : public PanelTest {
 protected:
  RunsTab() {
    model_ = loaded_model();
    model_.lab.most_items = 1U << 20U;
    model_.lab.runs_file = "/home/someone/.local/share/warpview/runs.csv";
    state_.show_lab = true;
    state_.lab.open = LabTask::runs;
  }
  void add_some() {
    model_.lab.runs.add(run_of("sort", "onesweep", 1U << 16U, 2.0));
    model_.lab.runs.add(run_of("sort", "resident", 1U << 16U, 4.0, 60s));
    model_.lab.runs.add(run_of("scan", "lookback", 1U << 12U, 1.0, 120s));
    frames(3);
  }
  // By variant, from above.
  std::vector<std::string> listed() {
    std::vector<std::string> names;
    for (const ui::WidgetRecord& each : widgets())
      if (each.kind == std::string_view("choice") && each.visible && each.window == "Laboratory" &&
          each.name.find('/') != std::string::npos && std::isdigit(each.name.front()) != 0)
        names.push_back(each.name.substr(each.name.find('/') + 1));
    return names;
  }
  using Names = std::vector<std::string>;
};

TEST_F(RunsTab, ListsTheNewestFirstAndSortsByColumns) {
  add_some();
  EXPECT_EQ(listed(), (Names{"lookback", "resident", "onesweep"}));
  click("Laboratory", "Sort by Median, ms");
  EXPECT_EQ(listed(), (Names{"resident", "onesweep", "lookback"})) << "the slowest first";
  click("Laboratory", "Sort by Median, ms");
  EXPECT_EQ(listed(), (Names{"lookback", "onesweep", "resident"}));
  click("Laboratory", "Sort by Variant");
  EXPECT_EQ(listed(), (Names{"lookback", "resident", "onesweep"})) << "Look-back, One, Onesweep";
  for (const char* head : {"When", "Primitive", "Items", "Runs"})
    EXPECT_TRUE(find("Laboratory", std::string("Sort by ") + head)) << head;
}

TEST_F(RunsTab, NamesOfVariantsAreNotCut) {
  for (const VariantId variant : variants_of(Primitive::scan))
    model_.lab.runs.add(run_of("scan", variant->name, 1U << 12U, 1.0));
  frames(3);
  for (const VariantId variant : variants_of(Primitive::scan))
    EXPECT_TRUE(can_read(variant->title)) << variant->title;
}

TEST_F(RunsTab, NamesPrimitivesAsTheOtherTabsDo) {
  add_some();
  model_.lab.runs.add(run_of("hash_map", "linear", 64, 1.0));
  MeasuredRun gone = run_of("sort", "onesweep", 64, 1.0);
  gone.row.primitive = "sort_of_tomorrow";
  model_.lab.runs.add(gone);
  frames(3);
  EXPECT_TRUE(can_read("prefix sum"));
  EXPECT_TRUE(can_read("radix sort"));
  EXPECT_FALSE(can_read("hash_map"));
  EXPECT_TRUE(can_read("sort_of_to")) << "this version has no title for it";
  click("Laboratory", "of primitive");
  frames(2);
  click("##Combo_00", "prefix sum");
  frames(2);
  EXPECT_EQ(listed(), Names{"lookback"});
  EXPECT_EQ(find("Laboratory", "of primitive")->text, "prefix sum");
  state_.lab.runs.primitive.clear();
  state_.lab.runs.filter = "prefix";
  frames(2);
  EXPECT_EQ(listed(), Names{"lookback"});
}

TEST_F(RunsTab, FiltersByWordsAndByPrimitive) {
  add_some();
  const auto typed = [this](const char* words) {
    state_.lab.runs.filter = words;
    frames(2);
    return listed();
  };
  EXPECT_EQ(typed("onesw"), Names{"onesweep"});
  EXPECT_EQ(typed("sort resident"), Names{"resident"});
  EXPECT_EQ(typed("lkbk"), Names{"lookback"}) << "letters may be left out";
  EXPECT_EQ(typed("4096"), Names{"lookback"});
  EXPECT_EQ(typed("nothing at all"), Names{});
  EXPECT_TRUE(can_read("No run matches the filter."));
  EXPECT_TRUE(can_read("0 of 3 runs"));
  EXPECT_EQ(typed("  ").size(), 3U);
  state_.lab.runs.primitive = "scan";
  frames(2);
  EXPECT_EQ(listed(), Names{"lookback"});
}

TEST_F(RunsTab, AClickAsksTheQuestionAgain) {
  add_some();
  model_.lab.question.n = 64;
  click("Laboratory", "2/resident");
  frames(3);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::sort);
  EXPECT_EQ(model_.lab.question.n, 1U << 16U);
  EXPECT_EQ(state_.lab.variant, find_variant(Primitive::sort, "resident"));
  EXPECT_EQ(state_.lab.front, LabTask::results);
  EXPECT_FALSE(model_.requests.find<request::RunLab>()) << "the user presses Run";
}

TEST_F(RunsTab, ARunOfAnotherVersionSaysSo) {
  model_.lab.runs.add(run_of("sort", "onesweep", 64, 1.0));
  MeasuredRun gone = run_of("sort", "onesweep", 64, 1.0, 1s);
  gone.row.variant = "sweep_of_tomorrow";
  model_.lab.runs.add(gone);
  frames(3);
  click("Laboratory", "2/sweep_of_tomorrow");
  frames(2);
  EXPECT_EQ(state_.lab.front, LabTask::runs);
  ASSERT_FALSE(state_.notices.empty());
  EXPECT_NE(state_.notices.back().message.text.find("sweep_of_tomorrow"), std::string::npos);
}

TEST_F(RunsTab, TickedRunsAreInThePlot) {
  add_some();
  EXPECT_FALSE(find("Laboratory", "over/Over time"));
  click("Laboratory", "1/plot");
  click("Laboratory", "2/plot");
  frames(2);
  EXPECT_EQ(state_.lab.runs.selected, (std::set<std::uint64_t>{1, 2}));
  EXPECT_TRUE(find("Laboratory", "over/Over time"));
  EXPECT_FALSE(state_.lab.runs.over) << "what tells something";
  EXPECT_TRUE(can_read("Onesweep -> One launch, resident: "));
  click("Laboratory", "over/Over size");
  EXPECT_EQ(state_.lab.runs.over, RunsAxis::size);
  click("Laboratory", "Tick all");
  EXPECT_EQ(state_.lab.runs.selected.size(), 3U);
  click("Laboratory", "Untick all");
  frames(2);
  EXPECT_FALSE(find("Laboratory", "over/Over time"));
}

TEST_F(RunsTab, TheFilterIsThePlotsToo) {
  add_some();
  model_.lab.runs.add(run_of("sort", "resident", 1U << 16U, 0.0, 180s));
  state_.lab.runs.selected = {1, 2, 3, 4};
  frames(2);
  const auto left_out = [this] {
    const auto fact = find("Laboratory", "left out");
    return fact ? *fact->text : std::string();
  };
  EXPECT_EQ(left_out(), "Not in the plot: 1 run without a time");
  const std::string lookback = series_of(find_variant(Primitive::scan, "lookback")).name;
  EXPECT_TRUE(find("Laboratory", lookback + ", prefix sum, exclusive, 4 096") ||
              find("Laboratory", lookback + ", prefix sum, exclusive"))
      << "a curve of the plot";
  state_.lab.runs.filter = "sort";
  frames(2);
  EXPECT_FALSE(can_read("prefix sum, exclusive"));
  EXPECT_TRUE(find("Laboratory", "One launch, resident"));
  EXPECT_EQ(left_out(), "Not in the plot: 1 ticked run hidden by the filter, 1 run without a time");
  state_.lab.runs.filter = "onesweep";
  frames(2);
  EXPECT_FALSE(find("Laboratory", "One launch, resident"));
  EXPECT_TRUE(find("Laboratory", "Onesweep"));
  state_.lab.runs.filter = "nothing at all";
  frames(2);
  EXPECT_FALSE(find("Laboratory", "over/Over time"));
  EXPECT_EQ(left_out(), "Not in the plot: 4 ticked runs hidden by the filter");
  EXPECT_EQ(state_.lab.runs.selected.size(), 4U) << "they stay ticked";
}

TEST_F(RunsTab, CopiesWhatIsListedOrTicked) {
  add_some();
  state_.lab.runs.filter = "sort";
  frames(2);
  click("Laboratory", "Copy as CSV");
  const RunsRead listed = read_runs(ImGui::GetClipboardText());
  EXPECT_EQ(listed.runs.size(), 2U);
  state_.lab.runs.selected = {2, 3};
  click("Laboratory", "Copy as CSV");
  const RunsRead ticked = read_runs(ImGui::GetClipboardText());
  ASSERT_EQ(ticked.runs.size(), 1U) << "the other one is not listed";
  EXPECT_EQ(ticked.runs[0].row.variant, "resident");
}

TEST_F(RunsTab, ClearsAndBringsBack) {
  add_some();
  state_.lab.runs.selected = {1, 3};
  click("Laboratory", "Clear");
  frames(2);
  EXPECT_TRUE(model_.lab.runs.all().empty());
  EXPECT_TRUE(find("Laboratory", "empty/Run all variants"));
  click("Laboratory", "Undo clear");
  frames(2);
  EXPECT_EQ(listed().size(), 3U);
}

TEST_F(RunsTab, KeepsRunsWhereTheUserWishes) {
  frames(3);
  EXPECT_FALSE(state_.settings.keep_runs) << "at first";
  EXPECT_FALSE(model_.lab.keeps_runs);
  click("Laboratory", "Keep runs");
  frames(2);
  EXPECT_TRUE(state_.settings.keep_runs);
  EXPECT_TRUE(state_.settings_changed);
  EXPECT_TRUE(model_.lab.keeps_runs);
  EXPECT_TRUE(can_read("warpview/runs.csv"));
  model_.lab.runs_file.clear();
  frames(2);
  EXPECT_FALSE(find("Laboratory", "Keep runs")->enabled) << "there is no folder for them";
}

TEST_F(RunsTab, ThousandsOfRunsInWindowsOfEverySize) {
  for (int i = 0; i < 3000; ++i)
    model_.lab.runs.add(run_of("sort", i % 2 == 0 ? "onesweep" : "resident", 1U << (i % 20),
                               1.0 + i, std::chrono::seconds(i)));
  for (int i = 1; i <= 40; ++i) state_.lab.runs.selected.insert(static_cast<std::uint64_t>(i));
  for (const auto& [width, height] :
       {std::pair{3840, 2160}, {1600, 900}, {1280, 800}, {700, 400}, {320, 240}, {60, 40}}) {
    set_size(width, height);
    frames(3);
    EXPECT_LT(widgets().size(), 1000U) << "rows that cannot be seen are not drawn";
  }
}

}  // namespace
}  // namespace warpview
