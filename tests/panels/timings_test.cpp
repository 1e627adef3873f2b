// The Timings panel: what a stage's times say, and where clicks on names and paths go.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/histogram.h"
#include "app/panels/kind_colours.h"
#include "app/panels/parts.h"
#include "app/warm_up.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class Timings : public PanelTest {
 protected:
  Timings() {
    model_ = loaded_model();
    set_size(1280, 1500);
    frames(3);
  }
  static ImGuiWindow* panel() { return window("Timings"); }
  bool has_tooltip() const {
    return std::any_of(
        context_->Windows.begin(), context_->Windows.end(), [](const ImGuiWindow* each) {
          return each->Active && !each->Hidden && (each->Flags & ImGuiWindowFlags_Tooltip) != 0;
        });
  }
  // Moves the mouse over a part of a window, given as shares of it, until a tooltip has these
  // words.
  bool finds_tooltip(const ImGuiWindow* in, const std::string& words, float from = 0.0F,
                     float to = 1.0F) {
    const ImRect area = in->Rect();
    for (float y = area.Min.y + from * area.GetHeight(); y < area.Min.y + to * area.GetHeight();
         y += 8.0F)
      for (float x = area.Min.x + 20.0F; x < area.Max.x; x += 25.0F) {
        ImGui::GetIO().MousePos = {x, y};
        frames(2);
        if (has_tooltip() && can_read(words)) return true;
      }
    return false;
  }
  // The same from where the mouse is, to the right or to the left.
  bool goes_on_to(const std::string& words, float step) {
    for (int i = 0; i < 500 && !can_read(words); ++i) {
      ImGui::GetIO().MousePos.x += step;
      frames(2);
    }
    return can_read(words);
  }
  // Of all filled rectangles of this colour that the panel has drawn, from the top.
  static std::vector<float> widths_of(ImU32 colour) {
    const auto& corners = panel()->DrawList->VtxBuffer;
    const ImVec2 white = ImGui::GetDrawListSharedData()->TexUvWhitePixel;
    std::vector<float> widths;
    for (int i = 0; i + 3 < corners.Size; ++i) {
      const bool is_one = std::all_of(&corners[i], &corners[i] + 4, [&](const ImDrawVert& corner) {
        return corner.col == colour && corner.uv.x == white.x && corner.uv.y == white.y;
      });
      if (!is_one || corners[i].pos.y != corners[i + 1].pos.y) continue;
      widths.push_back(corners[i + 2].pos.x - corners[i].pos.x);
      i += 3;
    }
    return widths;
  }
  // Other times for one stage, all others without any, so that words are of this one.
  StageRow& only(const char* name, std::vector<float> milliseconds,
                 std::optional<double> cold = {}) {
    for (StageRow& row : model_.stages) row.has_run = row.result->name == name;
    StageRow& row = stage(model_, name);
    StageResult& result = row.result.change();
    result.milliseconds = std::move(milliseconds);
    result.cold_ms = cold;
    const std::vector<double> times = result.times();
    result.last_ms = times.empty() ? 0.0 : times.back();
    result.median_ms = times.empty() ? 0.0 : times[times.size() / 2];
    result.least_ms = times.empty() ? 0.0 : *std::min_element(times.begin(), times.end());
    frames(2);
    return row;
  }
};

// ---- Before and after ---------------------------------------------------------------------------

