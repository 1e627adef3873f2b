// The dialog that saves pictures, and the Edit menu.
#include <string>
#include <utility>

#include "app/panels/parts.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class SavePicture : public PanelTest {
 protected:
  static constexpr const char* dialog = "Save picture";

  SavePicture() {
    model_ = loaded_model();
    model_.view_width = 333;  // as the session tells
    model_.view_height = 222;
    frames(3);
  }
  void open_dialog() {
    run_command(Command::save_picture, model_, state_);
    frames(3);
  }
  std::string view_times(int factor) const {
    return std::to_string(factor * model_.view_width) + " x " +
           std::to_string(factor * model_.view_height);
  }
};

TEST_F(SavePicture, InEverySizeThatItOffers) {
  const int width = model_.view_width;
  const int height = model_.view_height;
  const std::pair<std::string, std::pair<int, int>> rows[] = {
      {"2 times the view: " + view_times(2), {2 * width, 2 * height}},
      {"4 times the view: " + view_times(4), {4 * width, 4 * height}},
      {"Full HD: 1920 x 1080", {1920, 1080}},
      {"4K: 3840 x 2160", {3840, 2160}},
      {"The view: " + view_times(1), {0, 0}},
  };
  for (const auto& [name, size] : rows) {
    SCOPED_TRACE(name);
    open_dialog();
    click(dialog, name);
    click(dialog, "Save");
    const auto asked = model_.requests.take<request::SavePicture>();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].width, size.first);
    EXPECT_EQ(asked[0].height, size.second);
    EXPECT_TRUE(asked[0].file.ends_with(".png"));
    EXPECT_FALSE(state_.picture.open);
    frames(2);
    EXPECT_EQ(popup(), nullptr);
  }
  EXPECT_FALSE(state_.window_picture);
}

TEST_F(SavePicture, OfTheWindowIsAsLargeAsThat) {
  open_dialog();
  click(dialog, "4K: 3840 x 2160");
  click(dialog, "With the panels");
  EXPECT_FALSE(find(dialog, "4K: 3840 x 2160")->enabled);
  click(dialog, "Save");
  EXPECT_TRUE(state_.window_picture);
  EXPECT_FALSE(model_.requests.find<request::SavePicture>());
}

TEST_F(SavePicture, WithoutABackgroundWhereThereAreNoPanels) {
  open_dialog();
  click(dialog, "Transparent background");
  click(dialog, "Save");
  ASSERT_TRUE(model_.requests.find<request::SavePicture>());
  EXPECT_TRUE(model_.requests.find<request::SavePicture>()->transparent);
  model_.requests.drop<request::SavePicture>();
  open_dialog();
  EXPECT_EQ(find(dialog, "Transparent background")->on, true) << "as it was chosen last";
  click(dialog, "With the panels");
  EXPECT_FALSE(find(dialog, "Transparent background")->enabled);
  click(dialog, "Save");
  EXPECT_FALSE(model_.requests.find<request::SavePicture>());
}

TEST_F(SavePicture, WhatIsTickedMovesNoButton) {
  open_dialog();
  const ImVec2 before = find(dialog, "Save")->from;
  for (const char* const box : {"Transparent background", "With the panels"}) {
    click(dialog, box);
    frames(3);
    const ImVec2 now = find(dialog, "Save")->from;
    EXPECT_EQ(now.x, before.x) << box;
    EXPECT_EQ(now.y, before.y) << box;
  }
}

TEST_F(SavePicture, CancelAndEscapeSaveNothing) {
  open_dialog();
  click(dialog, "Cancel");
  EXPECT_FALSE(state_.picture.open);
  open_dialog();
  EXPECT_TRUE(state_.picture.open);
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.picture.open);
  EXPECT_FALSE(model_.requests.find<request::SavePicture>());
  EXPECT_FALSE(state_.window_picture);
}

TEST_F(SavePicture, SizesThatAreTooLargeCannotBeChosen) {
  model_.view_width = PictureDialog::largest / 4 + 1;
  state_.picture.size = 2;
  frames(3);
  open_dialog();
  EXPECT_FALSE(find(dialog, "4 times the view: " + view_times(4))->enabled);
  EXPECT_EQ(state_.picture.size, 0U);
}

TEST_F(SavePicture, OfNothingIsNotOffered) {
  model_ = {};
  open_dialog();
  EXPECT_FALSE(state_.picture.open);
}

class EditMenu : public SavePicture {};

TEST_F(EditMenu, SaysWhatUndoAndRedoWouldChange) {
  click("##MainMenuBar", "Edit");
  EXPECT_FALSE(find("##Menu_00", "Undo")->enabled);
  EXPECT_FALSE(find("##Menu_00", "Redo")->enabled);
  model_.undoes = "Level";
  model_.redoes = "Sort and 2 more";
  EXPECT_TRUE(find("##Menu_00", "Redo: Sort and 2 more")->enabled);
  click("##Menu_00", "Undo: Level");
  EXPECT_EQ(model_.requests.take<request::Undo>().size(), 1U);
  EXPECT_FALSE(model_.requests.find<request::Redo>());
  click("##MainMenuBar", "Edit");
  click("##Menu_00", "Redo: Sort and 2 more");
  EXPECT_TRUE(model_.requests.find<request::Redo>());
  EXPECT_FALSE(model_.requests.find<request::Undo>());
}

// What a held slider sets is no step of its own: the session is told that it is held.
TEST_F(EditMenu, KnowsWhileSomethingIsBeingSet) {
  EXPECT_FALSE(model_.is_setting);
  model_.output("boxes")->shown = true;  // which the level needs
  frames(2);
  ImGui::GetIO().MousePos = place("Scene", "level/value");
  frames(2);
  ImGui::GetIO().MouseDown[0] = true;
  frames(2);
  EXPECT_TRUE(model_.is_setting);
  ImGui::GetIO().MouseDown[0] = false;
  frames();
  EXPECT_FALSE(model_.is_setting);
}

TEST_F(EditMenu, ReloadingWhatChangesIsChosenInTheFileMenu) {
  EXPECT_FALSE(model_.reload_on_change) << "not by itself";
  state_.settings_changed = false;
  click("##MainMenuBar", "File");
  click("##Menu_00", "Reload when the file changes");
  frames();
  EXPECT_TRUE(model_.reload_on_change);
  EXPECT_TRUE(state_.settings.reload_on_change);
  EXPECT_TRUE(state_.settings_changed);
}

}  // namespace
}  // namespace warpview
