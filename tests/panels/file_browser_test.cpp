#include "app/panels/file_browser.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/common/program_files.h"
#include "tests/panels/panel_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(const FolderListing& listing) {
  std::vector<std::string> names;
  for (const FolderEntry& entry : listing.entries)
    names.push_back(entry.name + (entry.is_folder ? "/" : ""));
  return names;
}

TEST(ListFolder, FoldersFirstThenMeshesAndScenesByName) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "zoo");
  fs::create_directory(folder.path() / "Meshes");
  for (const char* name :
       {"b.obj", "A.OBJ", "c.mtl", ".hidden.obj", "obj", ".obj", "d.obj.txt", "e.json", ".json"})
    folder.write(name, "v 0 0 0\n");
  EXPECT_EQ(names_of(list_folder(folder.path())),
            (std::vector<std::string>{"Meshes/", "zoo/", "A.OBJ", "b.obj", "e.json"}));
  EXPECT_EQ(
      names_of(list_folder(folder.path(), {.hidden = true})),
      (std::vector<std::string>{"Meshes/", "zoo/", ".hidden.obj", "A.OBJ", "b.obj", "e.json"}));
  EXPECT_EQ(names_of(list_folder(folder.path(), {.all_files = true})),
            (std::vector<std::string>{"Meshes/", "zoo/", "A.OBJ", "b.obj", "c.mtl", "d.obj.txt",
                                      "e.json", "obj"}));
}

TEST(ListFolder, OddNames) {
  const TemporaryFolder folder;
  const std::vector<std::string> odd = {"%s%n.obj",
                                        "a b.obj",
                                        "new\nline.obj",
                                        "\xff\xfe.obj",
                                        "##id.obj",
                                        "\xe4\xb8\xad.obj",
                                        std::string(200, 'w') + ".obj"};
  for (const std::string& name : odd) folder.write(name, "");
  EXPECT_EQ(list_folder(folder.path()).entries.size(), odd.size());
}

TEST(ListFolder, SizesAndLinks) {
  const TemporaryFolder folder;
  folder.write("real.obj", "12345");
  fs::create_symlink("real.obj", folder.path() / "link.obj");
  fs::create_symlink("nowhere.obj", folder.path() / "broken.obj");
  fs::create_directory_symlink(".", folder.path() / "self");
  const FolderListing listing = list_folder(folder.path());
  EXPECT_EQ(names_of(listing), (std::vector<std::string>{"self/", "link.obj", "real.obj"}));
  EXPECT_EQ(listing.entries[1].bytes, 5U);
  EXPECT_EQ(listing.entries[2].bytes, 5U);
}

TEST(ListFolder, WhatCannotBeReadSaysWhy) {
  EXPECT_FALSE(list_folder("/no/such/folder").error.empty());
  const TemporaryFolder folder;
  folder.write("file.obj", "");
  EXPECT_FALSE(list_folder(folder.path() / "file.obj").error.empty());
  EXPECT_TRUE(list_folder(folder.path()).error.empty());
}

TEST(ListFolder, SortsByNameDateAndSize) {
  std::vector<FolderEntry> entries = {{.name = "b.obj", .bytes = 3, .modified = 10},
                                      {.name = "zoo", .is_folder = true, .modified = 5},
                                      {.name = "A.obj", .bytes = 3, .modified = 30},
                                      {.name = "c.obj", .bytes = 1, .modified = 20}};
  const auto sorted = [&entries](FolderOrder order) {
    sort_entries(entries, order);
    std::string names;
    for (const FolderEntry& entry : entries) names += entry.name.substr(0, 1);
    return names;
  };
  using By = FolderOrder::By;
  EXPECT_EQ(sorted({By::name, false}), "zAbc");
  EXPECT_EQ(sorted({By::name, true}), "zcbA");
  EXPECT_EQ(sorted({By::modified, true}), "zAcb");
  EXPECT_EQ(sorted({By::modified, false}), "zbcA");
  EXPECT_EQ(sorted({By::bytes, true}), "zAbc");
  EXPECT_EQ(sorted({By::bytes, false}), "zcAb");
}

