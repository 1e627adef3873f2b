#include "app/panels/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

TEST(Settings, RoundTrip) {
  const TemporaryFolder folder;
  Settings settings;
  settings.folder = "/some where/else";
  settings.editor = "code -g {file}:{line}";
  settings.width = 1920;
  settings.height = 1080;
  settings.maximised = true;
  settings.scene_panel = false;
  settings.scene_in_front = true;
  settings.scene_width = 200;
  settings.timings_width = 600;
  settings.lab_width = 900;
  settings.kernels_height = 77;
  settings.z_up = true;
  settings.theme = Theme::light;
  settings.scale_percent = 150;
  settings.opened("/a/mesh.obj");
  settings.opened("/b/with blanks and % signs.obj");
  settings.opened("/c/not utf-8 \xff\xfe.obj");
  ASSERT_TRUE(save_settings(settings, folder.path() / "made" / "for it"));
  EXPECT_EQ(load_settings(folder.path() / "made" / "for it"), settings);
}

TEST(Settings, MissingIsDefault) {
  EXPECT_EQ(load_settings("/no/such/folder"), Settings{});
  EXPECT_EQ(load_settings({}), Settings{});
}

TEST(Settings, DamagedIsDefaultWhereItMakesNoSense) {
  const TemporaryFolder folder;
  folder.write("settings.txt",
               "width 99999999999999999999\nheight -5\nmaximised maybe\n\nnonsense\nrecent\n"
               "recent relative/path.obj\nfolder \nscene_panel 0\nrecent /good.obj\n"
               "timings_panel 7\ntheme pink\nscale_percent 5\nz_up 2\nscene_width -1\n"
               "timings_width 4001\nlab_width wide\n\x01\x02\xff");
  Settings expected;
  expected.scene_panel = false;
  expected.recent = {"/good.obj"};
  EXPECT_EQ(load_settings(folder.path()), expected);

  std::string noise;
  unsigned state = 1;
  for (int i = 0; i < 100'000; ++i) {
    state = state * 1664525U + 1013904223U;
    noise.push_back(static_cast<char>(state >> 24U));
  }
  folder.write("settings.txt", noise);
  const Settings loaded = load_settings(folder.path());
  EXPECT_EQ(loaded.width, Settings{}.width);

  fs::remove(folder.path() / "settings.txt");
  fs::create_directory(folder.path() / "settings.txt");
  EXPECT_EQ(load_settings(folder.path()), Settings{});
  EXPECT_FALSE(save_settings({}, folder.path()));
  const auto entries = fs::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);  // that folder alone
}

TEST(Settings, PathsHoldNoNul) {
  const TemporaryFolder folder;
  const std::string cut("/tmp/\0", 6);
  std::string text = "recent /good.obj\n";
  for (const char* name : {"folder ", "recent "}) text.append(name).append(cut).append("\n");
  folder.write("settings.txt", text);
  Settings expected;
  expected.recent = {"/good.obj"};
  EXPECT_EQ(load_settings(folder.path()), expected);
  expected.folder = cut;
  ASSERT_TRUE(save_settings(expected, folder.path()));
  EXPECT_EQ(load_settings(folder.path()).folder, "");
}

TEST(Settings, WhereNothingCanBeWritten) {
  EXPECT_FALSE(save_settings({}, {}));
  EXPECT_FALSE(save_settings({}, "/proc/warpview"));
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_FALSE(save_settings({}, folder.path() / "file"));
}

TEST(Settings, RecentFilesAreFewAndDistinct) {
  Settings settings;
  for (int i = 0; i < 15; ++i) settings.opened("/mesh" + std::to_string(i) + ".obj");
  settings.opened("/here/../mesh10.obj");
  ASSERT_EQ(settings.recent.size(), Settings::most_recent);
  EXPECT_EQ(settings.recent[0], "/mesh10.obj");
  EXPECT_EQ(settings.recent[1], "/mesh14.obj");
  settings.opened("/line\nbreak.obj");
  EXPECT_EQ(settings.recent[0], "/mesh10.obj");
}

// Sets an environment variable for as long as it lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(Settings, TheirFolder) {
  const Environment home("HOME", "/home/someone");
  {
    const Environment config("XDG_CONFIG_HOME", "/config");
    EXPECT_EQ(settings_folder(), "/config/warpview");
  }
  for (const char* other : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Environment config("XDG_CONFIG_HOME", other);
    EXPECT_EQ(settings_folder(), "/home/someone/.config/warpview");
    const Environment nowhere("HOME", nullptr);
    EXPECT_EQ(settings_folder(), "");
  }
}

}  // namespace
}  // namespace warpview
