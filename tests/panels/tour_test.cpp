// The tour: its steps point at widgets that are there, whatever was folded, and wait for the user.
#include "app/panels/tour.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/panels/hands.h"

namespace warpview {
namespace {

class Tour : public HandsTest {
 protected:
  Tour() {
    stage(model_, "sort").result.change().of_mesh = true;
    frames(2);
  }

  void begin(std::size_t step = 0) {
    run_command(Command::tour, model_, state_);
    frames(2);
    for (std::size_t i = 0; i < step; ++i) {
      click("Tour", "Skip");
      frames(4);  // the card has its new place
    }
    frames(2);
  }
  ImRect ring_of(const ui::WidgetRecord& widget) { return {widget.from, widget.to}; }
  // Is an icon in the accent's colour drawn at the button Compare?
  bool draws_compare() {
    const auto button = find("Timings", "sort/Compare");
    if (!button) return false;
    for (const ImGuiWindow* each : context_->Windows) {
      if (!each->Active || each->RootWindow != window("Timings")) continue;
      for (const ImDrawVert& vertex : each->DrawList->VtxBuffer)
        if (vertex.col == ImU32{colour::accent} && ring_of(*button).Contains(vertex.pos))
          return true;
    }
    return false;
  }
};

// In all sizes, and with all panels hidden.
TEST_F(Tour, PointsAtWidgetsThatAreThere) {
  for (const ImVec2 size :
       {ImVec2(1280, 800), ImVec2(1600, 900), ImVec2(900, 600), ImVec2(560, 420)})
    for (const bool hidden : {false, true})
      for (std::size_t step = 0; step < tour_steps().size(); ++step) {
        const TourStep& row = tour_steps()[step];
        SCOPED_TRACE(std::to_string(static_cast<int>(size.x)) + " " + row.title);
        set_size(static_cast<int>(size.x), static_cast<int>(size.y));
        state_.show_scene = state_.show_timings = !hidden;
        state_.folded = hidden;
        state_.show_lab = hidden;
        state_.tour = {};
        frames(3);
        begin(step);
        ASSERT_EQ(state_.tour.step, step);
        const auto widget = find(row.widget.window, row.widget.name);
        ASSERT_TRUE(widget) << row.widget.window << "/" << row.widget.name;
        ASSERT_NE(ui::found(), nullptr);
        EXPECT_TRUE(ui::found()->visible);
        if (std::string_view(widget->kind) == "view") continue;
        EXPECT_GT(widget->to.y - widget->from.y, 10.0F);
        EXPECT_FALSE(window("Tour")->Rect().Overlaps(ring_of(*widget)));
      }
}

// Compare shows in a row that is pointed at, and while the tour points at it.
TEST_F(Tour, ShowsWhatItPointsAt) {
  begin(2);
  EXPECT_FALSE(draws_compare());
  click("Tour", "Skip");
  hands_.move(2.0, 2.0);
  see();
  frames(4);
  ASSERT_EQ(state_.tour.step, 3U);
  EXPECT_TRUE(draws_compare());
  state_.tour = {};
  frames(2);
  EXPECT_FALSE(draws_compare());
}

// It follows the widget when the window is another size.
TEST_F(Tour, FollowsTheWidget) {
  begin(2);
  const auto before = find("Timings", "sort/variant");
  set_size(1600, 500);
  frames(4);
  const auto after = find("Timings", "sort/variant");
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->from.x, after->from.x);
  ASSERT_NE(ui::found(), nullptr);
  EXPECT_EQ(ui::found()->from.x, after->from.x);
}

TEST_F(Tour, WaitsUntilTheModelIsTurned) {
  begin();
  frames(10);
  EXPECT_FALSE(state_.tour.done);
  EXPECT_TRUE(find("Tour", "Skip"));
  const Area view = state_.view;
  drag({view.x + 0.5F * view.width, view.y + 0.4F * view.height}, 80.0);
  frames(2);
  EXPECT_TRUE(state_.tour.done);
  EXPECT_EQ(state_.tour.step, 0U);
  click("Tour", "Next");
  EXPECT_EQ(state_.tour.step, 1U);
  EXPECT_FALSE(state_.tour.done);
}

TEST_F(Tour, WaitsUntilSomethingElseIsPicked) {
  model_.picked = {{.name = "pick.triangle", .title = "Triangle", .value = std::uint64_t{7}}};
  begin(1);
  EXPECT_FALSE(state_.tour.done);
  model_.picked.clear();
  frames(2);
  EXPECT_FALSE(state_.tour.done);
  model_.picked = {{.name = "pick.triangle", .title = "Triangle", .value = std::uint64_t{8}}};
  frames(2);
  EXPECT_TRUE(state_.tour.done);
}

TEST_F(Tour, WaitsUntilAnotherVariantHasRun) {
  begin(2);
  click("Timings", "sort/variant");
  frames(2);
  click("##Combo_00", "sort/onesweep");
  frames(3);
  EXPECT_STREQ((*stage(model_, "sort").variant)->name, "onesweep");
  EXPECT_FALSE(state_.tour.done) << "it has yet to run";
  stage(model_, "sort").result.change().variant = stage(model_, "sort").variant;
  frames(2);
  EXPECT_TRUE(state_.tour.done);
}

TEST_F(Tour, WaitsUntilAComparisonHasEnded) {
  begin(3);
  click("Timings", "sort/Compare");
  ASSERT_NE(model_.requests.find<request::Compare>(), nullptr);
  Comparison& now = model_.results.change().comparison;
  now.number = 1;
  now.stage = "sort";
  now.under_way = true;
  for (const VariantId each : stage(model_, "sort").variants)
    now.variants.push_back({.variant = each, .milliseconds = {2.0F, 2.0F, 2.0F}});
  now.chosen = stage(model_, "sort").variant;
  frames(2);
  EXPECT_FALSE(state_.tour.done);
  model_.results.change().comparison.under_way = false;
  model_.results.change().comparison.cancelled = true;
  frames(2);
  EXPECT_FALSE(state_.tour.done);
  model_.results.change().comparison.number = 2;
  model_.results.change().comparison.cancelled = false;
  stage(model_, "sort").compared = model_.results->comparison;  // as the session does
  frames(8);
  EXPECT_TRUE(state_.tour.done);
  ASSERT_NE(ui::found(), nullptr) << "the table";
  EXPECT_TRUE(ui::found()->visible);
}

// A result comes without an event: frames follow until the card is where it stays. A button that
// moves when the mouse comes is missed.
TEST_F(Tour, TheCardIsInItsPlaceOnceNoFrameFollows) {
  begin(3);
  frames(10);
  Comparison& now = model_.results.change().comparison;
  now.number = 1;
  now.stage = "sort";
  for (const VariantId each : stage(model_, "sort").variants)
    now.variants.push_back({.variant = each, .milliseconds = {2.0F, 2.0F, 2.0F}});
  now.chosen = stage(model_, "sort").variant;
  stage(model_, "sort").compared = model_.results->comparison;
  const Area before = state_.tour.card;
  int more = 0;
  do {
    frames(1);
  } while (state_.animates && ++more < 20);
  EXPECT_LT(more, 20);
  ASSERT_TRUE(state_.tour.done);
  const Area settled = state_.tour.card;
  EXPECT_FALSE(settled == before);
  frames(5);
  EXPECT_TRUE(state_.tour.card == settled);
}

TEST_F(Tour, CanBeSkippedGoneBackInAndEnded) {
  begin(2);
  click("Tour", "Back");
  EXPECT_EQ(state_.tour.step, 1U);
  click("Tour", "End tour");
  EXPECT_FALSE(state_.tour.step);
  begin(4);
  click("Tour", "Skip");
  EXPECT_FALSE(state_.tour.step);
  begin(1);
  run_command(Command::close_dialog, model_, state_);
  EXPECT_FALSE(state_.tour.step);
}

// It needs the first kind of scene.
TEST_F(Tour, OpensItsScene) {
  model_.scene_kind = &scene_kinds()[3];
  begin();
  const auto* const opened = model_.requests.find<request::Open>();
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->scene.scene, scene_kinds().front().name);
  EXPECT_FALSE(state_.tour.mark);
}

}  // namespace
}  // namespace warpview
