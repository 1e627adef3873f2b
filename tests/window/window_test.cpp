// The viewer from start to end, as its users have it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/render/screenshot.h"
#include "tests/window/desktop.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_mesh = "generated:sphere:500";

class Window : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_desktop(); !why.empty()) {
      ASSERT_FALSE(is_ci()) << why;
      GTEST_SKIP() << why;
    }
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    home_ = fs::path(testing::TempDir()) / "warpview_window" / test->name();
    fs::remove_all(home_);
    fs::create_directories(home_);
  }

  fs::path home_;
};

const Json& stage_in(const Json& map, const std::string& name) {
  static const Json none;
  for (const Json& stage : map["scene"]["stages"])
    if (stage["name"] == name) return stage;
  return none;
}

bool shows(const Json& map, const char* output) { return map["scene"]["outputs"][output]; }

bool says(const Json& map, const std::string& words) {
  return std::any_of(map["messages"].begin(), map["messages"].end(), [&](const Json& message) {
    return message["text"].get<std::string>().find(words) != std::string::npos;
  });
}

// All that can be used, and each panel, lies in the window.
void expect_all_inside(const Json& map) {
  const auto inside = [&](const Json& at) {
    constexpr double rounding = 1.0;
    return at[0] >= -rounding && at[1] >= -rounding &&
           at[0].get<double>() + at[2].get<double>() <= map["width"].get<double>() + rounding &&
           at[1].get<double>() + at[3].get<double>() <= map["height"].get<double>() + rounding;
  };
  for (const auto& [name, at] : map["panels"].items()) EXPECT_TRUE(inside(at)) << name << at;
  for (const Json& widget : map["widgets"])
    if (widget["visible"]) {
      EXPECT_TRUE(inside(widget["at"])) << widget;
    }
}

// ---- From start to end --------------------------------------------------------------------------

TEST_F(Window, StartsShowsAndEnds) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  const Json& map = viewer.until_at_rest();
  EXPECT_EQ(map["scene"]["spec"], small_mesh);
  EXPECT_TRUE(map["messages"].empty()) << map["messages"];
  expect_all_inside(map);
  EXPECT_NE(display.run("xprop -len 8 -id " + viewer.window_id() + " _NET_WM_ICON")
                .find("_NET_WM_ICON(CARDINAL)"),
            std::string::npos);
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exit_code(), 0);
}

// As a command says it that was copied.
TEST_F(Window, BeginsWithTheViewThatIsAskedFor) {
  const Display display;
  Viewer viewer(display, home_, {"--size", "420x310", small_mesh});
  const Json& map = viewer.until("the view", [](const Json& now) {
    return now["view"][2] == 420.0 && now["view"][3] == 310.0 && now["scene"]["frames"] > 0;
  });
  expect_all_inside(map);
}

TEST_F(Window, IsAsLargeAsOnADesktopOfTheScaleThatIsAskedFor) {
  const Display display;
  const auto height_of_menu = [&](const std::vector<std::string>& arguments) {
    Viewer viewer(display, home_, arguments);
    return viewer.until_at_rest()["panels"]["##MainMenuBar"][3].get<double>();
  };
  const double usual = height_of_menu({small_mesh});
  EXPECT_NEAR(height_of_menu({"--ui-scale", "2", small_mesh}), 2.0 * usual, 3.0);
}

// Into the browser, over what stands there: with the keys as fast as they come.
TEST_F(Window, OpensAFileWhosePathIsTyped) {
  const fs::path file = home_ / "a mesh.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("ctrl+o");
  const std::string browser = "Open a mesh or scene";
  viewer.click(browser, "path");
  viewer.act(
      fmt::format("key --delay 0 ctrl+a type --delay 0 --args 1 '{}' key Return", file.string()));
  const Json& map = viewer.until("the file", [&](const Json& now) {
    return now["scene"]["spec"] == file.string() && now["scene"]["frames"] > 0;
  });
  EXPECT_FALSE(map["panels"].contains(browser));
  EXPECT_FALSE(says(map, "not")) << map["messages"];
}

TEST_F(Window, SwitchesAVariantOfWhatMoves) {
  const Display display;
  Viewer viewer(display, home_, {"--animate", "rebuild", small_mesh});
  viewer.until("frames", [](const Json& map) { return map["scene"]["frames"] > 3; });
  ASSERT_NE(stage_in(viewer.now(), "sort")["variant"], "library");
  viewer.click("Timings", "sort/variant");
  viewer.click("##Combo_00", "sort/library");
  const Json& map = viewer.until("the library's sort", [](const Json& now) {
    return stage_in(now, "sort")["ran"] == "library";
  });
  const int frames = map["scene"]["frames"];
  viewer.until("more frames", [&](const Json& now) { return now["scene"]["frames"] > frames + 3; });
  EXPECT_TRUE(viewer.now()["messages"].empty()) << viewer.now()["messages"];
}