TEST_F(Timings, ASwitchShowsWhatItDid) {
  StageRow& sort = only("sort", {0.98F, 1.0F, 1.0F, 1.0F, 1.02F});
  const VariantId library = find_variant(Primitive::sort, "library");
  EXPECT_FALSE(can_read("->"));
  model_.device.backend = Backend::cuda;
  const std::size_t without = widths_of(colour::faint).size();
  sort.before = {.variant = library,
                 .items = sort.result.change().work.items,
                 .milliseconds = {8.0, 8.0, 8.0}};
  frames(2);
  EXPECT_TRUE(can_read("Vendor library -> " + std::string((*sort.variant)->title) + ": 8.00x ("));
  // The bar of before is a ghost, eight times as long.
  const std::vector<float> ghosts = widths_of(colour::faint);
  ASSERT_EQ(ghosts.size(), without + 1);
  const std::vector<float> now = widths_of(colour::good);
  ASSERT_EQ(now.size(), 1U);
  EXPECT_NEAR(ghosts.back() / now.back(), 8.0F, 0.1F);
  EXPECT_TRUE(finds_tooltip(panel(), "Effect of the switch"));
  EXPECT_TRUE(can_read("Vendor library: n 3, min 8.000, p50 8.000"));
  ImGui::GetIO().MousePos = {0, 0};

  sort.before->milliseconds = {0.25, 0.25, 0.25};
  frames(2);
  EXPECT_TRUE(can_read(": 0.25x ("));
  EXPECT_NEAR(widths_of(colour::warning).back() / widths_of(colour::faint).back(), 4.0F, 0.1F);
  sort.before->milliseconds = {0.9, 1.0, 1.1};
  frames(2);
  EXPECT_TRUE(can_read("no clear difference (0.95x to 1.05x)"));
  // Where both titles have no room the earlier one stands there.
  EXPECT_FALSE(can_read("Vendor library -> One launch, resident: no clear"));
  EXPECT_TRUE(can_read("from Vendor library: no clear difference (0.95x to 1.05x)"));
  // Of another number of items nothing is said.
  sort.before->items += 1;
  frames(2);
  EXPECT_FALSE(can_read("->"));
}

// A first run against others says little: it takes no side.
TEST_F(Timings, ASwitchThatIsColdTakesNoSide) {
  model_.device.backend = Backend::cuda;
  StageRow& sort = only("sort", {}, 9.0);
  sort.before = {.variant = find_variant(Primitive::sort, "library"),
                 .items = sort.result->work.items,
                 .milliseconds = {1.0, 1.0, 1.0}};
  frames(2);
  EXPECT_TRUE(can_read("0.11x (cold run)"));
  EXPECT_TRUE(widths_of(colour::warning).empty());
  only("sort", {9.0F, 9.0F, 9.0F}, 20.0);
  EXPECT_TRUE(can_read("0.11x (0.11 to 0.11)"));
  EXPECT_FALSE(can_read("cold"));
  EXPECT_FALSE(widths_of(colour::warning).empty());
  sort.before->cold = true;
  frames(2);
  EXPECT_TRUE(can_read("0.11x (cold run)"));
}

// Once all variants were compared the row has the comparison's times, not those from before the
// switch, which may have been taken under another load.
TEST_F(Timings, ARowAndAComparisonDoNotContradictEachOther) {
  model_.device.backend = Backend::cuda;
  StageRow& sort = only("sort", {110.0F, 110.0F, 110.0F, 110.0F, 110.0F});
  const VariantId other = find_variant(Primitive::sort, "msd");
  ASSERT_NE(other, sort.variant);
  sort.before = {.variant = other,
                 .items = sort.result->work.items,
                 .milliseconds = {157.0, 157.0, 157.0, 157.0, 157.0}};
  frames(2);
  EXPECT_TRUE(can_read("1.43x"));
  const std::uint64_t items = sort.result->work.items;
  sort.compared = Comparison{.number = 1,
                             .stage = "sort",
                             .items = items,
                             .variants = {{.variant = other,
                                           .items = items,
                                           .milliseconds = {75.0, 76.0, 75.0, 75.0, 75.0}},
                                          {.variant = sort.variant,
                                           .items = items,
                                           .milliseconds = {110.0, 109.0, 110.0, 110.0, 111.0}}},
                             .chosen = sort.variant};
  state_.comparison = "sort";
  frames(3);
  EXPECT_FALSE(can_read("1.43x"));
  EXPECT_TRUE(
      can_read("Highest digit first -> " + std::string((*sort.variant)->title) + ": 0.68x"));
  EXPECT_TRUE(can_read("1.47x")) << "the table's, which goes the other way";
  EXPECT_TRUE(finds_tooltip(panel(), "Both from the comparison of all variants"));
  ImGui::GetIO().MousePos = {0, 0};
  // A's times of the pair are the comparison's, too, unless its controls were others.
  model_.pinned =
      PinnedRun{.controls = model_.controls, .stages = {{"sort", *sort.before}}, .frames_ms = {}};
  frames(2);
  EXPECT_TRUE(can_read("A, Highest digit first -> now: 0.68x"));
  model_.controls.set("waves=5");
  frames(2);
  EXPECT_TRUE(can_read("A, Highest digit first -> now: 1.43x"));
  model_.pinned.reset();
  // A comparison of other items says nothing about these.
  sort.compared->items += 1;
  frames(2);
  EXPECT_TRUE(can_read("1.43x"));
}

