// Saving scenes, named cameras and recording videos, from menus and dialogs.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "app/panels/actions.h"
#include "app/panels/parts.h"
#include "tests/panels/panel_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

class Keeping : public PanelTest {
 protected:
  Keeping() {
    model_ = loaded_model();
    model_.view_width = 640;
    model_.view_height = 480;
    state_.settings.folder = folder_.path().string();
    frames(3);
  }
  void open(Command command) {
    run_command(command, model_, state_);
    frames(3);
  }
  static void type(const char* text) { ImGui::GetIO().AddInputCharactersUTF8(text); }
  // The last request of a kind; it is taken.
  template <class Kind>
  std::optional<Kind> asked() {
    auto all = model_.requests.take<Kind>();
    if (all.empty()) return {};
    return std::move(all.back());
  }
  void erase_field() {
    ImGui::GetIO().KeyCtrl = true;
    press(ImGuiKey_A);
    ImGui::GetIO().KeyCtrl = false;
    press(ImGuiKey_Delete);
  }

  TemporaryFolder folder_;
};

// ---- Save scene ---------------------------------------------------------------------------------

constexpr const char* saver = "Save scene";

TEST_F(Keeping, ASceneGetsANameOfItsOwn) {
  open(Command::save_scene);
  EXPECT_EQ(find(saver, "name")->text, "dragon-mesh.json");
  click(saver, "Save");
  const auto save = asked<request::SaveScene>();
  ASSERT_TRUE(save);
  EXPECT_EQ(save->file, (folder_.path() / "dragon-mesh.json").string());
  EXPECT_EQ(state_.settings.recent.front(), save->file);
  EXPECT_FALSE(state_.saver.is_open());
  frames(2);
  EXPECT_EQ(popup(), nullptr);
}

TEST_F(Keeping, TheDialogListsSceneFiles) {
  folder_.write("mesh.obj", "v 0 0 0\n");
  folder_.write("other.json", "{}");
  open(Command::save_scene);
  EXPECT_TRUE(find(saver, "other.json"));
  EXPECT_FALSE(find(saver, "mesh.obj"));
  click(saver, "All files");
  frames(2);
  EXPECT_TRUE(find(saver, "mesh.obj"));
}

TEST_F(Keeping, EscapeClosesTheDialogFromTheName) {
  open(Command::save_scene);
  type("x");  // the name has the keys
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.saver.is_open());
  EXPECT_FALSE(asked<request::SaveScene>());
}

TEST_F(Keeping, ATypedNameGetsItsEndingAndEnterSaves) {
  open(Command::save_scene);
  erase_field();  // the name has the keys
  type("my scene");
  frames(2);
  press(ImGuiKey_Enter);
  const auto save = asked<request::SaveScene>();
  ASSERT_TRUE(save);
  EXPECT_EQ(save->file, (folder_.path() / "my scene.json").string());
}

TEST_F(Keeping, AFileThatIsThereIsWrittenOverOnlyWhenAskedAgain) {
  folder_.write("dragon-mesh.json", "{}");
  open(Command::save_scene);
  click(saver, "Save");
  EXPECT_FALSE(asked<request::SaveScene>());
  EXPECT_TRUE(can_read("exists: Replace writes over it"));
  EXPECT_FALSE(find(saver, "Save"));
  click(saver, "Replace");
  EXPECT_TRUE(asked<request::SaveScene>());
}

TEST_F(Keeping, ReplaceIsForOneNameOnly) {
  folder_.write("dragon-mesh.json", "{}");
  folder_.write("other.json", "{}");
  open(Command::save_scene);
  click(saver, "Save");
  ASSERT_TRUE(find(saver, "Replace"));
  click(saver, "name");
  erase_field();
  type("other.json");
  frames(2);
  EXPECT_TRUE(find(saver, "Save")) << "Replace was for the file before";
  click(saver, "Save");
  EXPECT_FALSE(asked<request::SaveScene>());
}