TEST_F(Window, RunsTheLaboratoryAndCancelsIt) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("l");
  viewer.click("Laboratory", "Results");
  viewer.click("Laboratory", "Run");
  viewer.click("Laboratory", "Cancel");
  const auto idle = [](const Json& map) { return map["laboratory"]["state"] == "idle"; };
  viewer.until("the end", idle);
  EXPECT_LT(viewer.now()["laboratory"]["answers"], viewer.now()["laboratory"]["variants"]);

  // One item, at the slider's left end.
  const Json size = viewer.widget("Laboratory", "size")["at"];
  viewer.click({size[0].get<double>() + 3.0, size[1].get<double>() + 0.5 * size[3].get<double>()});
  viewer.until("one item", [](const Json& map) { return map["laboratory"]["items"] == 1; });
  viewer.click("Laboratory", "Run");
  const Json& lab = viewer.until("answers", [&](const Json& map) {
    return idle(map) && map["laboratory"]["answers"] == map["laboratory"]["variants"];
  })["laboratory"];
  EXPECT_GT(lab["answers"], 3);
  EXPECT_EQ(lab["tab"], "results");
  EXPECT_EQ(lab["task"], "results");
  EXPECT_EQ(lab["error"], "");
}

// The numbers that show and hide outputs do so only where the outputs can be seen.
TEST_F(Window, ANumberHidesNothingBehindTheLaboratory) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("2");
  viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
  viewer.key("l");
  viewer.click("Laboratory", "Faults");
  viewer.until("no view", [](const Json& map) { return map["view"][2] <= 1.0; });
  viewer.key("1");
  viewer.key("l");
  const Json& map = viewer.until("the view", [](const Json& now) { return now["view"][2] > 1.0; });
  EXPECT_TRUE(shows(map, "mesh"));
}

TEST_F(Window, RunsAFaultByKeysAndPlaysIt) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("l");
  viewer.click("Laboratory", "Faults");
  viewer.click("Laboratory", "1  A sum of all items");
  viewer.key("Down");
  viewer.until("the second exercise", [](const Json& map) {
    return std::any_of(map["widgets"].begin(), map["widgets"].end(), [](const Json& each) {
      return each["name"] == "2  A scan in one buffer" && each["on"] == true;
    });
  });
  viewer.key("Return");
  viewer.widget("Laboratory", "Play a failing run");  // it can be pressed once a run has failed
  viewer.key("p");
  viewer.until("its steps", [](const Json& map) { return map["laboratory"]["tab"] == "steps"; });
  EXPECT_TRUE(viewer.now()["messages"].empty()) << viewer.now()["messages"];
}

TEST_F(Window, PicksWhatIsClicked) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.click(viewer.in_view(0.5, 0.5));
  viewer.until("a triangle", [](const Json& map) { return !map["scene"]["picked"].empty(); });
  const Json camera = viewer.now()["camera"];
  viewer.click(viewer.in_view(0.05, 0.05));
  viewer.until("nothing there", [](const Json& map) { return map["scene"]["picked"].empty(); });
  EXPECT_EQ(viewer.now()["camera"], camera);
}

// Upper edges of what can be seen in the Scene panel.
std::map<std::string, double> edges_in_scene_panel(const Json& map) {
  std::map<std::string, double> edges;
  for (const Json& widget : map["widgets"])
    if (widget["window"] == "Scene" && widget["visible"])
      edges[widget["name"].get<std::string>()] = widget["at"][1];
  return edges;
}

TEST_F(Window, ControlsStayInTheirPlaces) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  const auto before = edges_in_scene_panel(viewer.until_at_rest());
  ASSERT_GT(before.size(), 10U);
  const auto expect_same = [&](const char* when) {
    // A pick takes its place from the lower end.
    for (const auto& [name, edge] : edges_in_scene_panel(viewer.until_at_rest())) {
      const auto was = before.find(name);
      EXPECT_TRUE(was != before.end() && was->second == edge) << name << " after " << when;
    }
  };
  for (const char* output : {"BVH boxes", "Morton curve"}) {
    const Place place = viewer.place("Scene", output);
    const char* const name = output[0] == 'B' ? "boxes" : "curve";
    viewer.click(place);
    viewer.until(output, [&](const Json& map) { return shows(map, name); });
    expect_same(output);
    viewer.click(place);
    viewer.until(output, [&](const Json& map) { return !shows(map, name); });
    expect_same(output);
  }
  viewer.click(viewer.in_view(0.5, 0.5));
  viewer.until("a triangle", [](const Json& map) {
    return !map["scene"]["picked"].empty() && map["panels"].contains("Picked");
  });
  expect_same("a pick");
}

// The view as Ctrl+S keeps it, under the name that is free.
class Pictures {
 public:
  explicit Pictures(const fs::path& home) : folder_(home / "pictures") {}

