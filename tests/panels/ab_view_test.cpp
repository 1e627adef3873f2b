// A|B in the view: the divider, the card, its keys and its items.
#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/parts.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class AbViewTest : public PanelTest {
 protected:
  AbViewTest() {
    model_ = loaded_model();
    frames(2);
  }
  // As the session does once the picture is there.
  void keep() {
    ASSERT_TRUE(model_.requests.find<request::KeepPicture>());
    model_.requests.drop<request::KeepPicture>();
    model_.a.is_there = true;
    frames(3);
  }
  void compare() {
    run_command(Command::compare_ab, model_, state_);
    keep();
  }
};

TEST_F(AbViewTest, OneKeyPinsShowsAndHides) {
  EXPECT_EQ(ab_misses(model_), "Nothing is pinned as A.");
  run_command(Command::compare_ab, model_, state_);
  EXPECT_TRUE(model_.pinned);
  EXPECT_FALSE(find("A|B", "Hide")) << "the picture of A is not there yet";
  EXPECT_NE(ab_misses(model_), "");
  keep();
  EXPECT_EQ(ab_misses(model_), "");
  EXPECT_EQ(model_.ab.mode, AbView::Mode::divided);
  EXPECT_TRUE(find("A|B", "Hide"));
  EXPECT_TRUE(find("##divider of A|B", "Divider"));

  run_command(Command::next_ab, model_, state_);
  EXPECT_EQ(model_.ab.mode, AbView::Mode::difference);
  EXPECT_FALSE(find("##divider of A|B", "Divider"));
  run_command(Command::next_ab, model_, state_);
  EXPECT_EQ(model_.ab.mode, AbView::Mode::only_a);
  run_command(Command::next_ab, model_, state_);
  EXPECT_EQ(model_.ab.mode, AbView::Mode::divided);
  run_command(Command::swap_ab, model_, state_);
  EXPECT_TRUE(model_.ab.swapped);

  run_command(Command::compare_ab, model_, state_);
  EXPECT_FALSE(model_.shows_a());
  EXPECT_TRUE(model_.pinned) << "hidden, not forgotten";
  EXPECT_FALSE(find("A|B", "Hide"));
  run_command(Command::compare_ab, model_, state_);
  EXPECT_TRUE(model_.shows_a());
  EXPECT_FALSE(model_.requests.find<request::KeepPicture>()) << "A is as it was";
}

TEST_F(AbViewTest, TheDividerIsDragged) {
  compare();
  const auto bar = find("##divider of A|B", "Divider");
  ASSERT_TRUE(bar);
  EXPECT_EQ(bar->value, 50.0);
  const Area& view = state_.view;
  ImGui::GetIO().MousePos = place("##divider of A|B", "Divider");
  frames(2);
  ImGui::GetIO().MouseDown[0] = true;
  frames(2);
  const auto drag_to = [&](float x) {
    ImGui::GetIO().MousePos.x = x;
    frames(2);
  };
  drag_to(view.x + 0.2F * view.width);
  EXPECT_NEAR(model_.ab.divider, 0.2F, 0.01F);
  drag_to(view.x - 100.0F);
  EXPECT_EQ(model_.ab.divider, 0.0F);
  drag_to(view.x + 2.0F * view.width);
  EXPECT_EQ(model_.ab.divider, 1.0F);
  drag_to(view.x + 0.7F * view.width);
  ImGui::GetIO().MouseDown[0] = false;
  frames(2);
  EXPECT_NEAR(model_.ab.divider, 0.7F, 0.01F);
  EXPECT_TRUE(model_.is_of_a(0.69F));
  EXPECT_FALSE(model_.is_of_a(0.71F));
  model_.ab.swapped = true;
  EXPECT_FALSE(model_.is_of_a(0.69F));
  EXPECT_TRUE(model_.is_of_a(0.71F));
}

// Which is black in either theme.
TEST_F(AbViewTest, AxesHaveAGroundOverADifference) {
  compare();
  const auto has_ground = [this] {
    frames(2);
    return (window("##axes")->Flags & ImGuiWindowFlags_NoBackground) == 0;
  };
  EXPECT_FALSE(has_ground());
  model_.ab.mode = AbView::Mode::difference;
  EXPECT_TRUE(has_ground());
  model_.ab.mode = AbView::Mode::only_a;
  EXPECT_FALSE(has_ground());
}

// It would be seen through the card.
TEST_F(AbViewTest, TheDividerEndsAtTheCard) {
  compare();
  const Area& view = state_.view;
  const auto bottom_at = [&](float share) {
    model_.ab.divider = share;
    frames(2);
    const auto bar = find("##divider of A|B", "Divider");
    return bar ? bar->to.y : 0.0F;
  };
  const float bottom = view.y + view.height;
  EXPECT_NEAR(bottom_at(0.5F), bottom - state_.ab_height, 1.0F);
  EXPECT_NEAR(bottom_at(0.02F), bottom, 1.0F) << "beside the card";
}