TEST(ListFolder, KnowsWhenFilesWereChanged) {
  const TemporaryFolder folder;
  folder.write("a.obj", "");
  const auto when = std::chrono::file_clock::from_sys(
      std::chrono::sys_seconds(std::chrono::sys_days(std::chrono::year(2020) / 2 / 29)));
  fs::last_write_time(folder.path() / "a.obj", when);
  EXPECT_EQ(list_folder(folder.path()).entries.at(0).modified, 1'582'934'400);
}

class Browser : public PanelTest {
 protected:
  Browser() {
    fs::create_directories(folder_.path() / "inner");
    folder_.write("inner/one.obj", "");
    folder_.write("inner/two%s\xff.obj", "");
    show(folder_.path());
  }

  // The one file that the session is asked to open; empty: none.
  std::string asked() const {
    const auto* const open = model_.requests.find<request::Open>();
    return open && open->scene.files.size() == 1 ? open->scene.files.front().spec : std::string();
  }
  void show(const fs::path& folder) {
    state_.settings.folder = folder.string();
    run_command(Command::open_file, model_, state_);
    frames(3);
  }
  // Puts the cursor behind the path's last letter.
  void click_path() {
    ASSERT_TRUE(click(popup(), id_in(popup()->ID, "##path")));
    press(ImGuiKey_End);
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frames(2);
  }
  // For half a minute, long enough to be repeated.
  void hold(ImGuiKey key) {
    ImGui::GetIO().KeysDown[key] = true;
    frames(300, 0.1F);
    ImGui::GetIO().KeysDown[key] = false;
    frames();
  }

  TemporaryFolder folder_;
};

TEST_F(Browser, KeysLeadToAFile) {
  ASSERT_TRUE(state_.browser.is_open());
  press(ImGuiKey_Enter);  // into inner/
  EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
  press(ImGuiKey_Backspace);
  EXPECT_EQ(state_.browser.folder(), folder_.path());
  press(ImGuiKey_Enter);
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_UpArrow);
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "one.obj").string());
  EXPECT_FALSE(state_.browser.is_open());
  EXPECT_EQ(state_.settings.folder, (folder_.path() / "inner").string());
  frames(2);
  EXPECT_FALSE(state_.popup_open);
}

TEST_F(Browser, EnterInThePathOpensTheFolderAlone) {
  for (const ImGuiKey enter : {ImGuiKey_Enter, ImGuiKey_KeyPadEnter}) {
    show(folder_.path());
    click_path();
    type("/inner");
    press(enter);
    frames(3);
    EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
    EXPECT_TRUE(state_.browser.is_open());
    EXPECT_FALSE(model_.requests.find<request::Open>());
    press(enter);  // the list has the keys again
    EXPECT_EQ(asked(), (folder_.path() / "inner" / "one.obj").string());
    model_.requests.drop<request::Open>();
  }
}

TEST_F(Browser, EnterInThePathOpensNoFolderBelow) {
  fs::create_directories(folder_.path() / "inner" / "most");
  click_path();
  type("/inner");
  press(ImGuiKey_Enter);
  EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
}

TEST_F(Browser, EnterInThePathChoosesAFile) {
  click_path();
  type("/inner/one.obj");
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "one.obj").string());
  EXPECT_FALSE(state_.browser.is_open());
}

TEST_F(Browser, EnterInThePathThatLeadsNowhereLeadsNowhere) {
  click_path();
  type("/nowhere");
  press(ImGuiKey_Enter);
  EXPECT_EQ(state_.browser.folder(), folder_.path());
  EXPECT_TRUE(state_.browser.is_open());
}

TEST_F(Browser, EnterThatIsHeldActsOnce) {
  fs::create_directories(folder_.path() / "inner" / "most" / "of" / "all");
  hold(ImGuiKey_Enter);
  EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
  press(ImGuiKey_Backspace);
  click_path();
  type("/inner");
  hold(ImGuiKey_Enter);
  EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
  EXPECT_FALSE(model_.requests.find<request::Open>());
}