TEST_F(Timings, TimesUnderOtherConditionsAreNotCompared) {
  model_.device.backend = Backend::cuda;
  StageRow& sort = only("sort", {1.0F, 1.0F, 1.0F});
  const auto now = std::chrono::system_clock::now();
  sort.taken = {.at = now, .others = 0.1, .count = 3};
  sort.before = {.variant = find_variant(Primitive::sort, "msd"),
                 .items = sort.result->work.items,
                 .milliseconds = {8.0, 8.0, 8.0, 8.0, 8.0},
                 .taken = {.at = now - std::chrono::seconds(5), .others = 0.15, .count = 3}};
  frames(2);
  EXPECT_TRUE(can_read("8.00x"));
  ASSERT_TRUE(finds_tooltip(panel(), "at rest, other programs on 15 % of the processors"));
  EXPECT_TRUE(can_read("at " + time_of_day(now)));
  ImGui::GetIO().MousePos = {0, 0};
  sort.before->taken.others = 0.9;
  frames(2);
  EXPECT_FALSE(can_read("8.00x"));
  EXPECT_TRUE(can_read("Highest digit first: was timed under a different system load"));
  sort.before->taken.others = 0.1;
  sort.before->taken.at = now - std::chrono::minutes(12);
  frames(2);
  EXPECT_FALSE(can_read("8.00x"));
  EXPECT_TRUE(can_read("Highest digit first: was timed 12 minutes before"));
  sort.before->taken.at = now;
  sort.before->taken.moving = true;
  frames(2);
  EXPECT_FALSE(can_read("8.00x"));
  EXPECT_TRUE(can_read("Highest digit first: was timed while animated"));
  sort.before->taken.moving = false;
  sort.before->fused = {"Refit"};
  frames(2);
  EXPECT_FALSE(can_read("8.00x"));
  EXPECT_TRUE(can_read("Highest digit first: its time includes Refit"));
  std::swap(sort.before->fused, sort.result.change().fused);
  frames(2);
  EXPECT_TRUE(can_read("Highest digit first: its time does not include Refit"));
  sort.result.change().fused.clear();
  // What was pinned may be old, but not of another load.
  sort.before->taken = {.at = now - std::chrono::minutes(30), .others = 0.1, .count = 3};
  model_.pinned =
      PinnedRun{.controls = model_.controls, .stages = {{"sort", *sort.before}}, .frames_ms = {}};
  frames(2);
  EXPECT_TRUE(can_read("8.00x"));
  model_.pinned->stages.at("sort").taken.others = 0.5;
  frames(2);
  EXPECT_FALSE(can_read("8.00x"));
  EXPECT_TRUE(can_read("A was timed under a different system load"));
}