  Picture take(Viewer& viewer) {
    const std::string name = fmt::format("warpview-{:03}.png", ++number_);
    viewer.key("ctrl+s");
    const Json& map = viewer.until(name, [&](const Json& now) { return says(now, name); });
    Picture picture = read_png((folder_ / name).string());
    EXPECT_EQ(picture.width, map["view"][2]);
    EXPECT_EQ(picture.height, map["view"][3]);
    EXPECT_NE(std::adjacent_find(picture.rgba.begin(), picture.rgba.end(), std::not_equal_to<>()),
              picture.rgba.end());
    return picture;
  }

 private:
  fs::path folder_;
  int number_ = 0;
};

// Blended lines may come in another order, and then round otherwise.
bool is_same(const Picture& a, const Picture& b) {
  constexpr int rounding = 3;
  return a.width == b.width && a.height == b.height && compare_images(a, b, rounding) == 0.0;
}

TEST_F(Window, ThePictureChangesWhereItShouldAndNowhereElse) {
  const Display display;
  Pictures pictures(home_);
  Picture left;
  {
    Viewer viewer(display, home_, {small_mesh});
    viewer.until_at_rest();
    const Picture first = pictures.take(viewer);

    viewer.key("F1");
    viewer.until("the help", [](const Json& map) { return map["panels"].contains("Keys"); });
    viewer.key("Escape");
    viewer.until("no help", [](const Json& map) { return !map["panels"].contains("Keys"); });
    EXPECT_TRUE(is_same(pictures.take(viewer), first)) << "after the help";

    // Until the view has the size that the panel leaves it: the layout follows some frames later.
    const Json view = viewer.now()["view"];
    const auto no_menu = [](const Json& map) {
      return !map["panels"].contains("##Menu_00") && map["input"]["waiting"] == 0;
    };
    const auto toggle_timings = [&](bool there) {
      viewer.click("##MainMenuBar", "View");
      viewer.click("##Menu_00", "Timings panel");
      viewer.key("Escape");
      viewer.until("the panel, or none", [&](const Json& map) {
        return map["panels"].contains("Timings") == there && (map["view"] == view) == there &&
               no_menu(map);
      });
    };
    toggle_timings(false);
    EXPECT_FALSE(is_same(pictures.take(viewer), first)) << "in a wider view";
    toggle_timings(true);
    EXPECT_TRUE(is_same(pictures.take(viewer), first)) << "after a panel was closed and opened";

    ASSERT_NE(stage_in(viewer.now(), "sort")["variant"], "library");
    viewer.click("Timings", "sort/variant");
    viewer.click("##Combo_00", "sort/library");
    viewer.until("the library's sort",
                 [](const Json& map) { return stage_in(map, "sort")["ran"] == "library"; });
    EXPECT_TRUE(is_same(pictures.take(viewer), first)) << "by another variant";

    viewer.key("2");
    viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
    const Picture wired = pictures.take(viewer);
    EXPECT_FALSE(is_same(wired, first)) << "with the wireframe";

    const Json fitted = viewer.now()["camera"];
    // In the upper half: the lower one may still have the notices of the pictures.
    viewer.act(move_to(viewer.in_view(0.4, 0.35)) + " mousedown 1 " +
               move_to(viewer.in_view(0.6, 0.25)) + " mouseup 1 " +
               move_to(viewer.place("Scene", "Mesh")));
    viewer.until("the camera elsewhere", [&](const Json& map) {
      return map["camera"] != fitted && map["input"]["waiting"] == 0;
    });
    const Picture turned = pictures.take(viewer);
    EXPECT_FALSE(is_same(turned, wired)) << "from another side";

    viewer.click("##MainMenuBar", "View");
    viewer.hover("##Menu_00", "Theme");
    viewer.click("##Menu_01", "Light");
    viewer.until("no menu", no_menu);
    left = pictures.take(viewer);
    EXPECT_FALSE(is_same(left, turned)) << "in the other theme";
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
  }
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  EXPECT_TRUE(is_same(pictures.take(viewer), left)) << "after a restart";
}

// What is to be remembered has no place: a file lies where the folder should be.
TEST_F(Window, LivesWhereNothingCanBeRemembered) {
  std::ofstream(home_ / "config") << "no folder";
  std::ofstream(home_ / "cache") << "no folder";
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("2");
  viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
  // It says so once, though it tries again and again.
  EXPECT_TRUE(says(viewer.now(), "not remembered: " + (home_ / "config/warpview").string()));
  EXPECT_EQ(viewer.now()["messages"].size(), 1U) << viewer.now()["messages"];
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exit_code(), 0);
  EXPECT_EQ(fs::file_size(home_ / "config"), 9U);
  std::ifstream log(home_ / "log.txt");
  const std::string told{std::istreambuf_iterator<char>(log), {}};
  const std::string words = "warpview: warning: Settings are not remembered";
  EXPECT_NE(told.find(words), std::string::npos) << told;
  EXPECT_EQ(told.find(words), told.rfind(words)) << told;
}