TEST_F(Browser, EnterThatOpensTheDialogOpensNothingInIt) {
  press(ImGuiKey_Escape);
  frames(2);
  ImGui::GetIO().KeysDown[ImGuiKey_Enter] = true;  // on "Open..." in the menu
  show(folder_.path());
  ImGui::GetIO().KeysDown[ImGuiKey_Enter] = false;
  frames();
  EXPECT_EQ(state_.browser.folder(), folder_.path());
}

// As in the dialogs of desktops: what was typed is not kept, and nothing completes it in a list.
TEST_F(Browser, EscapeInAFieldClosesTheDialog) {
  click_path();
  type("/inner");
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.browser.is_open());
  EXPECT_FALSE(model_.requests.find<request::Open>());
  frames(2);
  show(folder_.path());
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "##filter")));
  type("x");
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.browser.is_open());
}

// ImGui's letters have 16 bits, and of what it cannot hold it counts the bytes wrongly.
TEST_F(Browser, PathsWithLettersThatImguiCannotHold) {
  struct Odd {
    const char* name;
    int letters;
  };
  for (const Odd& odd : {Odd{"\xf0\x9f\x98\x80", 1}, Odd{"\xf0\x9f\x98\x80\xf0\x9f\x98\x80 x", 4},
                         Odd{"\xff\xfe x", 4}}) {
    const fs::path folder = folder_.path() / odd.name;
    fs::create_directories(folder / "below");
    show(folder);
    click_path();
    press(ImGuiKey_Enter);
    EXPECT_EQ(state_.browser.folder(), folder) << "as it was";
    click_path();
    type("/below");
    press(ImGuiKey_Enter);
    EXPECT_EQ(state_.browser.folder(), folder / "below") << "with more";
    press(ImGuiKey_Backspace);
    ASSERT_EQ(state_.browser.folder(), folder);
    click_path();
    for (int i = 0; i < odd.letters; ++i) press(ImGuiKey_Backspace);
    press(ImGuiKey_Enter);
    EXPECT_EQ(state_.browser.folder(), folder_.path()) << "without the odd letters";
    EXPECT_EQ(state_.settings.folder, folder_.path());
    press(ImGuiKey_Escape);
    frames(2);
  }
}

TEST_F(Browser, TheFilterLeavesNamesThatHoldIt) {
  show(folder_.path() / "inner");
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "##filter")));
  type("TWO");
  press(ImGuiKey_Enter);  // ends the typing, and nothing else
  EXPECT_TRUE(state_.browser.is_open());
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "two%s\xff.obj").string());
}

TEST_F(Browser, AFilterThatNothingHoldsOpensNothing) {
  show(folder_.path() / "inner");
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "##filter")));
  type("nothing of that name");
  press(ImGuiKey_Enter);
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  EXPECT_TRUE(state_.browser.is_open());
  EXPECT_FALSE(model_.requests.find<request::Open>());
  press(ImGuiKey_Backspace);  // and another folder is shown whole
  press(ImGuiKey_Enter);
  EXPECT_EQ(state_.browser.folder(), folder_.path() / "inner");
}

TEST_F(Browser, LettersSelectTheNextNameThatBeginsWithThem) {
  folder_.write("inner/tower.obj", "");
  show(folder_.path() / "inner");
  type("T");
  type("w");
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "two%s\xff.obj").string());
  show(folder_.path() / "inner");
  frames(100, 0.1F);  // another name begins
  type("t");
  type("t");  // and on to the next
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "two%s\xff.obj").string());
}

// No click is needed to type a path.
TEST_F(Browser, APathTypedIntoTheListGoesIntoItsField) {
  const std::string path = (folder_.path() / "inner" / "one.obj").string();
  for (const char letter : path) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    frames();
  }
  EXPECT_TRUE(can_read(path));
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), path);
  model_.requests.drop<request::Open>();
  show(folder_.path());
  type(path.c_str());  // at once
  frames();
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), path);
}