TEST_F(Timings, APinWithTooFewWarmRunsSaysSo) {
  model_.device.backend = Backend::cuda;
  StageRow& sort = only("sort", {1.0F, 1.0F, 1.0F, 1.0F, 1.0F});
  model_.pinned = PinnedRun{.controls = model_.controls,
                            .stages = {{"sort",
                                        {.variant = sort.variant,
                                         .items = sort.result->work.items,
                                         .milliseconds = {8.0, 8.0, 8.0}}}},
                            .frames_ms = {20.0, 20.0}};
  EXPECT_FALSE(differs_from_pinned(model_, sort)) << "too few for a clear difference";
  frames(2);
  EXPECT_TRUE(can_read("The frame, A -> now: 2.00x (A has 2 of 5 frames)"));
  model_.pinned->stages.at("sort").milliseconds = {8.0, 8.0, 8.0, 8.0, 8.0};
  model_.pinned->frames_ms = {20.0, 20.0, 20.0, 20.0, 20.0};
  EXPECT_TRUE(differs_from_pinned(model_, sort));
  frames(2);
  EXPECT_FALSE(can_read(" of 5 frames"));
  // As A is set, A's times go on being taken.
  model_.pinned->shown = model_.choices().shown;
  model_.pinned->show = model_.show;
  sort.every_frame = true;
  model_.pinned->stages.at("sort").milliseconds = {8.0, 8.0};
  frames(2);
  EXPECT_TRUE(can_read("A has 2 of 5 warm runs"));
  model_.pinned->takes_times = false;
  frames(2);
  EXPECT_FALSE(can_read("A has 2 of 5 warm runs"));
}

// ---- One number, a line for each stage, a colour for each kind ---------------------------------

TEST_F(Timings, KernelsAreOfTheSameFramesAsTheNumber) {
  frames(3);
  EXPECT_TRUE(can_read("10.00 ms"));
  EXPECT_TRUE(can_read("6.000 ms")) << "the device's parts of these frames";
  EXPECT_FALSE(can_read("1.250 ms"));
  model_.playing = false;
  frames(3);
  EXPECT_TRUE(can_read("1.250 ms")) << "of the last frame";
}

TEST_F(Timings, OneNumberStandsOnTop) {
  EXPECT_TRUE(can_read("10.00 ms"));
  EXPECT_TRUE(can_read("per frame, 100/s"));
  model_.results.change().moving = false;
  for (StageRow& row : model_.stages) row.result.change().median_ms = 2.0;
  frames(2);
  EXPECT_TRUE(can_read("24.00 ms")) << "of twelve stages";
  EXPECT_TRUE(can_read("all stages, once each"));
  EXPECT_FALSE(can_read("each;"));
  stage(model_, "refit").result.change().done_by = "build";
  StageResult& sort = stage(model_, "sort").result.change();
  sort.milliseconds.clear();
  sort.cold_ms = 2.0;
  frames(2);
  EXPECT_TRUE(can_read("22.00 ms")) << "the build's time has the refit in it";
  EXPECT_TRUE(can_read("all stages, once each; 1 cold"));
}

TEST_F(Timings, StagesOfEachFrameStandApart) {
  const auto y = [this](const char* name) { return find("Timings", name)->from.y; };
  state_.show_scene = false;  // it has a group of this name
  frames(3);
  EXPECT_FALSE(can_read("Each frame"));
  for (const char* name : {"morton", "sort", "build"}) {
    stage(model_, name).every_frame = true;
    stage(model_, name).result.change().median_ms = 4.0;
  }
  stage(model_, "refit").result.change().done_by = "build";
  frames(3);
  EXPECT_TRUE(can_read("Each frame"));
  EXPECT_TRUE(can_read("12.00"));
  EXPECT_LT(y("morton/variant"), y("sort/variant"));
  EXPECT_LT(y("build/variant"), y("refit/variant"));
  EXPECT_LT(y("refit/variant"), y("Once")) << "it is done by a stage of each frame";
  EXPECT_LT(y("Once"), y("dedup/variant"));
  click("Timings", "Once");
  frames(3);
  EXPECT_FALSE(find("Timings", "dedup/variant"));
  EXPECT_TRUE(find("Timings", "sort/variant"));
}

