// Welcome, the gallery and their cards.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

using Form = WelcomeView::Form;

class Welcome : public PanelTest {
 protected:
  Welcome() {
    model_ = loaded_model();
    frames(3);
  }

  void open(Command command = Command::welcome) {
    run_command(command, model_, state_);
    frames(4);
  }
  std::vector<ui::WidgetRecord> cards(const char* in) {
    std::vector<ui::WidgetRecord> all = widgets();
    std::erase_if(all, [in](const ui::WidgetRecord& each) {
      return each.window != in || std::string_view(each.kind) != "card";
    });
    return all;
  }
  bool is_open() { return state_.welcome.form != Form::closed; }
  // What the cards' pictures are drawn with in the last frame.
  bool draws(ImTextureID texture) {
    for (const ImDrawCmd& command : window("Welcome")->DrawList->CmdBuffer)
      if (command.TextureId == texture) return true;
    return false;
  }
};

TEST_F(Welcome, HasACardForEachSceneAndForAPrimitive) {
  for (const int width : {1280, 1600, 700}) {
    set_size(width, width < 1000 ? 500 : 800);
    open();
    const auto all = cards("Welcome");
    ASSERT_EQ(all.size(), scene_kinds().size() + 1) << width;
    for (std::size_t i = 0; i < scene_kinds().size(); ++i) {
      EXPECT_EQ(all[i].name, scene_kinds()[i].title);
      EXPECT_EQ(all[i].about, scene_kinds()[i].invitation);
    }
    for (const ui::WidgetRecord& each : all) EXPECT_LE(each.to.x, static_cast<float>(width));
    for (const char* button : {"Take the tour", "Open a file", "Show at start"})
      EXPECT_TRUE(find("Welcome", button)) << button;
    EXPECT_LE(window("Welcome")->Rect().Max.y, ImGui::GetIO().DisplaySize.y);
    press(ImGuiKey_Escape);
    EXPECT_FALSE(is_open());
  }
}

TEST_F(Welcome, OpensByItsMenusAndTheGalleryHasTheCardsAlone) {
  click("##MainMenuBar", "Help");
  click("##Menu_00", "Welcome");
  frames(3);
  EXPECT_EQ(state_.welcome.form, Form::welcome);
  press(ImGuiKey_Escape);
  frames(2);
  click("##MainMenuBar", "File");
  click("##Menu_00", "Gallery...");
  frames(3);
  EXPECT_EQ(state_.welcome.form, Form::gallery);
  EXPECT_EQ(cards("Gallery").size(), scene_kinds().size() + 1);
  EXPECT_FALSE(find("Gallery", "Take the tour"));
}

TEST_F(Welcome, ClosesByAClickBesideItThatReachesNothingElse) {
  open();
  ImGui::GetIO().MousePos = {2.0F, 790.0F};
  frames(2);
  click_here();
  frames(2);
  EXPECT_FALSE(is_open());
  EXPECT_TRUE(model_.requests.empty());
  open();
  ImGui::GetIO().MousePos = window("Welcome")->Rect().GetCenter();
  frames(2);
  ImGui::GetIO().MousePos.y = window("Welcome")->Rect().Min.y + 40.0F;  // on its words
  frames(2);
  click_here();
  EXPECT_TRUE(is_open());
}

TEST_F(Welcome, ACardOpensItsScene) {
  open();
  click("Welcome", "Cloth");
  EXPECT_FALSE(is_open());
  const auto* const opened = model_.requests.find<request::Open>();
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->scene.scene, "cloth");
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

// The arrows go from card to card; ImGui chooses with Space, and with Enter where the layer of the
// window gives it that key.
TEST_F(Welcome, CardsAreReachedByTheArrows) {
  open();
  const auto focused = [this] {
    std::string name;
    for (const ui::WidgetRecord& each : cards("Welcome"))
      if (context_->NavId == id_in(window("Welcome")->ID, each.name.c_str())) name = each.name;
    return name;
  };
  for (int i = 0; i < 5 && focused().empty(); ++i) press(ImGuiKey_DownArrow);
  EXPECT_EQ(focused(), scene_kinds()[0].title);
  press(ImGuiKey_RightArrow);
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(focused(), scene_kinds()[2].title);
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(focused(), scene_kinds()[7].title);
  press(ImGuiKey_LeftArrow);
  ASSERT_EQ(focused(), scene_kinds()[6].title);
  press(ImGuiKey_Space);
  frames(2);
  EXPECT_FALSE(is_open());
  const auto* const opened = model_.requests.find<request::Open>();
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->scene.scene, scene_kinds()[6].name);
}

TEST_F(Welcome, ThePrimitiveIsRecordedInTheTabSteps) {
  open();
  click("Welcome", "A primitive, step by step");
  frames(4);
  EXPECT_TRUE(state_.show_lab);
  EXPECT_EQ(state_.lab.front, LabTask::steps);
  const auto* const asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.question.primitive, Primitive::scan);
  EXPECT_STREQ(asked->asked.variant->name, "lookback");
}

// The laboratory has to end what it runs first.
TEST_F(Welcome, ThePrimitiveWaitsForTheLaboratory) {
  model_.lab.question.primitive = Primitive::sort;
  model_.lab.state = LabModel::State::measuring;
  open();
  click("Welcome", "A primitive, step by step");
  EXPECT_FALSE(is_open());
  EXPECT_FALSE(state_.lab.steps.asked);
  ASSERT_FALSE(state_.notices.empty());
  EXPECT_EQ(state_.notices.back().message.text, "The laboratory is running.");
}

TEST_F(Welcome, CardsShowTheirPicturesOnceTheyAreThere) {
  open();
  int here = 0;
  const ImTextureID texture = &here;
  EXPECT_FALSE(draws(texture));
  state_.welcome.pictures[scene_kinds()[2].name] = {texture, 400, 250};
  frames();
  EXPECT_TRUE(draws(texture));
}

TEST_F(Welcome, IsRememberedToOpenAtEveryStart) {
  open();
  EXPECT_FALSE(state_.settings.welcome_at_start);
  click("Welcome", "Show at start");
  EXPECT_TRUE(state_.settings.welcome_at_start);
  EXPECT_TRUE(state_.settings_changed);
  EXPECT_TRUE(is_open());
}

TEST_F(Welcome, LeadsToTheTourAndToFiles) {
  open();
  click("Welcome", "Take the tour");
  EXPECT_FALSE(is_open());
  EXPECT_EQ(state_.tour.step, 0U);
  open();
  click("Welcome", "Open a file");
  EXPECT_FALSE(is_open());
  EXPECT_TRUE(state_.browser.is_open());
}

}  // namespace
}  // namespace warpview