// Which side is A can be read wherever the divider is.
TEST_F(AbViewTest, ItsLettersAreBelowTheLegendAndTheAxes) {
  model_.results.change().legends = {{.title = "Depth of the leaf", .most = 31.0}};
  model_.behind_ms = 500.0;
  compare();
  const char* const divider = "##divider of A|B";
  const auto top_at = [&](float share) {
    model_.ab.divider = share;
    frames(2);
    const std::vector<ImVec2> letters = places_of(divider, 'A');
    EXPECT_EQ(letters.size(), 1U);
    return letters.empty() ? 0.0F : letters[0].y;
  };
  const float top = top_at(0.5F);
  EXPECT_GT(top, window("##legend")->Rect().Max.y);
  EXPECT_GT(top, window("##axes")->Rect().Max.y);
  EXPECT_GT(top, window("##lag")->Rect().Max.y);
  EXPECT_LT(top, state_.view.y + 0.5F * state_.view.height);
  EXPECT_EQ(top_at(0.1F), top) << "they stay at their height";
  EXPECT_EQ(top_at(0.95F), top);
}

TEST_F(AbViewTest, WithoutASceneItSaysWhatIsMissing) {
  model_.scene_name.clear();
  run_command(Command::compare_ab, model_, state_);
  EXPECT_FALSE(model_.pinned);
  ASSERT_FALSE(model_.messages.empty());
  EXPECT_EQ(model_.messages.back().kind, Message::Kind::info);
}

TEST_F(AbViewTest, TheCardChoosesAndTells) {
  compare();
  EXPECT_TRUE(can_read("A and B have the same settings"));
  model_.controls.set("waves=5");
  model_.show.shadows = !model_.show.shadows;
  frames(2);
  EXPECT_TRUE(can_read("and 1 more"));
  click("A|B", "Swap");
  EXPECT_TRUE(model_.ab.swapped);
  click("A|B", "view/Difference");
  EXPECT_EQ(model_.ab.mode, AbView::Mode::difference);
  EXPECT_FALSE(find("A|B", "Swap")->enabled);
  EXPECT_TRUE(can_read("Comparing..."));
  model_.difference = PictureDifference{.share = 0.032, .largest = 57};
  frames(2);
  EXPECT_TRUE(can_read("black: equal"));
  EXPECT_TRUE(can_read("full colour: 32 of 255 or more"));
  EXPECT_TRUE(can_read("3.20 % of the pixels differ, by 57 of 255 at most"));
  EXPECT_EQ(find("A|B", "amplified")->value, 8.0);
  model_.ab.gain = 1;
  frames(2);
  EXPECT_TRUE(can_read("full colour: 255 of 255"));
  click("A|B", "view/A alone");
  EXPECT_EQ(model_.ab.mode, AbView::Mode::only_a);
  for (const ui::WidgetRecord& each : widgets())
    if (each.window == "A|B") {
      EXPECT_NE(each.about, "") << each.name;
    }
  click("A|B", "Hide");
  EXPECT_FALSE(model_.shows_a());
}

TEST_F(AbViewTest, AStandsAtItsTime) {
  compare();
  model_.a.moves = true;
  model_.a.seconds = 1.5;
  model_.results.change().seconds = 2.25;
  frames(2);
  EXPECT_TRUE(can_read("A stands at 1.50 s, B is at 2.25 s"));
}

TEST_F(AbViewTest, TheMenuHasAll) {
  const auto row = [this](const std::string& label) {
    for (const Action& each : menu_actions(model_, state_))
      if (each.label == label && each.path == std::vector<std::string>{"View", "A|B"}) return each;
    ADD_FAILURE() << label;
    return Action{};
  };
  EXPECT_EQ(row("Difference").why_not, "Nothing is pinned as A.");
  EXPECT_EQ(row("Unpin").why_not, "Nothing is pinned as A.");
  EXPECT_EQ(row("Show A beside B").keys, "B");
  row("Show A beside B").act();
  keep();
  row("Difference").act();
  EXPECT_EQ(model_.ab.mode, AbView::Mode::difference);
  EXPECT_EQ(row("Difference").on, true);
  model_.controls.set("waves=5");
  row("Go back to A").act();
  EXPECT_TRUE(model_.controls == model_.pinned->controls);
  row("Unpin").act();
  EXPECT_FALSE(model_.pinned);
}

}  // namespace
}  // namespace warpview