TEST_F(Timings, ALinesButtonsShowWhereItIsPointedAt) {
  StageRow& sort = only("sort", {1.0F, 1.0F, 1.0F});
  sort.result.change().copy_share = 0.5;
  ImGui::GetIO().MousePos = {0, 0};
  frames(2);
  EXPECT_TRUE(can_read("50 %"));
  const auto& list = *find("Timings", "sort/variant");
  ImGui::GetIO().MousePos = {list.from.x - 2.0F, 0.5F * (list.from.y + list.to.y)};
  frames(2);
  EXPECT_FALSE(can_read("50 %")) << "the buttons stand there";
  const std::size_t bars = widths_of(colour::dim).size();
  ImGui::GetIO().MousePos.y = list.to.y + 60.0F;
  frames(2);
  EXPECT_TRUE(can_read("50 %"));
  EXPECT_EQ(bars, widths_of(colour::dim).size() + 3) << "of the button Compare";
  // The keyboard's focus shows them, too.
  ImGui::GetIO().MousePos = {0, 0};
  for (int i = 0; i < 200 && !find("Timings", "sort/Compare")->focused; ++i) {
    state_.keyboard.wish = KeyboardFocus::Move::next;
    frames(2);
  }
  ASSERT_TRUE(find("Timings", "sort/Compare")->focused);
  EXPECT_FALSE(can_read("50 %"));
}

TEST_F(Timings, AKindOfPrimitiveHasOneColour) {
  model_.results.change().moving = false;
  const ImU32 sorts = colour_of_kind(Primitive::sort);
  const auto bars = [&] { return widths_of(sorts).size(); };
  frames(2);
  EXPECT_EQ(bars(), 2U) << "the bar below its time, and its part of all stages";
  std::reverse(model_.stages.begin(), model_.stages.end());
  frames(2);
  EXPECT_EQ(bars(), 2U) << "wherever it stands";
  EXPECT_EQ(colour_of_kind(Primitive::scan), colour_of_kind(Primitive::select));
  EXPECT_EQ(colour_of_kind(Primitive::build), colour_of_kind(Primitive::refit));
  EXPECT_EQ(colour_of_kind(Primitive::build), colour_of_kind(Primitive::trace));
  std::set<ImU32> kinds;
  for (const Primitive each :
       {Primitive::scan, Primitive::reduce, Primitive::sort, Primitive::dedup, Primitive::morton,
        Primitive::build, Primitive::schedule})
    kinds.insert(colour_of_kind(each));
  kinds.insert(colour_of_kind({}));
  EXPECT_EQ(kinds.size(), 8U);
}

// ---- Emulated kernels ---------------------------------------------------------------------------

TEST_F(Timings, OnTheCpuSpeedIsNotTheMessage) {
  StageRow& sort = only("sort", {1.0F, 1.0F, 1.0F});
  sort.result.change().copy_share = 0.001;
  sort.before = {.variant = find_variant(Primitive::sort, "library"),
                 .items = sort.result->work.items,
                 .milliseconds = {0.1, 0.1, 0.1}};
  frames(2);
  const auto warns = [] {
    const ImVector<ImDrawVert>& drawn = panel()->DrawList->VtxBuffer;
    return std::any_of(drawn.begin(), drawn.end(),
                       [](const ImDrawVert& vertex) { return vertex.col == colour::warning; });
  };
  EXPECT_FALSE(warns()) << "neither the share nor the ratio";
  EXPECT_TRUE(can_read("0.10x (from native code)"));
  sort.before->variant = sort.variant;
  sort.variant = sort.result.change().variant = find_variant(Primitive::sort, "library");
  frames(2);
  EXPECT_TRUE(can_read("0.10x (native, not emulated)"));
  click("Timings", "Count memory accesses");
  frames(3);
  EXPECT_EQ(find("Laboratory", "Counters")->on, true);
  state_.show_lab = false;
  model_.device.backend = Backend::cuda;
  frames(3);
  EXPECT_TRUE(warns());
  EXPECT_TRUE(can_read("0.10x (0.10 to 0.10)"));
  EXPECT_FALSE(find("Timings", "Count memory accesses"));
}

// ---- Cold and warm ------------------------------------------------------------------------------