TEST_F(Keeping, NothingIsSavedWithoutASceneOrAfterCancel) {
  open(Command::save_scene);
  click(saver, "Cancel");
  EXPECT_FALSE(asked<request::SaveScene>());
  model_.scene_name.clear();
  open(Command::save_scene);
  EXPECT_FALSE(state_.saver.is_open());
}

// Opening has what it had: no name to type, and files that are there.
TEST_F(Keeping, TheBrowserThatOpensIsAsBefore) {
  open(Command::save_scene);
  click(saver, "Cancel");
  open(Command::open_file);
  EXPECT_TRUE(find("Open a mesh or scene", "Open"));
  EXPECT_FALSE(find("Open a mesh or scene", "name"));
}

// ---- Cameras ------------------------------------------------------------------------------------

constexpr const char* cameras = "Cameras";

TEST_F(Keeping, ACameraIsKeptUnderTheNameThatIsTyped) {
  open(Command::cameras);
  EXPECT_EQ(find(cameras, "new")->text, "Camera 1");
  click(cameras, "Save camera");
  EXPECT_EQ(asked<request::KeepCamera>()->name, "Camera 1");
  model_.cameras = {{"Camera 1", {}}};
  const auto first = find(cameras, "Camera 1/Update");
  ASSERT_TRUE(first);
  frames(5);
  const auto later = find(cameras, "Camera 1/Update");
  EXPECT_EQ(first->from.x, later->from.x) << "it has its place at once";
  EXPECT_EQ(first->to.x, later->to.x);
  frames(2);
  EXPECT_EQ(find(cameras, "new")->text, "Camera 2") << "the first that is free";
  click(cameras, "new");
  erase_field();
  type("top");
  frames(2);
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked<request::KeepCamera>()->name, "top");
}

TEST_F(Keeping, ANameThatACameraCannotHaveIsRefusedWithItsReason) {
  open(Command::cameras);
  click(cameras, "new");
  erase_field();
  type("a,b");
  frames(2);
  EXPECT_FALSE(find(cameras, "Save camera")->enabled);
  EXPECT_TRUE(can_read("it holds a comma"));
  press(ImGuiKey_Enter);
  EXPECT_FALSE(asked<request::KeepCamera>());
}

TEST_F(Keeping, CamerasAreGoneToReplacedRenamedAndDeleted) {
  model_.cameras = {{"front", {.yaw = 0.0F}}, {"top", {.pitch = 1.5F}}};
  open(Command::cameras);
  click(cameras, "top/Go");
  EXPECT_EQ(asked<request::LookThrough>()->name, "top");
  click(cameras, "top/Update");
  EXPECT_EQ(asked<request::KeepCamera>()->name, "top");
  click(cameras, "top/name");
  erase_field();
  type("front");
  frames(2);
  press(ImGuiKey_Enter);
  EXPECT_EQ(model_.cameras[1].name, "top") << "two cameras of one name";
  EXPECT_TRUE(can_read("another camera has this name"));
  click(cameras, "top/name");
  erase_field();
  type("above");
  frames(2);
  press(ImGuiKey_Enter);
  frames(2);
  EXPECT_EQ(model_.cameras[1].name, "above");
  EXPECT_EQ(model_.cameras[1].view.pitch, 1.5F);
  click(cameras, "front/Delete");
  ASSERT_EQ(model_.cameras.size(), 1U);
  EXPECT_EQ(model_.cameras[0].name, "above");
  open(Command::close_dialog);
  EXPECT_FALSE(state_.cameras.open);
}

TEST_F(Keeping, CamerasNeedAPicture) {
  open(Command::cameras);
  EXPECT_TRUE(find(cameras, "Save camera"));
  state_.show_lab = true;
  state_.lab.open = LabTask::faults;  // which takes the picture's place
  frames(3);
  EXPECT_FALSE(find(cameras, "Save camera"));
  const auto why_not = [this](const std::string& label) {
    for (const Action& each : menu_actions(model_, state_))
      if (each.label == label) return each.why_not;
    return std::string("no such item");
  };
  EXPECT_EQ(why_not("Cameras..."), "The scene is hidden.");
  EXPECT_EQ(why_not("Fly"), "The scene is hidden.");
  EXPECT_EQ(why_not("Fit"), "");
  state_.show_lab = false;
  frames(3);
  EXPECT_TRUE(find(cameras, "Save camera"));
  EXPECT_EQ(why_not("Cameras..."), "");
}

