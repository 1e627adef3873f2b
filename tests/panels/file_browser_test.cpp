#include "app/panels/file_browser.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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

TEST(ListFolder, FoldersFirstThenObjFilesByName) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "zoo");
  fs::create_directory(folder.path() / "Meshes");
  for (const char* name : {"b.obj", "A.OBJ", "c.mtl", ".hidden.obj", "obj", ".obj", "d.obj.txt"})
    folder.write(name, "v 0 0 0\n");
  EXPECT_EQ(names_of(list_folder(folder.path())),
            (std::vector<std::string>{"Meshes/", "zoo/", "A.OBJ", "b.obj"}));
  EXPECT_EQ(names_of(list_folder(folder.path(), {.hidden = true})),
            (std::vector<std::string>{"Meshes/", "zoo/", ".hidden.obj", "A.OBJ", "b.obj"}));
  EXPECT_EQ(
      names_of(list_folder(folder.path(), {.all_files = true})),
      (std::vector<std::string>{"Meshes/", "zoo/", "A.OBJ", "b.obj", "c.mtl", "d.obj.txt", "obj"}));
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

class Browser : public PanelTest {
 protected:
  Browser() {
    fs::create_directories(folder_.path() / "inner");
    folder_.write("inner/one.obj", "");
    folder_.write("inner/two%s\xff.obj", "");
    state_.settings.folder = folder_.path().string();
    run_command(Command::open_file, workspace_, state_);
    frames(3);
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
  EXPECT_EQ(workspace_.requests.open, (folder_.path() / "inner" / "one.obj").string());
  EXPECT_FALSE(state_.browser.is_open());
  EXPECT_EQ(state_.settings.folder, (folder_.path() / "inner").string());
  frames(2);
  EXPECT_FALSE(state_.popup_open);
}

TEST_F(Browser, EscapeOpensNothing) {
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state_.browser.is_open());
  EXPECT_FALSE(workspace_.requests.open.has_value());
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
  run_command(Command::open_file, workspace_, state_);
  EXPECT_EQ(state_.browser.folder(), folder_.path());
}

TEST_F(Browser, FolderThatVanishesWhileShown) {
  press(ImGuiKey_Enter);
  fs::remove_all(folder_.path() / "inner");
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);  // opening it is the session's trouble to tell
  EXPECT_TRUE(workspace_.requests.open.has_value());
}

}  // namespace
}  // namespace warpview