TEST_F(Timings, AColdRunIsToldApart) {
  for (const char* name : {"sort", "upload"}) {  // on two lines, and on one
    SCOPED_TRACE(name);
    StageRow& row = only(name, {}, 47.0);
    EXPECT_TRUE(can_read("47.00"));
    EXPECT_TRUE(can_read("cold"));
    row.warm_up = WarmUp::to_come;
    ASSERT_TRUE(finds_tooltip(panel(), "One cold run, 47.00 ms", 0.1F, 0.25F));
    EXPECT_TRUE(can_read("idle: 0 of 5"));
    row.warm_up = WarmUp::too_slow;
    frames(2);
    EXPECT_TRUE(can_read("more than 2 seconds. Repeat runs it once more"));
    row.warm_up = WarmUp::waits;
    frames(2);
    EXPECT_TRUE(can_read("Warm-up runs follow once the scene is paused"));
    row.warm_up = WarmUp::changes;
    frames(2);
    EXPECT_TRUE(can_read("must be rebuilt first"));
    row.warm_up = WarmUp::none;
    only(name, {12.0F, 11.0F, 12.0F, 12.0F, 13.0F}, 47.0);
    EXPECT_TRUE(can_read("5 warm runs, quartiles 12.00 to 12.00 ms:min 11.00, p50 12.00"));
    EXPECT_TRUE(can_read("Excludes the first, cold run: 47.00 ms"));
    EXPECT_FALSE(can_read("by itself"));
    row.warm_up = WarmUp::too_slow;
    frames(2);
    EXPECT_TRUE(can_read("more than 1 second. Repeat"));
    ImGui::GetIO().MousePos = {0, 0};
    row.warm_up = WarmUp::none;
  }
  only("sort", {12.0F});
  EXPECT_FALSE(can_read("cold")) << "it is one warm run";
}

// Until the variant that was chosen has run the time is the other one's, and says so.
TEST_F(Timings, ATimeOfTheVariantBeforeSaysWhoseItIs) {
  StageRow& sort = only("sort", {12.0F, 11.0F, 12.0F, 12.0F, 13.0F}, 47.0);
  const std::string ran = (*sort.result->variant)->title;
  sort.variant = find_variant(Primitive::sort, "library");
  frames(2);
  ASSERT_TRUE(
      finds_tooltip(panel(), "Times of " + ran + "; Vendor library has not run yet", 0.1F, 0.25F));
  sort.result.change().variant = sort.variant;
  frames(2);
  EXPECT_FALSE(can_read("library has not run yet"));
}

// Which stages run by themselves.
TEST(WarmUps, AreOfWhatIsFastEnoughAndChangesNothing) {
  Model model;
  model.results.change().moving = false;
  StageRow row;
  const auto says = [&](std::vector<float> warm, std::optional<double> cold, WarmUp expected) {
    row.result.change().milliseconds = std::move(warm);
    row.result.change().cold_ms = cold;
    const std::vector<double> times = row.result->times();
    row.result.change().least_ms =
        times.empty() ? 0.0 : *std::min_element(times.begin(), times.end());
    return warm_up_of(model, row) == expected;
  };
  const double cold = longest_at_rest.cold_ms;
  const auto limit = static_cast<float>(longest_at_rest.warm_ms);
  EXPECT_TRUE(says({}, {}, WarmUp::none)) << "it never ran";
  EXPECT_TRUE(says({}, 1.0, WarmUp::to_come));
  EXPECT_TRUE(says({}, cold, WarmUp::to_come));
  EXPECT_TRUE(says({}, 1.01 * cold, WarmUp::too_slow));
  EXPECT_TRUE(says({limit}, 9.0 * cold, WarmUp::to_come));
  EXPECT_TRUE(says({1.01F * limit}, {}, WarmUp::too_slow));
  EXPECT_TRUE(says({1.01F * limit, 1.0F}, {}, WarmUp::to_come)) << "the shortest decides";
  EXPECT_TRUE(says({1.0F, 1.0F, 1.0F, 1.0F}, 1.0, WarmUp::to_come));
  EXPECT_TRUE(says({1.0F, 1.0F, 1.0F, 1.0F, 1.0F}, 1.0, WarmUp::none));
  row.result.change().repeatable = false;
  EXPECT_TRUE(says({}, 1.0, WarmUp::none));
  row.result.change().repeatable = true;
  row.result.change().done_by = "build";
  EXPECT_TRUE(says({}, 1.0, WarmUp::none));
  row.result.change().done_by.clear();
  // Between frames there is little time.
  model.results.change().moving = true;
  const auto little = static_cast<float>(longest_between_frames.warm_ms);
  EXPECT_TRUE(says({}, longest_between_frames.cold_ms, WarmUp::to_come));
  EXPECT_TRUE(says({}, 1.01 * longest_between_frames.cold_ms, WarmUp::waits));
  EXPECT_TRUE(says({little}, cold, WarmUp::to_come));
  EXPECT_TRUE(says({1.01F * little}, cold, WarmUp::waits));
  EXPECT_TRUE(says({1.01F * limit}, cold, WarmUp::too_slow));
  model.playing = false;
  EXPECT_TRUE(says({1.01F * little}, cold, WarmUp::to_come));
  // And none of them may change what there is.
  row.result.change().repeats_alone = false;
  EXPECT_TRUE(says({}, 1.0, WarmUp::changes));
  row.every_frame = true;
  EXPECT_TRUE(says({}, 1.0, WarmUp::none));
}