// Of the whole window, without the dialog that asked for it; and of the view, in a size of its own.
TEST_F(Window, SavesPicturesAsTheDialogSays) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("ctrl+shift+s");
  viewer.click("Save picture", "Full HD: 1920 x 1080");
  viewer.click("Save picture", "Save");
  viewer.until("a picture", [&](const Json& now) { return says(now, "warpview-001.png"); });
  const Picture large = read_png((home_ / "pictures" / "warpview-001.png").string());
  EXPECT_EQ(large.width, 1920);
  EXPECT_EQ(large.height, 1080);

  viewer.key("ctrl+shift+s");
  viewer.click("Save picture", "With the panels");
  viewer.click("Save picture", "Save");
  const Json& map = viewer.until("a picture of the window",
                                 [&](const Json& now) { return says(now, "warpview-002.png"); });
  const Picture window = read_png((home_ / "pictures" / "warpview-002.png").string());
  EXPECT_EQ(window.width, map["width"]);
  EXPECT_EQ(window.height, map["height"]);
  for (std::size_t alpha = 3; alpha < window.rgba.size(); alpha += 4)
    ASSERT_EQ(window.rgba[alpha], 255) << "it is not opaque";
  EXPECT_NE(std::adjacent_find(window.rgba.begin(), window.rgba.end(), std::not_equal_to<>()),
            window.rgba.end());
}

// Records while the user turns the model, and leaves no file where the user cancels.
TEST_F(Window, RecordsAVideoAndStaysLive) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("ctrl+r");
  viewer.click("Record video", "format/PNG files");
  viewer.click("Record video", "Record");
  viewer.until("frames", [](const Json& now) { return now["video"]["done"] >= 3; });
  const Json camera = viewer.now()["camera"];
  viewer.act(move_to(viewer.in_view(0.5, 0.7)) + " mousedown 1 " +
             move_to(viewer.in_view(0.6, 0.7)) + " mouseup 1");
  const Json& during = viewer.until(
      "another view", [&](const Json& now) { return now["camera"]["eye"] != camera["eye"]; });
  EXPECT_NE(during["video"]["file"], "") << "it still records";
  viewer.click("##recording", "Cancel");
  viewer.until("the end", [](const Json& now) { return now["video"]["file"] == ""; });
}

// What is saved is opened again, with its camera.
TEST_F(Window, SavesASceneAndOpensIt) {
  const Display display;
  const std::string file = home_ / "kept.json";
  Json camera;
  {
    Viewer viewer(display, home_, {small_mesh, "--set", "level=3", "--camera", "1,2,6,0,0,0"});
    viewer.until_at_rest();
    viewer.key("ctrl+e");
    viewer.click("Save scene", "path");
    viewer.act(fmt::format("key --delay 0 ctrl+a type --delay 0 --args 1 '{}' key Return", file));
    viewer.click("Save scene", "Save");
    viewer.until("a file", [&](const Json& now) { return says(now, "kept.json"); });
    camera = viewer.now()["camera"];
  }
  Viewer viewer(display, home_, {file});
  const Json& now = viewer.until_at_rest();
  EXPECT_EQ(now["camera"], camera);
  EXPECT_EQ(now["scene"]["controls"]["level"], 3.0);
}

// What has the keyboard's focus: "Scene: cut/Cut open"; empty: nothing.
std::string focused(const Json& map) {
  for (const Json& widget : map["widgets"])
    if (widget["focused"])
      return widget["window"].get<std::string>() + ": " + widget["name"].get<std::string>();
  return {};
}

// Presses Tab until that widget has the focus.
void tab_to(Viewer& viewer, const std::string& wanted) {
  constexpr int most = 100;
  for (int i = 0; i < most; ++i) {
    const std::string before = focused(viewer.now());
    if (before == wanted) return;
    viewer.key("Tab");
    viewer.until("another focus", [&](const Json& map) { return focused(map) != before; });
  }
  FAIL() << wanted << " was not reached";
}