// ---- Videos -------------------------------------------------------------------------------------

constexpr const char* recorder = "Record video";

TEST_F(Keeping, AVideoIsRecordedAsItIsChosen) {
  open(Command::record_video);
  click(recorder, "Record");
  auto video = asked<request::RecordVideo>();
  ASSERT_TRUE(video);
  EXPECT_TRUE(video->plan.turntable);
  EXPECT_TRUE(video->plan.file.ends_with(".webp")) << video->plan.file;
  EXPECT_EQ(video->plan.width, 640);
  EXPECT_EQ(video->plan.height, 480);
  EXPECT_EQ(video->plan.frames(), 100U);
  open(Command::record_video);
  click(recorder, "kind/Stretch of time");
  click(recorder, "format/GIF");
  click(recorder, "Record");
  video = asked<request::RecordVideo>();
  ASSERT_TRUE(video);
  EXPECT_FALSE(video->plan.turntable);
  EXPECT_TRUE(video->plan.file.ends_with(".gif"));
  open(Command::record_video);
  click(recorder, "format/PNG files");
  click(recorder, "Record");
  EXPECT_TRUE(asked<request::RecordVideo>()->plan.file.ends_with("/frame-%04d.png"));
}

TEST_F(Keeping, FieldsOfAVideoEndWhereItsFormatsDo) {
  open(Command::record_video);
  const float right = find(recorder, "format/PNG files")->to.x;
  for (const char* const field : {"seconds", "rate", "size", "file"})
    EXPECT_NEAR(find(recorder, field)->to.x, right, 1.5F) << field;
}

// Its files have no names that say something.
TEST_F(Keeping, ASeriesIsCalledByItsFolder) {
  model_.video.file = "/pictures/warpview-frames/frame-%04d.png";
  model_.video.frames = 100;
  frames(3);
  EXPECT_TRUE(can_read("Recording warpview-frames"));
  EXPECT_FALSE(can_read("%04d"));
  model_.video.file = "/pictures/turn.webp";
  frames();
  EXPECT_TRUE(can_read("Recording turn.webp"));
}

TEST_F(Keeping, AVideoThatCannotBeHadSaysWhy) {
  open(Command::record_video);
  state_.video.file = "video.mp4";
  frames();
  EXPECT_FALSE(find(recorder, "Record")->enabled);
  EXPECT_TRUE(can_read("Write NAME.webp"));
  state_.video.file = "video.gif";
  state_.video.rate = 60;
  frames();
  EXPECT_FALSE(find(recorder, "Record")->enabled);
  state_.video.rate = 25;
  frames();
  EXPECT_TRUE(find(recorder, "Record")->enabled);
}

TEST_F(Keeping, AVideoOverAFileSaysSo) {
  open(Command::record_video);
  EXPECT_FALSE(can_read("replace the file"));
  folder_.write("there.webp", "");
  state_.video.file = folder_.path() / "there.webp";
  frames();
  EXPECT_TRUE(can_read("replace the file"));
  EXPECT_TRUE(find(recorder, "Record")->enabled);
}

TEST_F(Keeping, ARecordingIsShownAndCancelled) {
  model_.video = {.file = "/somewhere/turn.webp", .done = 25, .frames = 100};
  frames(3);
  EXPECT_TRUE(can_read("Recording turn.webp"));
  EXPECT_TRUE(can_read("25 of 100 frames"));
  EXPECT_TRUE(state_.animates);
  open(Command::record_video);
  EXPECT_FALSE(state_.video.open) << "one at a time";
  click("##recording", "Cancel");
  EXPECT_TRUE(asked<request::CancelVideo>());
}

}  // namespace
}  // namespace warpview