// ---- Values under the mouse ---------------------------------------------------------------------

TEST(Histograms, CountEveryNumberOnce) {
  const auto sum = [](const Histogram& histogram) {
    std::size_t all = 0;
    for (const std::size_t count : histogram.counts) all += count;
    return all;
  };
  std::vector<double> even;
  for (int i = 0; i < 100; ++i) even.push_back(1.0 + 0.01 * i);
  const Histogram flat = histogram_of(even);
  EXPECT_EQ(sum(flat), 100U);
  EXPECT_EQ(flat.low, 1.0);
  EXPECT_EQ(flat.high, even.back());
  EXPECT_FALSE(flat.has_more);
  EXPECT_EQ(flat.counts.size(), 20U);
  for (const std::size_t count : flat.counts) EXPECT_NEAR(static_cast<double>(count), 5.0, 1.0);
  // Some that are far above do not squeeze the others into one part.
  even[3] = 50.0;
  even[4] = 60.0;
  const Histogram long_tailed = histogram_of(even);
  EXPECT_EQ(sum(long_tailed), 100U);
  EXPECT_TRUE(long_tailed.has_more);
  EXPECT_LT(long_tailed.high, 3.0);
  EXPECT_EQ(long_tailed.counts.back(), 2U);
  // Few, and all alike.
  EXPECT_EQ(histogram_of({1.0, 2.0, 3.0}).counts, (std::vector<std::size_t>{1, 0, 1, 0, 1}));
  EXPECT_EQ(histogram_of({4.0, 4.0}).counts, (std::vector<std::size_t>{2}));
  EXPECT_EQ(histogram_of({4.0}).counts, (std::vector<std::size_t>{1}));
}

// From five runs on, in the tooltip of a stage's time.
TEST_F(Timings, ATimesTooltipHasAHistogram) {
  only("sort", {1.0F, 1.0F, 1.0F, 1.0F});
  ASSERT_TRUE(finds_tooltip(panel(), "4 warm runs", 0.1F, 0.25F));
  const auto parts = [this] {  // its bars' corners
    std::size_t corners = 0;
    for (const ImGuiWindow* each : context_->Windows)
      if (each->Active && (each->Flags & ImGuiWindowFlags_Tooltip) != 0)
        corners += static_cast<std::size_t>(
            std::count_if(each->DrawList->VtxBuffer.begin(), each->DrawList->VtxBuffer.end(),
                          [](const ImDrawVert& corner) { return corner.col == colour::accent; }));
    return corners / 4;
  };
  EXPECT_EQ(parts(), 0U);
  only("sort", {1.0F, 1.25F, 1.5F, 1.75F, 2.0F});
  EXPECT_EQ(parts(), 5U);
  EXPECT_TRUE(can_read("1.000"));
  EXPECT_TRUE(can_read("2.000 ms"));
  only("sort", {3.0F, 3.0F, 3.0F, 3.0F, 3.0F});
  EXPECT_EQ(parts(), 1U);
}