// Nothing here moves the mouse.
TEST_F(Window, IsUsedWithoutAMouse) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  // A key that goes down again at once is a repetition to GLFW.
  const auto press = [&viewer](const std::string& keys) { viewer.act("key --delay 40 " + keys); };

  // A box, a slider and a list.
  press("Tab space");
  viewer.until("no mesh", [](const Json& map) { return !shows(map, "mesh"); });
  press("space");
  viewer.until("the mesh", [](const Json& map) { return shows(map, "mesh"); });
  tab_to(viewer, "Scene: cut/Cut open");
  press("space");
  viewer.until("the cut", [](const Json& map) { return map["scene"]["controls"]["cut"] == 1.0; });
  tab_to(viewer, "Scene: cut_at/value");
  press("Right");
  viewer.until("the slider", [](const Json& map) {
    return map["scene"]["controls"]["cut_at"].get<double>() > 0.505;
  });
  press("F6");
  viewer.until("the other panel",
               [](const Json& map) { return focused(map).starts_with("Timings"); });
  tab_to(viewer, "Timings: sort/variant");
  press("Return");
  viewer.until("the list", [](const Json& map) { return map["panels"].contains("##Combo_00"); });
  const std::string before = stage_in(viewer.now(), "sort")["variant"];
  press("Down Return");
  viewer.until("another sort", [&](const Json& map) {
    return stage_in(map, "sort")["ran"] != before && !map["panels"].contains("##Combo_00");
  });

  tab_to(viewer, "Timings: sort/Compare");
  press("Return");
  viewer.until("the comparison", [](const Json& map) {
    return std::any_of(map["widgets"].begin(), map["widgets"].end(), [](const Json& each) {
      return each["window"] == "Timings" && each["name"] == "comparison/Close";
    });
  });
  viewer.until_at_rest();

  // Menus, then the palette.
  press("Escape alt+v");
  viewer.until("a menu", [](const Json& map) { return map["panels"].contains("##Menu_00"); });
  press("Down Return");
  viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
  press("ctrl+p");
  viewer.until("the palette", [](const Json& map) { return map["panels"].contains("Commands"); });
  viewer.act("type --delay 0 'morton curve'");
  press("Return");
  viewer.until("the curve", [](const Json& map) {
    return shows(map, "curve") && !map["panels"].contains("Commands");
  });

  // The keys are the view's again.
  press("2");
  viewer.until("no wireframe", [](const Json& map) { return !shows(map, "wire"); });
  press("F11");
  viewer.until("no panels", [](const Json& map) { return !map["panels"].contains("Scene"); });
}

TEST_F(Window, UndoesByItsKeys) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("3");
  viewer.until("boxes", [](const Json& now) { return shows(now, "boxes"); });
  viewer.key("ctrl+z");
  viewer.until("no boxes", [](const Json& now) { return !shows(now, "boxes"); });
  viewer.key("ctrl+shift+z");
  viewer.until("boxes again", [](const Json& now) { return shows(now, "boxes"); });
}

TEST_F(Window, ComparesTwoPicturesWithADivider) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("b");
  viewer.until("A beside B", [](const Json& now) {
    return now["ab"]["kept"] == true && now["ab"]["view"] == "divider";
  });
  // The divider is dragged, and the camera stays.
  const Json before = viewer.now();
  const Place bar = viewer.place("##divider of A|B", "Divider");
  viewer.act(fmt::format("{} mousedown 1 {} mouseup 1", move_to(bar),
                         move_to({bar.x - 90.0, bar.y + 10.0})));
  const Json& dragged = viewer.until("the divider at the left", [](const Json& now) {
    return now["ab"]["divider"] < 0.45 && now["input"]["waiting"] == 0;
  });
  EXPECT_EQ(dragged["camera"], before["camera"]);
  // What is set now is B's alone.
  viewer.key("shift+b");
  viewer.until("no difference", [](const Json& now) {
    return now["ab"]["view"] == "difference" && !now["ab"]["difference"].is_null() &&
           now["ab"]["difference"]["largest"] == 0;
  });
  viewer.key("3");
  viewer.until("a difference", [](const Json& now) {
    return shows(now, "boxes") && !now["ab"]["difference"].is_null() &&
           now["ab"]["difference"]["share"] > 0.01;
  });
  viewer.key("ctrl+z");
  viewer.until("no difference again", [](const Json& now) {
    return !shows(now, "boxes") && !now["ab"]["difference"].is_null() &&
           now["ab"]["difference"]["largest"] == 0;
  });
  viewer.click("A|B", "Hide");
  viewer.until("B alone", [](const Json& now) {
    return now["ab"]["view"] == "b" && now["ab"]["pinned"] == true;
  });
  viewer.key("b");
  viewer.until("A again", [](const Json& now) { return now["ab"]["view"] == "divider"; });
  // Another scene ends it.
  viewer.click("##MainMenuBar", "Scene");
  viewer.click("##Menu_00", "Cloth");
  viewer.until("another scene alone", [](const Json& now) {
    return now["scene"]["name"].get<std::string>().find("loth") != std::string::npos &&
           now["ab"]["pinned"] == false && now["ab"]["kept"] == false && now["ab"]["view"] == "b";
  });
}

TEST_F(Window, IsUsableWhenSmall) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.resize(480, 320);
  viewer.key("1");
  const Json& map = viewer.until("no mesh", [](const Json& now) { return !shows(now, "mesh"); });
  expect_all_inside(map);
  EXPECT_GT(map["view"][2], 0);
  EXPECT_GT(map["view"][3], 0);
  viewer.click("##MainMenuBar", "View");
  viewer.click("##Menu_00", "Mesh");
  viewer.until("the mesh", [](const Json& now) { return shows(now, "mesh"); });
}