TEST_F(Browser, AClickOnAHeaderSorts) {
  folder_.write("inner/large.obj", std::string(1000, '#'));
  show(folder_.path() / "inner");
  ImGuiWindow* const list = ImGui::GetCurrentContext()->Tables.GetMapSize() > 0
                                ? ImGui::GetCurrentContext()->Tables.GetByIndex(0)->InnerWindow
                                : nullptr;
  ASSERT_NE(list, nullptr);
  const ImRect area = list->Rect();
  ImGui::GetIO().MousePos = {area.Max.x - 40.0F, area.Min.y + 8.0F};  // "Size"
  frames(2);
  click_here();
  frames();
  press(ImGuiKey_Home);
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked(), (folder_.path() / "inner" / "large.obj").string());
}

TEST_F(Browser, OffersWhatWasOpenedLately) {
  press(ImGuiKey_Escape);
  state_.settings.recent = {"/somewhere/else/a.obj"};
  show(folder_.path());
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "Recent")));
  frames(2);
  ImGuiWindow* const list = popup();
  ASSERT_TRUE(click(list, id_in(ImHashData(std::array{0}.data(), sizeof(int), list->ID), "a.obj")));
  EXPECT_EQ(asked(), "/somewhere/else/a.obj");
  EXPECT_FALSE(state_.browser.is_open());
}

TEST_F(Browser, EscapeClosesTheListOfRecentFilesFirst) {
  press(ImGuiKey_Escape);
  state_.settings.recent = {"/somewhere/else/a.obj"};
  show(folder_.path());
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "Recent")));
  frames(2);
  press(ImGuiKey_Escape);
  EXPECT_TRUE(state_.browser.is_open());
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.browser.is_open());
}

TEST_F(Browser, LeadsToTheSamplesThatComeWithTheProgram) {
  ASSERT_FALSE(assets_folder().empty()) << "of the tree that it was built in";
  ASSERT_TRUE(click(popup(), id_in(popup()->ID, "Samples")));
  EXPECT_EQ(state_.browser.folder(), assets_folder());
  EXPECT_TRUE(fs::exists(assets_folder() / "sample.obj"));
}

TEST(ProgramFiles, AreFoundWhereTheyAreInstalled) {
  const TemporaryFolder folder;
  const fs::path program = folder.path() / "lib" / "triple" / "warpview" / "warpview";
  EXPECT_TRUE(assets_folder(program).empty());
  fs::create_directories(folder.path() / "share" / "warpview" / "gpu");
  folder.write("share/warpview/sample.obj", "");
  folder.write("share/warpview/gpu/catalogue.def", "");
  EXPECT_EQ(assets_folder(program), folder.path() / "share" / "warpview");
  EXPECT_EQ(sources_folder(program), folder.path() / "share" / "warpview");
}

TEST_F(Browser, EscapeOpensNothing) {
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.browser.is_open());
  EXPECT_FALSE(model_.requests.find<request::Open>());
  frames(2);
  EXPECT_FALSE(state_.popup_open);
}

TEST_F(Browser, GoesUpToTheRootAndNoFurther) {
  for (int i = 0; i < 30; ++i) press(ImGuiKey_Backspace);
  EXPECT_EQ(state_.browser.folder(), "/");
}

TEST_F(Browser, FolderThatIsGoneLeadsToOneAbove) {
  press(ImGuiKey_Escape);
  state_.settings.folder = (folder_.path() / "gone" / "deeper").string();
  run_command(Command::open_file, model_, state_);
  EXPECT_EQ(state_.browser.folder(), folder_.path());
}

TEST_F(Browser, FolderThatVanishesWhileShown) {
  press(ImGuiKey_Enter);
  fs::remove_all(folder_.path() / "inner");
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);  // opening it is the session's trouble to tell
  EXPECT_TRUE(model_.requests.find<request::Open>());
}

}  // namespace
}  // namespace warpview