TEST_F(Timings, CurvesTellTheValueUnderTheMouse) {
  std::vector<float> times(120, 2.0F);
  times[119] = 2.5F;
  times[0] = 1.5F;
  only("boxes", times);  // it has no variants, so there is room for its last times
  ASSERT_TRUE(finds_tooltip(panel(), "2.000 ms, ", 0.05F, 0.3F));
  EXPECT_TRUE(can_read("runs ago"));
  EXPECT_TRUE(goes_on_to("2.500 ms, the last run", 1.0F));
  EXPECT_TRUE(goes_on_to("1.500 ms, 119 runs ago", -1.0F));
  ImGui::GetIO().MousePos = {0, 0};

  std::vector<float> course(240, 81.5F);
  course.back() = 90.25F;
  model_.results.change().courses["bvh.sah_cost"] = course;
  set_size(1280, 2000);  // facts are below the controls
  frames(3);
  ASSERT_TRUE(finds_tooltip(window("Scene"), "81.5, ", 0.3F, 1.0F));
  EXPECT_TRUE(can_read("frames ago"));
  EXPECT_TRUE(goes_on_to("90.25, the last frame", 1.0F));
}

TEST_F(Timings, WhatTheDeviceSaysIsExplained) {
  const std::array<std::pair<const char*, const char*>, 5> explained = {
      {{"Total memory of the device", "Memory"},
       {"device-to-device memcpy", "Copy"},
       {"Device time of the last frame", "Kernels"},
       {"from the end of one frame to the end of the next, average", "Frame"},
       {"captured once and replayed", "Graph"}}};
  for (const auto& [words, label] : explained)
    EXPECT_TRUE(finds_tooltip(panel(), words, 0.0F, 0.12F)) << label;
  EXPECT_TRUE(can_read("compare counts, not speed"));
  model_.device.backend = Backend::cuda;
  frames(2);
  EXPECT_FALSE(can_read("not speed"));
  // What stands still has no frames.
  model_.results.change().moving = false;
  frames(2);
  EXPECT_TRUE(finds_tooltip(panel(), "OpenGL's time for the last picture", 0.0F, 0.12F));
}

// ---- Where clicks go ----------------------------------------------------------------------------

TEST_F(Timings, AStagesNameOpensTheLaboratoryOnItsPrimitive) {
  for (const auto& [name, primitive] :
       {std::pair{"sort", Primitive::sort}, {"bounds", Primitive::reduce}}) {
    state_.show_lab = false;
    frames(3);
    StageRow& row = stage(model_, name);
    row.variant = find_variant(primitive, "library");
    click("Timings", std::string(name) + "/" + row.result->title);
    frames(3);
    EXPECT_TRUE(state_.show_lab);
    EXPECT_EQ(model_.lab.question.primitive, primitive);
    EXPECT_EQ(state_.lab.variant, row.variant);
    EXPECT_EQ(find("Laboratory", "Counters")->on, true)
        << "as counts are what to compare on the cpu";
  }
  // A stage without variants has no laboratory.
  state_.show_lab = false;
  frames(3);
  EXPECT_TRUE(find("Timings", "upload/Repeat"));
  EXPECT_FALSE(find("Timings", "upload/Upload"));
}

TEST_F(Timings, AStageOfTheMeshIsWatched) {
  EXPECT_FALSE(find("Timings", "dedup/Watch")) << "only of stages that work on the mesh";
  StageRow& row = stage(model_, "dedup");
  row.result.change().of_mesh = true;
  frames(3);
  click("Timings", "dedup/Watch");
  const request::Watch* const asked = model_.requests.find<request::Watch>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->stage, "dedup");
  row.variant = find_variant(Primitive::dedup, "match_any");
  frames(3);
  EXPECT_FALSE(find("Timings", "dedup/Watch")->enabled) << "the CPU does not run it";
}

TEST_F(Timings, APathOpensItsCode) {
  const StageRow& row = stage(model_, "build");
  const std::string path = (*row.variant)->file;
  click("Timings", "build/" + path);
  frames(3);
  EXPECT_TRUE(state_.show_lab);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::build);
  EXPECT_EQ(state_.lab.variant, row.variant);
  EXPECT_EQ(find("Laboratory", "Code")->on, true);
  EXPECT_EQ(state_.lab.file, path);
}

}  // namespace
}  // namespace warpview