TEST_F(Window, PanelsShareANarrowWindow) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.resize(800, 600);
  viewer.until("tabs", [](const Json& now) { return now["panels"].contains("##tabs"); });
  viewer.click("##tabs", "Scene");
  viewer.until("the Scene panel", [](const Json& now) {
    return now["panels"].contains("Scene") && !now["panels"].contains("Timings");
  });
  viewer.click("Scene", "Mesh");
  viewer.until("no mesh", [](const Json& now) { return !shows(now, "mesh"); });
  viewer.key("shift+F11");
  viewer.until("the other panel",
               [](const Json& now) { return now["panels"].contains("Timings"); });
}

TEST_F(Window, IsUsableOnALargeScaledDesktop) {
  const Display display(192);
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.resize(3840, 2160);
  const Json& map = viewer.until("panels at twice the size", [](const Json& now) {
    return now["view"][3].get<double>() > 2000;
  });
  EXPECT_EQ(map["desktop_scale"], 2.0);
  expect_all_inside(map);
  viewer.click("Scene", "Mesh");
  viewer.until("no mesh", [](const Json& now) { return !shows(now, "mesh"); });
  EXPECT_GT(viewer.widget("Scene", "Mesh")["at"][3], 30) << "twice as high";
}

TEST_F(Window, LeavesWhileItLoads) {
  const Display display;
  Viewer viewer(display, home_, {"generated:sphere:4000000"});
  viewer.until("loading", [](const Json& map) { return !map["loading"].is_null(); });
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exit_code(), 0);
}

TEST_F(Window, RemembersHowItWasLeft) {
  const fs::path file = home_ / "mesh.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const Display display;
  {
    Viewer viewer(display, home_, {file.string()});
    viewer.until_at_rest();
    viewer.resize(1000, 700);
    viewer.click("##MainMenuBar", "View");
    viewer.click("##Menu_00", "Timings panel");
    viewer.until("one panel less",
                 [](const Json& map) { return !map["panels"].contains("Timings"); });
    viewer.key("Escape ctrl+plus u");
    viewer.until("z is up", [](const Json& map) { return map["camera"]["up"] == "z"; });
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
  }
  Viewer viewer(display, home_, {});
  const Json& map = viewer.until_at_rest();
  EXPECT_EQ(map["width"], 1000);
  EXPECT_EQ(map["height"], 700);
  EXPECT_EQ(map["camera"]["up"], "z");
  EXPECT_TRUE(map["panels"].contains("Scene"));
  EXPECT_FALSE(map["panels"].contains("Timings"));
  viewer.click("##MainMenuBar", "File");
  viewer.hover("##Menu_00", "Open recent");
  viewer.click("##Menu_01", "mesh.obj");
  viewer.until("the file", [&](const Json& now) { return now["scene"]["spec"] == file.string(); });
}

TEST_F(Window, RemembersHowASceneWasLeft) {
  const Display display;
  Json left;
  const std::vector<std::string> start = {"mesh", small_mesh};
  {
    Viewer viewer(display, home_, start);
    viewer.until_at_rest();
    viewer.resize(1280, 1000);  // so that all controls are in view
    viewer.key("2");
    viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
    viewer.act(move_to(viewer.in_view(0.4, 0.5)) + " mousedown 1 " +
               move_to(viewer.in_view(0.6, 0.4)) + " mouseup 1");
    viewer.click("Scene", "cut/Cut open");
    left = viewer.until("a cut", [](const Json& map) {
      return map["scene"]["controls"]["cut"] == 1.0 && map["input"]["waiting"] == 0;
    });
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
  }
  {
    Viewer viewer(display, home_, start);
    const Json& map = viewer.until_at_rest();
    EXPECT_EQ(map["camera"], left["camera"]);
    EXPECT_EQ(map["scene"]["controls"], left["scene"]["controls"]);
    EXPECT_EQ(map["scene"]["outputs"], left["scene"]["outputs"]);
    viewer.click("##MainMenuBar", "Scene");
    viewer.click("##Menu_00", "Reset settings of this scene");
    viewer.until("no wireframe", [](const Json& now) { return !shows(now, "wire"); });
    EXPECT_NE(viewer.now()["camera"], left["camera"]);
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
  }
  Viewer viewer(display, home_, start);
  const Json& map = viewer.until_at_rest();
  EXPECT_FALSE(shows(map, "wire"));
  EXPECT_EQ(map["scene"]["controls"]["cut"], 0.0);
}

double distance_between(const Json& a, const Json& b) {
  return std::hypot(a[0].get<double>() - b[0].get<double>(),
                    a[1].get<double>() - b[1].get<double>(),
                    a[2].get<double>() - b[2].get<double>());
}

// Where a camera looks to, as a step of length 1.
Json way_of(const Json& camera) {
  Json way = Json::array();
  for (std::size_t axis = 0; axis < 3; ++axis)
    way.push_back((camera["target"][axis].get<double>() - camera["eye"][axis].get<double>()) /
                  camera["distance"].get<double>());
  return way;
}

