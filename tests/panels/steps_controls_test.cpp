// What is pressed and chosen in the Steps tab, and what of it ends with a recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "app/panels/step_player.h"
#include "app/panels/step_stack.h"
#include "app/step_views/names.h"
#include "app/step_views/view.h"
#include "tests/panels/steps_tab.h"

namespace warpview {
namespace {

class StepsControls : public StepsTab {
 protected:
  // Chooses of a list.
  void choose(const std::string& list, const std::string& item) {
    click("Laboratory", list);
    ImGui::GetIO().MousePos = place(popup()->Name, item);
    frames(2);
    click_here();
    ImGui::GetIO().MousePos = {1.0F, 1.0F};
    frames(2);
  }
  RecordingQuestion asked() {
    frames(3);
    const request::Record* const found = model_.requests.find<request::Record>();
    if (found == nullptr) throw std::logic_error("no recording is asked for");
    return found->asked;
  }
  StepPlayer& player() { return state_.lab.steps.player; }
  // The first corner of the shape of that name in the view of lanes; none: it is not drawn.
  std::optional<PlotVertex> corner_of(const std::string& name) {
    const auto& views = model_.lab.steps.shown[0].run->views;
    for (std::size_t i = 0; i < views.size(); ++i)
      if (views[i].row->name == std::string("lanes"))
        for (const PlotShape& shape : state_.lab.steps.stacks[0].views[i].drawing.shapes)
          if (shape.name == name) return shape.vertices.front();
    return {};
  }
  void point_at(const std::string& name) {
    const auto corner = corner_of(name);
    ASSERT_TRUE(corner);
    for (const ui::WidgetRecord& each : widgets())
      if (each.name == "lanes/lanes")
        ImGui::GetIO().MousePos = {each.from.x + corner->x + 2.0F, each.from.y + corner->y + 2.0F};
    frames(3);
  }
};

TEST_F(StepsControls, CancelIsPressedOnce) {
  open_recording();
  model_.lab.steps.seed = 1;
  model_.lab.steps.recording = 0;
  model_.lab.steps.building = "step 3 of 20";
  frames(2);
  EXPECT_TRUE(can_read("step 3 of 20"));
  EXPECT_TRUE(state_.animates);
  EXPECT_FALSE(find("Laboratory", "Record"));
  click("Laboratory", "Cancel");
  EXPECT_TRUE(model_.requests.find<request::CancelRecording>());
  model_.lab.steps.cancelling = true;
  EXPECT_FALSE(find("Laboratory", "Cancelling...")->enabled);
  EXPECT_TRUE(can_read("Step 0 of 15")) << "what was there stays";
}

TEST_F(StepsControls, RecordTriesAgainWhatFailed) {
  open_recording();
  model_.lab.steps.seed = 1;
  const RecordingQuestion failed = asked();
  model_.requests.take();
  model_.lab.steps.shown[0].given_up = failed;
  frames(2);
  ASSERT_FALSE(model_.requests.find<request::Record>());
  click("Laboratory", "Record");
  EXPECT_EQ(asked(), failed);
  model_.requests.take();
  model_.lab.steps.seed = 0;
  frames(2);
  EXPECT_FALSE(find("Laboratory", "Record")->enabled) << "it is there";
}

TEST_F(StepsControls, WrongNumbersRecordNothingElse) {
  open_recording();
  std::string many;
  for (std::size_t i = 0; i <= lab::most_typed; ++i) many += "1 ";
  model_.lab.steps.seed = 1;
  for (const std::string& wrong : {std::string("8 one"), std::string("8x"), many}) {
    model_.lab.steps.typed.at(static_cast<std::size_t>(Primitive::scan)) = wrong;
    frames(3);
    EXPECT_FALSE(model_.requests.find<request::Record>()) << wrong;
    EXPECT_FALSE(find("Laboratory", "Record")->enabled) << wrong;
  }
}

TEST_F(StepsControls, WaitWhileTheLaboratoryMeasures) {
  open_recording();
  model_.lab.steps.seed = 1;
  model_.lab.state = LabModel::State::measuring;
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Record>());
  EXPECT_FALSE(find("Laboratory", "Record")->enabled);
  model_.lab.state = LabModel::State::idle;
  EXPECT_EQ(asked().seed, 1U);
}

TEST_F(StepsControls, ChooseTheVariantAndTheSchedule) {
  open_recording();
  choose("variant", "lookback");
  EXPECT_EQ(asked().variant, find_variant(Primitive::scan, "lookback"));
  model_.requests.take();
  choose("interleave", "preempt every ~16 accesses");
  EXPECT_EQ(asked().interleave, 16U);
  model_.requests.take();
  choose("warp", "64 lanes");
  EXPECT_EQ(asked().warp_size, 64U);
  model_.requests.take();
  // By a drag, which is one recording at its end.
  ImGui::GetIO().MousePos = place("Laboratory", "seed");
  frames(2);
  ImGui::GetIO().MouseDown[0] = true;
  frames(2);
  model_.requests.take();
  frames(3);
  EXPECT_NE(model_.lab.steps.seed, 0U);
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "it is still held";
  ImGui::GetIO().MouseDown[0] = false;
  EXPECT_EQ(asked().seed, model_.lab.steps.seed);
  // What only another device has is not recorded.
  const std::vector<VariantId> all = variants();
  const auto elsewhere = std::find_if(all.begin(), all.end(),
                                      [](VariantId variant) { return !variant->available.cpu; });
  ASSERT_NE(elsewhere, all.end());
  model_.lab.question = {.primitive = (*elsewhere)->primitive};
  state_.lab.variant = *elsewhere;
  model_.requests.take();
  EXPECT_EQ(asked().variant, default_variant((*elsewhere)->primitive, Backend::cpu));
}

TEST_F(StepsControls, ItemsAreOfEachPrimitive) {
  open_recording();
  model_.lab.steps.items[static_cast<std::size_t>(Primitive::scan)] = 512;
  EXPECT_EQ(asked().question.n, 512U);
  model_.requests.take();
  ImGui::GetIO().MousePos = place("Laboratory", "items");
  frames(2);
  click_here();
  frames(2);
  const std::uint32_t dragged = model_.lab.steps.items[static_cast<std::size_t>(Primitive::scan)];
  EXPECT_NE(dragged, 512U);
  EXPECT_EQ(asked().question.n, dragged);
  model_.requests.take();
  model_.lab.question.primitive = Primitive::sort;
  EXPECT_EQ(asked().question.n, 64U);
}

TEST_F(StepsControls, GeneratedNumbersComeBack) {
  open_recording();
  choose("examples", "8 1 7 4 6 3 5 2");
  EXPECT_EQ(asked().question.n, 8U);
  choose("examples", "generated numbers");
  EXPECT_EQ(find("Laboratory", "typed")->text, "");
}

TEST_F(StepsControls, CompareWithASeedOrAVariant) {
  open_recording();
  const VariantId own = default_variant(Primitive::scan, Backend::cpu);
  choose("comparison", std::string(own->title) + ", seed 1");
  EXPECT_EQ(asked().variant, own);
  EXPECT_EQ(asked().seed, 1U);
  model_.requests.take();
  choose("comparison", "lookback");
  EXPECT_EQ(asked().variant, find_variant(Primitive::scan, "lookback"));
  EXPECT_EQ(asked().seed, 0U);
  playback().seek(4);
  record(1, 8);
  EXPECT_EQ(playback(1).at(), 4U) << "it joins the first";
  EXPECT_TRUE(can_read("Left:"));
  EXPECT_TRUE(can_read("Right:"));
  choose("comparison", "nothing");
  frames(2);
  EXPECT_EQ(model_.lab.steps.shown[1].run, nullptr);
  EXPECT_EQ(state_.lab.steps.difference, std::nullopt);
  // A variant of another primitive is nothing to compare with.
  choose("comparison", "lookback");
  model_.lab.question.primitive = Primitive::sort;
  frames(2);
  EXPECT_FALSE(state_.lab.steps.comparison);
}

TEST_F(StepsControls, TheFirstDifferencePauses) {
  open_recording();
  state_.lab.steps.comparison = {.variant = find_variant(Primitive::scan, "lookback"), .seed = 0};
  record(1, 8);
  player().playing = true;
  player().speed = StepPlayer::slowest;
  click("Laboratory", "First difference");
  EXPECT_EQ(playback(1).at(), 12U);
  EXPECT_FALSE(player().playing);
}

TEST_F(StepsControls, TheLeftMovesAlone) {
  open_recording();
  state_.lab.steps.comparison = {.variant = find_variant(Primitive::scan, "lookback"), .seed = 0};
  record(1);
  EXPECT_FALSE(find("Laboratory", "No difference")->enabled);
  click("Laboratory", ">");
  EXPECT_EQ(playback(1).at(), 1U);
  click("Laboratory", "moving/left");
  click("Laboratory", ">");
  EXPECT_EQ(playback(0).at(), 2U);
  EXPECT_EQ(playback(1).at(), 1U);
  // Each column draws its own.
  EXPECT_EQ(state_.lab.steps.stacks[0].run, model_.lab.steps.shown[0].run.get());
  EXPECT_EQ(state_.lab.steps.stacks[1].run, model_.lab.steps.shown[1].run.get());
}

TEST_F(StepsControls, ANewRecordingBeginsAnew) {
  open_recording();
  click("Laboratory", ">");
  playback().seek(4);
  after('M');
  EXPECT_EQ(player().bookmarks, std::vector<std::size_t>{4});
  point_at(step_views::lane_name(0, 1));
  click_here();
  EXPECT_EQ(state_.lab.steps.gaze.pinned, step_views::lane_name(0, 1));
  player().playing = true;
  player().speed = StepPlayer::slowest;
  model_.lab.steps.seed = 1;
  record();
  EXPECT_TRUE(player().bookmarks.empty());
  EXPECT_FALSE(player().playing);
  EXPECT_EQ(state_.lab.steps.gaze.pinned, "");
  // Where the command line wants it to.
  state_.lab.steps.begin_at = 7;
  model_.lab.steps.seed = 2;
  record();
  EXPECT_EQ(playback().at(), 7U);
  model_.lab.steps.seed = 3;
  record();
  EXPECT_EQ(playback().at(), 0U) << "once";
}

TEST_F(StepsControls, WhatIsWrongWithTheRunIsSaid) {
  open_recording();
  EXPECT_FALSE(can_read("Wrong result"));
  PlayedRun& run = *model_.lab.steps.shown[0].run;
  run.difference = "out[3] is 7";
  run.no_lines = "no debug information";
  frames(2);
  EXPECT_TRUE(can_read("Wrong result: out[3] is 7"));
  EXPECT_TRUE(can_read("No source lines: no debug information"));
}

TEST_F(StepsControls, ButtonsDoAsTheirKeys) {
  open_recording();
  click("Laboratory", "barrier/>");
  EXPECT_EQ(playback().at(), 11U);
  click("Laboratory", "publish/>");
  EXPECT_EQ(playback().at(), 12U);
  click("Laboratory", "publish/>");
  EXPECT_EQ(playback().at(), 15U);
  click("Laboratory", "barrier/<");
  EXPECT_EQ(playback().at(), 14U);
  for (const char* const none : {"conflict/<", "conflict/>"})
    EXPECT_FALSE(find("Laboratory", none)->enabled);
  EXPECT_TRUE(find("Laboratory", "launch/<")->enabled);
  playback().seek(4);  // block 0 reads
  click("Laboratory", "block >");
  EXPECT_EQ(playback().at(), 6U);
  click("Laboratory", "< block");
  EXPECT_EQ(playback().at(), 4U);
  click("Laboratory", "Bookmark");
  EXPECT_EQ(player().bookmarks, std::vector<std::size_t>{4});
  click("Laboratory", "Remove");
  EXPECT_TRUE(player().bookmarks.empty());
  click("Laboratory", "|<");
  EXPECT_EQ(playback().at(), 0U);
}

TEST_F(StepsControls, TheScrubberSeeksAndPauses) {
  open_recording();
  player().playing = true;
  player().speed = StepPlayer::slowest;
  ImGui::GetIO().MousePos = place("Laboratory", "scrubber");
  frames(2);
  EXPECT_TRUE(can_read("Step 8") || can_read("Step 7")) << "where a click would go";
  EXPECT_EQ(playback().at(), 0U);
  click_here();
  EXPECT_NEAR(static_cast<double>(playback().at()), 7.5, 0.6);
  EXPECT_FALSE(player().playing);
}

TEST_F(StepsControls, KeysPauseButNotABookmark) {
  open_recording();
  click("Laboratory", ">");
  player().playing = true;
  player().speed = StepPlayer::slowest;
  after('M');
  EXPECT_TRUE(player().playing);
  after(ImGuiKey_RightArrow);
  EXPECT_FALSE(player().playing);
}

TEST_F(StepsControls, KeysOfOthersAreNotTaken) {
  open_recording();
  click("Laboratory", ">");
  ImGui::GetIO().KeyCtrl = true;
  EXPECT_EQ(after(ImGuiKey_RightArrow), 1U);
  ImGui::GetIO().KeyCtrl = false;
  ImGui::GetIO().KeyAlt = true;
  EXPECT_EQ(after(ImGuiKey_RightArrow), 1U);
  ImGui::GetIO().KeyAlt = false;
  click("Laboratory", "typed");
  EXPECT_EQ(after(ImGuiKey_RightArrow), 1U) << "the cursor in the text";
  press(ImGuiKey_Escape);
  click("Laboratory", ">");
  EXPECT_EQ(playback().at(), 2U);
  click("Laboratory", "variant");
  ASSERT_NE(popup(), nullptr);
  EXPECT_EQ(after(ImGuiKey_End), 2U) << "a list is open";
}

TEST_F(StepsControls, ViewsShowTheActingOrTheChosenBlock) {
  open_recording();
  using step_views::lane_name;
  playback().seek(5);  // block 1 reads
  frames(2);
  EXPECT_TRUE(corner_of(lane_name(1, 0)));
  EXPECT_FALSE(corner_of(lane_name(0, 0)));
  choose("block", "block 0");
  EXPECT_TRUE(corner_of(lane_name(0, 0)));
  EXPECT_FALSE(corner_of(lane_name(1, 0)));
  choose("block", "running block");
  EXPECT_TRUE(corner_of(lane_name(1, 0)));
  playback().seek(0);
  frames(2);
  EXPECT_TRUE(can_read("Before the first launch"));
  EXPECT_EQ(focus_of(playback()).block, 0U);
}

TEST_F(StepsControls, WhatIsPinnedIsOutlinedUntilASecondClick) {
  open_recording();
  playback().seek(4);
  frames(2);
  const auto drawn = [this] {
    ImGui::GetIO().MousePos = {1.0F, 1.0F};
    frames(3);
    int vertices = 0;
    for (const ImGuiWindow* each : context_->Windows)
      if (each->Active && !each->Hidden) vertices += each->DrawList->VtxBuffer.Size;
    return vertices;
  };
  const int plain = drawn();
  point_at(step_views::lane_name(0, 2));
  click_here();
  EXPECT_GT(drawn(), plain);
  point_at(step_views::lane_name(0, 2));
  click_here();
  EXPECT_EQ(drawn(), plain);
  EXPECT_EQ(state_.lab.steps.gaze.name(), "");
}

TEST(StepStack, FindsTextsWhereTheyStand) {
  ImGuiContext* const context = ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().DisplaySize = {100.0F, 100.0F};
  ImGui::GetIO().Fonts->Build();
  ImGui::NewFrame();
  using Align = PlotShape::Align;
  for (const auto& [align, left, right] :
       {std::tuple{Align::left, false, true}, {Align::right, true, false}}) {
    std::vector<PlotShape> shapes(1);
    shapes[0] = {
        .kind = PlotShape::Kind::text, .vertices = {{50, 0}}, .words = "wide", .name = "text"};
    shapes[0].align = align;
    EXPECT_EQ(shape_at(shapes, {40, 5}, 10.0F) != nullptr, left);
    EXPECT_EQ(shape_at(shapes, {60, 5}, 10.0F) != nullptr, right);
    shapes[0].align = Align::middle;
    EXPECT_NE(shape_at(shapes, {40, 5}, 10.0F), nullptr);
    EXPECT_EQ(shape_at(shapes, {70, 5}, 10.0F), nullptr);
    // What has no name hides nothing.
    shapes.push_back(shapes[0]);
    shapes[1].name.clear();
    EXPECT_EQ(shape_at(shapes, {50, 5}, 10.0F), &shapes[0]);
  }
  ImGui::EndFrame();
  ImGui::DestroyContext(context);
}

// Arrays are compared by their names, launches by their shapes.
TEST(PlayedRun, DiffersByArraysLanesAndLaunches) {
  const PlayedRun run(small_recording());
  const auto difference = [&run](auto change) {
    auto other = std::make_shared<Recording>(*small_recording());
    change(*other);
    return first_difference(run, PlayedRun(other));
  };
  EXPECT_EQ(difference([](Recording& r) { r.arrays[1].name = "results"; }), 12U);
  EXPECT_EQ(difference([](Recording& r) { r.events.back().thread = 1; }), 15U);
  EXPECT_EQ(difference([](Recording& r) { r.launches[0].grid[0] = 3; }), 1U);
  EXPECT_EQ(difference([](Recording& r) { r.launches[0].kernel = "another"; }), std::nullopt);
}

// A shorter run waits at its end for the other, whichever leads.
TEST(StepPlayer, PlaysTwoToTheEndOfTheLonger) {
  auto shorter = std::make_shared<Recording>(*small_recording());
  shorter->events.resize(shorter->events.size() - 2);  // the last step
  PlayedRun brief(shorter);
  PlayedRun whole(small_recording());
  for (const std::array<PlayedRun*, 2>& runs : {std::array{&brief, &whole}, {&whole, &brief}}) {
    StepPlayer player;
    act(StepKey::last, false, player, runs);
    EXPECT_EQ(brief.playback.at(), 14U);
    EXPECT_EQ(whole.playback.at(), 15U);
    act(StepKey::left, false, player, runs);
    EXPECT_EQ(whole.playback.at(), 14U);
    act(StepKey::right, false, player, runs);
    EXPECT_EQ(whole.playback.at(), 15U);
    act(StepKey::first, false, player, runs);
    player.toggle(runs);
    player.speed = 10.0;
    for (int i = 0; i < 7; ++i) player.pass(runs, 0.2);
    EXPECT_EQ(whole.playback.at(), 14U);
    EXPECT_TRUE(player.playing);
    player.pass(runs, 0.2);
    EXPECT_EQ(whole.playback.at(), 15U);
    EXPECT_FALSE(player.playing);
  }
}

TEST(StepPlayer, KeepsBookmarksInOrder) {
  StepPlayer player;
  for (const std::size_t position : {5U, 2U, 9U, 2U, 7U}) player.toggle_bookmark(position);
  EXPECT_EQ(player.bookmarks, (std::vector<std::size_t>{5, 7, 9}));
}

}  // namespace
}  // namespace warpview
