#include "app/panels/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

using Pairs = std::vector<std::pair<std::string, std::string>>;
using SavedChoices = std::vector<SceneMemory::Choice>;
using Names = std::vector<std::string>;

// What the command line asked for is for this time, unless the user switches it.
TEST(Settings, KeepsTheLookThatTheUserSwitched) {
  Settings settings;
  RenderOptions now;
  settings.keep_look(now, {});
  EXPECT_EQ(settings.look, LookChoice()) << "nothing was switched";
  now.shadows = false;
  now.ground = false;
  LookChoice asked;
  asked[0] = false;  // --no-shadows
  settings.keep_look(now, asked);
  EXPECT_FALSE(settings.look[0]);
  EXPECT_EQ(settings.look[1], false);
  now.ground = true;
  settings.keep_look(now, asked);
  EXPECT_EQ(settings.look[1], true) << "switched back";
  RenderOptions later;
  later.ground = false;
  choose_look(later, settings.look);
  EXPECT_TRUE(later.ground);
  EXPECT_TRUE(later.shadows);
}

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
  settings.scene_beside_primitive = true;
  settings.z_up = true;
  settings.reload_on_change = true;
  settings.keep_runs = true;
  settings.theme = Theme::light;
  settings.scale_percent = 150;
  settings.legend = false;
  settings.look[1] = false;
  settings.look[3] = true;
  settings.scenes = {
      {.key = "mesh\t/b/with blanks and % signs.obj",
       .view = SceneMemory::View{.fits = false,
                                 .up = UpAxis::z,
                                 .yaw = -3.1F,
                                 .pitch = 1.0F / 3.0F,
                                 .field_of_view = 0.5F,
                                 .distance = 1e-7F,
                                 .target = {1e10F, -0.1F, 0.0F}},
       .controls = Pairs{{"level", "6"}, {"animation", "refit"}, {"speed", "-0.25"}},
       .variants = SavedChoices{{"cells.sort", "sort", "library"}, {"scan", "scan", "lookback"}},
       .shown = Names{"mesh", "boxes"},
       .cameras = std::vector<SceneMemory::NamedCamera>{{"from the top: above", {.pitch = 1.5F}},
                                                        {"2nd floor",
                                                         {.fits = false,
                                                          .up = UpAxis::z,
                                                          .yaw = -2.5F,
                                                          .distance = 7,
                                                          .target = {1, 2, 3}}}}},
      {.key = "mesh\t/c/not utf-8 \xff\xfe.obj", .shown = Names()},
      {.key = "particles", .view = SceneMemory::View{}}};
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
  EXPECT_EQ(load_settings(folder.path()), Settings{});

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

TEST(Settings, CamerasThatCannotLookAreForgotten) {
  const auto view_of = [](const std::string& words) {
    std::istringstream in("scene mesh\nscene_view " + words + "\nscene_shown mesh\n");
    return read_settings(in).scenes.at(0).view;
  };
  const std::optional<SceneMemory::View> good = view_of("moved z 0.5 0.25 0.6 3 1 2 -3");
  EXPECT_TRUE(view_of("moved z 0.5 0.25 0.0001 3 1 2 -3"));
  EXPECT_FALSE(view_of("moved z 0.5 0.25 0 3 1 2 -3"));
  EXPECT_FALSE(view_of("moved z 0.5 0.25 3.15 3 1 2 -3"));
  ASSERT_TRUE(good);
  EXPECT_FALSE(good->fits);
  EXPECT_EQ(good->up, UpAxis::z);
  EXPECT_EQ(good->target.z, -3.0F);
  for (const char* bad : {"", "moved", "moved z 0.5 0.25 0.6 3 1 2",
                          "moved z 0.5 0.25 0.6 3 1 2 -3 4", "gone z 0.5 0.25 0.6 3 1 2 -3",
                          "moved x 0.5 0.25 0.6 3 1 2 -3", "moved z nan 0.25 0.6 3 1 2 -3",
                          "moved z 0.5 inf 0.6 3 1 2 -3", "moved z 0.5 1.7 0.6 3 1 2 -3",
                          "moved z 0.5 0.25 0 3 1 2 -3", "moved z 0.5 0.25 3.2 3 1 2 -3",
                          "moved z 0.5 0.25 0.6 0 1 2 -3", "moved z 0.5 0.25 0.6 -3 1 2 -3",
                          "moved z 0.5 0.25 0.6 1e39 1 2 -3", "moved z 0.5 0.25 0.6 3 nan 2 -3",
                          "moved z 0.5 0.25 0.6 3 1 2 -inf", "moved z 0.5 0.25 0.6 3x 1 2 -3"})
    EXPECT_FALSE(view_of(bad)) << bad;
}

TEST(Settings, DamagedScenesAreLeftOutWordByWord) {
  std::istringstream in(
      "scene_shown mesh\nscene \nscene_shown mesh\nscene empty\nscene mesh\n"
      "scene_controls a= =b c  d=1\nscene_variants sort sort=x sort=:x sort=x: e=f:g\n"
      "scene_shown  mesh \nscene_unknown x\nscene mesh\nscene_shown wire\n");
  const Settings settings = read_settings(in);
  ASSERT_EQ(settings.scenes.size(), 1U);
  EXPECT_EQ(settings.scenes[0], (SceneMemory{.key = "mesh",
                                             .controls = Pairs{{"d", "1"}},
                                             .variants = SavedChoices{{"e", "f", "g"}},
                                             .shown = Names{"mesh"}}));
}

TEST(Settings, ScenesHaveBounds) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += "scene " + std::to_string(i) + "\nscene_shown";
    for (int n = 0; n < 1000; ++n) text += " mesh";
    text += "\n";
  }
  std::istringstream in(text);
  const Settings settings = read_settings(in);
  ASSERT_EQ(settings.scenes.size(), SceneMemory::most);
  EXPECT_EQ(settings.scenes[0].shown->size(), SceneMemory::most_names);
  // As many as there may be, with all their parts, are read back.
  Settings full;
  for (std::size_t i = 0; i < SceneMemory::most; ++i) {
    SceneMemory& scene = full.scenes.emplace_back(SceneMemory{.key = std::to_string(i)});
    scene.view.emplace();
    scene.controls = Pairs{{"a", "b"}};
    scene.variants.emplace();
    scene.shown.emplace();
    full.opened("/file" + std::to_string(i));
  }
  std::istringstream again(settings_as_text(full));
  EXPECT_EQ(read_settings(again), full);
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

TEST(Settings, TheFileOfKeptRuns) {
  const Environment home("HOME", "/home/someone");
  {
    const Environment data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(kept_runs_file(), "/data/warpview/runs.csv");
  }
  for (const char* other : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Environment data("XDG_DATA_HOME", other);
    EXPECT_EQ(kept_runs_file(), "/home/someone/.local/share/warpview/runs.csv");
    const Environment nowhere("HOME", nullptr);
    EXPECT_EQ(kept_runs_file(), "");
  }
}

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