TEST_F(Window, FliesWhileAKeyIsHeld) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  viewer.key("F1");
  const auto has_help = [](const Json& map) { return map["panels"].contains("Keys"); };
  const Json begin = viewer.until("the help", has_help)["camera"];
  const auto flies = [](const Json& map) { return map["camera"]["flies"].get<bool>(); };
  viewer.act(move_to(viewer.in_view(0.5, 0.5)));
  viewer.key("shift+f");
  viewer.until("a flight, and what its keys do",
               [&](const Json& map) { return flies(map) && map["panels"].contains("##flight"); });
  viewer.act("keydown w");
  viewer.until("another place", [&](const Json& map) {
    return distance_between(map["camera"]["eye"], begin["eye"]) > 0.2;
  });
  viewer.act("keyup w");
  viewer.act("mousemove_relative 60 0");
  viewer.until("another way to look", [&](const Json& map) {
    return distance_between(way_of(map["camera"]), way_of(begin)) > 0.05;
  });
  viewer.key("Escape");
  const Json end =
      viewer.until("no flight", [&](const Json& map) { return !flies(map); })["camera"];
  EXPECT_TRUE(has_help(viewer.now())) << "Escape did nothing else";
  viewer.key("Escape");
  viewer.until("no help", [&](const Json& map) { return !has_help(map); });
  // At rest the keys mean nothing.
  const int before = viewer.now()["input"]["seen"];
  viewer.act("keydown w keyup w");
  viewer.until("a key", [&](const Json& map) {
    return map["input"]["seen"] >= before + 2 && map["input"]["waiting"] == 0;
  });
  EXPECT_EQ(viewer.now()["camera"], end);
  // The cursor is there again.
  viewer.click("Scene", "Wireframe");
  viewer.until("the wireframe", [](const Json& map) { return shows(map, "wire"); });
}

// ---- Hands that are faster than frames ----------------------------------------------------------

TEST_F(Window, AQuickClickTogglesTheBoxThatItHit) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  const Place mesh = viewer.place("Scene", "Mesh");
  const Place points = viewer.place("Scene", "Unique vertices");
  for (int i = 1; i <= 6; ++i) {
    const int seen = viewer.now()["input"]["seen"];
    viewer.act(move_to(mesh) + " click 1 " + move_to(points));
    // Two places and two events of the button at least.
    viewer.until("the click", [&](const Json& map) {
      return map["input"]["seen"] >= seen + 4 && map["input"]["waiting"] == 0;
    });
    EXPECT_EQ(shows(viewer.now(), "mesh"), i % 2 == 0) << i;
    EXPECT_FALSE(shows(viewer.now(), "points")) << i;
  }
}

TEST_F(Window, AQuickDragOfASliderDoesNotTurnTheCamera) {
  const Display display;
  Viewer viewer(display, home_, {"--animate", "refit", small_mesh});
  // What opens in the panel meanwhile moves the slider: the press goes where the cursor has met it.
  viewer.hover("Scene", "amplitude/value");
  const Place slider = viewer.place("Scene", "amplitude/value");
  const double before = viewer.now()["scene"]["controls"]["amplitude"];
  const Json camera = viewer.now()["camera"];
  viewer.act(fmt::format("{} mousedown 1 {} {} mouseup 1", move_to(slider),
                         move_to({slider.x + 30.0, slider.y}), move_to(viewer.in_view(0.5, 0.5))));
  const Json& map = viewer.until("another amplitude", [&](const Json& now) {
    return now["scene"]["controls"]["amplitude"] != before && now["input"]["waiting"] == 0;
  });
  EXPECT_EQ(map["camera"], camera);
  EXPECT_TRUE(map["scene"]["picked"].empty());
}

TEST_F(Window, APanelsEdgeIsDraggedAndTheCameraStays) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  const double fitted = viewer.until_at_rest()["camera"]["distance"];
  viewer.act(move_to(viewer.in_view(0.5, 0.5)) + " click 4");  // or it would be fitted again
  viewer.until("the camera nearer",
               [&](const Json& now) { return now["camera"]["distance"] < fitted; });
  const Json before = viewer.now();
  const Place edge = viewer.place("##edge of Timings", "Width");
  viewer.act(fmt::format("{} mousedown 1 {} mouseup 1", move_to(edge),
                         move_to({edge.x - 80.0, edge.y + 20.0})));
  const Json& map = viewer.until("a wider panel", [&](const Json& now) {
    return now["panels"]["Timings"][2].get<double>() >
               before["panels"]["Timings"][2].get<double>() + 70.0 &&
           now["input"]["waiting"] == 0;
  });
  EXPECT_LT(map["view"][2], before["view"][2]);
  EXPECT_EQ(map["camera"], before["camera"]);
  // A window that is slow may see two clicks with a pause between them, and the user clicks again.
  const auto is_as_usual = [&](const Json& now) {
    return now["panels"]["Timings"] == before["panels"]["Timings"];
  };
  for (bool first = true; first || !is_as_usual(viewer.now()); first = false) {
    const int seen = viewer.now()["input"]["seen"];
    viewer.act(move_to(viewer.place("##edge of Timings", "Width")) +
               " click --repeat 2 --delay 20 1");
    viewer.until("the clicks", [&](const Json& now) {
      return now["input"]["seen"] >= seen + 4 && now["input"]["waiting"] == 0;
    });
  }
}

TEST_F(Window, FiveQuickClicksOnRepeatAreFiveRuns) {
  const Display display;
  Viewer viewer(display, home_, {small_mesh});
  viewer.until_at_rest();
  const auto runs = [](const Json& map) { return stage_in(map, "sort")["runs"].get<int>(); };
  const int before = runs(viewer.now());
  viewer.act(move_to(viewer.place("Timings", "sort/Repeat")) + " click --repeat 5 --delay 0 1");
  const Json& map =
      viewer.until("five runs", [&](const Json& now) { return runs(now) >= before + 5; });
  EXPECT_EQ(runs(map), before + 5);
}

// ---- Welcome and the tour -----------------------------------------------------------------------

bool shows_panel(const Json& map, const char* name) { return map["panels"].contains(name); }

TEST_F(Window, WelcomesAtTheFirstStartAlone) {
  const Display display;
  {
    Viewer viewer(display, home_, {});
    const Json& map = viewer.until("Welcome", [](const Json& now) {
      return shows_panel(now, "Welcome") && now["scene"]["frames"] > 0;
    });
    expect_all_inside(map);
    viewer.key("Escape");
    viewer.until("no Welcome", [](const Json& now) { return !shows_panel(now, "Welcome"); });
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
  }
  Viewer viewer(display, home_, {});
  viewer.until("a scene", [](const Json& now) { return now["scene"]["frames"] > 0; });
  EXPECT_FALSE(shows_panel(viewer.now(), "Welcome"));
}

TEST_F(Window, DoesNotWelcomeWhereTheCommandLineSaysWhatToShow) {
  const Display display;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{small_mesh}, {"--no-welcome"}, {"--set", "level=2"}}) {
    const fs::path home = home_ / arguments.back();
    fs::create_directories(home);
    Viewer viewer(display, home, arguments);
    viewer.until("a scene", [](const Json& now) { return now["scene"]["frames"] > 0; });
    EXPECT_FALSE(shows_panel(viewer.now(), "Welcome")) << arguments.back();
  }
}

// What the step points at, in sight, until it is done.
void expect_step(Viewer& viewer, int step) {
  const Json& map = viewer.until("step " + std::to_string(step), [step](const Json& now) {
    return now["tour"].is_object() && now["tour"]["step"] == step;
  });
  const std::string window = map["tour"]["window"];
  const std::string name = map["tour"]["widget"];
  viewer.until("the widget " + name, [&](const Json& now) {
    return std::any_of(now["widgets"].begin(), now["widgets"].end(), [&](const Json& each) {
      return each["window"] == window && each["name"] == name && each["visible"];
    });
  });
}
void expect_done(Viewer& viewer, const char* button) {
  // The card moves to what the step has brought.
  viewer.until("the step's end", [](const Json& now) {
    return now["tour"]["done"] == true && now["settled"] == true;
  });
  viewer.click("Tour", button);
}

// By mouse and keys, with panels that were hidden and a window that becomes another size.
TEST_F(Window, LeadsThroughTheTour) {
  const Display display;
  Viewer viewer(display, home_, {"generated:sphere:500"});
  viewer.until_at_rest();
  viewer.click("##MainMenuBar", "Help");
  viewer.click("##Menu_00", "Take the tour");
  expect_step(viewer, 1);
  const auto drag = [&](double from, double to) {
    const Place a = viewer.in_view(from, 0.4);
    const Place b = viewer.in_view(to, 0.4);
    viewer.act(move_to(a) + " mousedown 1 " + move_to(b) + " mouseup 1");
  };
  drag(0.4, 0.6);
  expect_done(viewer, "Next");
  expect_step(viewer, 2);
  viewer.click(viewer.in_view(0.5, 0.5));
  expect_done(viewer, "Next");
  expect_step(viewer, 3);
  viewer.resize(1000, 640);
  viewer.until("the new size", [](const Json& now) { return now["width"] == 1000; });
  viewer.click("Timings", "sort/variant");
  viewer.click("##Combo_00", "sort/onesweep");
  expect_done(viewer, "Next");
  expect_step(viewer, 4);
  viewer.click("Timings", "sort/Compare");
  expect_done(viewer, "Next");
  expect_step(viewer, 5);
  viewer.click("Timings", "sort/Watch");
  expect_done(viewer, "Finish");
  viewer.until("the end", [](const Json& now) { return now["tour"].is_null(); });
}

}  // namespace
}  // namespace warpview::test
