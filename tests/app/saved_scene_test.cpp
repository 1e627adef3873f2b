// What is open as a scene file, and that the file opens to the same: File > Save scene.
#include "app/saved_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "app/viewpoints.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

// ---- Viewpoints ---------------------------------------------------------------------------------

// By angles in degrees, and bit by bit.
TEST(Viewpoints, AreTheSameAfterTheyWereSaid) {
  float angle = -3.1F;
  for (int i = 0; i < 400; ++i, angle += 0.0155F) {
    SceneMemory::View view{.fits = i % 3 == 0,
                           .up = i % 2 == 0 ? UpAxis::z : UpAxis::y,
                           .yaw = angle,
                           .pitch = 0.5F * angle,
                           .field_of_view = 0.3F + 0.2F * std::abs(angle)};
    if (!view.fits) {
      view.distance = std::exp(3.0F * angle);
      view.target = {angle, -7.0F * angle, 1e6F * angle};
    }
    const SceneDescription scene{.camera = viewpoint_of(view)};
    const fs::path file = test_folder() / "view.json";
    std::ofstream(file) << scene_file_text(scene, file.parent_path());
    const SceneDescription read = read_scene_file(file);
    ASSERT_TRUE(read.camera);
    EXPECT_EQ(view_of(*read.camera, Camera()), view) << angle;
  }
}

TEST(Viewpoints, FromAPointToAnotherAreThoseOfTheCamera) {
  Camera camera;
  camera.look_from({1, 2, 3}, {0.5F, 0, 0}, 40.0F);
  const SceneMemory::View view =
      view_of({.eye = {1, 2, 3}, .target = {0.5F, 0, 0}, .field_of_view = 40.0}, Camera());
  EXPECT_FALSE(view.fits);
  EXPECT_EQ(view.yaw, camera.yaw);
  EXPECT_EQ(view.pitch, camera.pitch);
  EXPECT_EQ(view.distance, camera.distance);
  EXPECT_EQ(view.target, camera.target);
  EXPECT_FLOAT_EQ(view.field_of_view, camera.field_of_view);
}

// ---- Scenes -------------------------------------------------------------------------------------

// A small scene, and what is set in it.
struct Case {
  std::vector<std::string> words;
  std::vector<std::string> settings;
  std::vector<std::pair<std::string, std::string>> variants;
  // Of the picture's pixels, at most. A fleet that has grown a while when it is opened has other
  // bounds than one that was opened before it grew: shadows of another resolution, and another
  // ground.
  double differs = 0.0;
  int threshold = 0;  // of a colour
};

class SavedScene : public SessionTest, public testing::WithParamInterface<std::string> {
 protected:
  static Case small(const std::string& scene) {
    if (scene == "mesh")
      return {{"mesh", sphere_of_2000}, {"crease=30", "level=3"}, {{"sort", "onesweep"}}};
    if (scene == "deformation")
      return {{"deformation", sphere_of_2000}, {"shape=twist", "strength=0.75"}, {}};
    if (scene == "particles") return {{"particles:1000", sphere_of_2000}, {"gravity=3"}, {}};
    if (scene == "cloth") return {{"cloth:24"}, {}, {}};
    if (scene == "reyes") return {{"reyes:20000"}, {"colour_by=patches"}, {}};
    if (scene == "rays") return {{"rays:20000", sphere_of_2000}, {"view=boxes", "order=rows"}, {}};
    if (scene == "ships") return {{"ships:6"}, {"animation=growing", "seed=4"}, {}, 0.02, 3};
    if (scene == "trees")
      return {{"trees:1024", sphere_of_2000}, {"a_frame=build"}, {{"c.trace", "stack"}}};
    if (scene == "svg") return {{"svg:20000"}, {"samples=1"}, {}};
    return {{scene}, {}, {}};
  }
  static SceneMemory::View seen_from(const Camera& camera) {
    return {.fits = false,
            .up = camera.up_axis,
            .yaw = camera.yaw,
            .pitch = camera.pitch,
            .field_of_view = camera.field_of_view,
            .distance = camera.distance,
            .target = camera.target};
  }
  static Picture drawn(Opened& opened) {
    opened.session.advance(0.0);
    opened.session.draw();
    return opened.session.read_back();
  }
};

INSTANTIATE_TEST_SUITE_P(All, SavedScene, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const SceneKind& kind : scene_kinds())
                             names.emplace_back(kind.name);
                           return names;
                         }()),
                         [](const auto& each) { return each.param; });

TEST_P(SavedScene, OpensToTheSameSettingsAndPicture) {
  const Case each = small(GetParam());
  const fs::path file = test_folder() / "saved.json";
  Opened opened(open_device(Backend::cpu));
  Model& model = opened.model;
  opened.session.open(describe_scene(each.words));
  for (const std::string& setting : each.settings) set(model, setting);
  for (const auto& [name, variant] : each.variants) choose(model, name, variant);
  opened.session.update();
  opened.session.finish();  // another size is made
  model.outputs.front().shown = !model.outputs.front().shown;
  opened.session.advance(0.0);
  model.outputs.front().shown = !model.outputs.front().shown;
  // Time passes as in a video without a window, and a paused scene has a moment.
  for (int frame = 0; frame < 6; ++frame) opened.session.advance(time_step);
  model.playing = !model.results->moving;
  model.camera.orbit(0.4F, 0.2F);
  model.camera.zoom(0.8F);
  model.requests.add(request::KeepCamera{"near, or not"});  // refused: a comma
  model.requests.add(request::KeepCamera{"near"});
  const Picture picture = drawn(opened);
  EXPECT_EQ(model.cameras.size(), 1U);
  const std::string text = opened.session.scene_text(file.parent_path());
  std::ofstream(file) << text;

  Opened again(open_device(Backend::cpu));
  again.open(file.string());
  EXPECT_EQ(seen_from(again.model.camera), seen_from(model.camera)) << "bit by bit";
  EXPECT_EQ(again.model.cameras, model.cameras);
  EXPECT_EQ(again.model.controls, model.controls);
  EXPECT_EQ(again.model.choices(), model.choices());
  const double seconds = model.results->moving ? model.results->seconds : 0.0;
  EXPECT_NEAR(again.model.results->seconds, seconds, 1e-9);
  EXPECT_LE(compare_images(drawn(again), picture, each.threshold), each.differs);
  EXPECT_EQ(again.session.scene_text(file.parent_path()), text) << "and it is saved alike";
  // Where another scene was open before, too.
  opened.open(sphere_of_2000);
  opened.open(file.string());
  EXPECT_EQ(opened.model.choices(), again.model.choices());
  EXPECT_EQ(opened.session.scene_text(file.parent_path()), text);
}

using SavingScenes = SessionTest;

TEST_F(SavingScenes, KeepsFilesWithTheirTransforms) {
  const fs::path folder = test_folder();
  fs::create_directories(folder / "there");
  const fs::path triangle = folder / "there" / "triangle.obj";
  std::ofstream(triangle) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(folder / "scene.json")
      << R"({"files": ["there/triangle.obj", {"path": "there/triangle.obj",)"
      << R"( "transform": [2, 0, 0, 0.1, 0, 1, 0, 3, 0, 0, 1, 0]}]})";
  Opened opened(open_device(Backend::cpu));
  opened.open((folder / "scene.json").string());
  // Below the folder by its name there, elsewhere by its whole path.
  const std::string here = opened.session.scene_text(folder);
  EXPECT_NE(here.find(R"("there/triangle.obj")"), std::string::npos) << here;
  EXPECT_EQ(here.find(folder.string()), std::string::npos) << here;
  const std::string elsewhere = opened.session.scene_text(folder / "other");
  EXPECT_NE(elsewhere.find(triangle.string()), std::string::npos) << elsewhere;
  std::ofstream(folder / "again.json") << here;
  const Aabb bounds = opened.model.scene_bounds;
  opened.open((folder / "again.json").string());
  EXPECT_EQ(opened.model.scene_bounds.max.x, bounds.max.x);
  EXPECT_EQ(opened.model.scene_bounds.max.y, bounds.max.y);
  ASSERT_EQ(opened.model.scene_files.size(), 2U);
  EXPECT_EQ(opened.model.scene_files[1].transform.m[3], 0.1F);
}

// The variant that a file names is the usual one of its scene, and is named again.
TEST_F(SavingScenes, NamesTheVariantsThatTheSceneWasAskedFor) {
  Opened opened(open_device(Backend::cpu));
  SceneDescription scene = describe_scene({sphere_of_2000});
  scene.variants.add("sort", "onesweep");
  opened.session.open(scene);
  EXPECT_NE(opened.session.scene_text({}).find(R"("sort": "onesweep")"), std::string::npos);
  EXPECT_EQ(opened.session.scene_text({}).find("\"scan\""), std::string::npos)
      << "another device may have another usual variant";
}

TEST_F(SavingScenes, FromTheWindowTellsWhatBecameOfTheFile) {
  const fs::path file = test_folder() / "saved.json";
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  window.model.requests.add(request::SaveScene{file.string()});
  window.until([&] { return has_message(window.model, Message::Kind::info); });
  EXPECT_EQ(read_scene_file(file).scene, "mesh");
  window.model.messages.clear();
  window.model.requests.add(request::SaveScene{"/no/such/folder/saved.json"});
  window.until([&] { return has_message(window.model, Message::Kind::error); });
}

// A file that is written over is opened as it says now, and not as it was left before.
TEST_F(SavingScenes, OverAFileForgetsHowThatWasLeft) {
  const std::string file = test_folder() / "saved.json";
  std::ofstream(file) << R"({"files": ["generated:sphere:2000"], "controls": {"level": 1}})";
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  model.remembers = true;
  window.open_next(describe_scene({file}));
  set(model, "level=5");
  window.open_next(describe_scene({sphere_of_2000}));
  EXPECT_FALSE(model.memories.empty());
  set(model, "level=2");
  model.requests.add(request::SaveScene{file});
  window.until([&] { return has_message(model, Message::Kind::info); });
  window.open_next(describe_scene({file}));
  EXPECT_EQ(model.controls["level"], 2.0);
}

TEST_F(SavingScenes, ThatFailsForgetsNothing) {
  const fs::path folder = test_folder() / "gone";
  fs::create_directory(folder);
  const std::string file = folder / "saved.json";
  std::ofstream(file) << R"({"files": ["generated:sphere:2000"], "controls": {"level": 1}})";
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  model.remembers = true;
  window.open_next(describe_scene({file}));
  set(model, "level=5");
  window.open_next(describe_scene({sphere_of_2000}));
  const auto memories = model.memories;
  EXPECT_EQ(memories.size(), 1U);
  fs::remove_all(folder);
  model.requests.add(request::SaveScene{file});
  window.until([&] { return has_message(model, Message::Kind::error); });
  EXPECT_EQ(model.memories, memories);
}

// ---- Cameras ------------------------------------------------------------------------------------

using Cameras = SessionTest;

TEST_F(Cameras, AreKeptAndLookedThroughByName) {
  Opened opened(open_device(Backend::cpu));
  Model& model = opened.model;
  opened.open(sphere_of_2000);
  const Picture fitted = opened.picture();
  const Camera first = model.camera;
  model.requests.add(request::KeepCamera{"all"});
  opened.session.update();
  model.camera.orbit(0.7F, 0.1F);
  model.camera.zoom(0.5F);
  const Camera second = model.camera;
  model.requests.add(request::KeepCamera{"near"});
  opened.session.update();
  model.requests.add(request::LookThrough{"all"});
  EXPECT_EQ(opened.picture().rgba, fitted.rgba);
  EXPECT_EQ(model.camera, first);
  model.requests.add(request::LookThrough{"near"});
  opened.session.update();
  EXPECT_EQ(model.camera, second);
  // One that sees all sees all in another view, too.
  opened.session.set_view(100, 300);
  model.requests.add(request::LookThrough{"all"});
  opened.session.update();
  Camera narrow = first;
  ASSERT_TRUE(model.scene_outline);
  narrow.fit(model.scene_bounds, 100.0F / 300.0F, *model.scene_outline);
  EXPECT_EQ(model.camera, narrow);
  // The same name again is the camera as it is now.
  model.camera = second;
  model.requests.add(request::KeepCamera{"all"});
  opened.session.update();
  ASSERT_EQ(model.cameras.size(), 2U);
  EXPECT_EQ(model.cameras[0].view.yaw, second.yaw);
  // What was deleted comes back.
  model.cameras.clear();
  opened.session.update();
  EXPECT_EQ(model.undoes, "Cameras");
  model.requests.add(request::Undo{});
  opened.session.update();
  EXPECT_EQ(model.cameras.size(), 2U);
  // They are of the scene.
  opened.open("generated:knot");
  EXPECT_TRUE(model.cameras.empty());
}

TEST_F(Cameras, AreAtMost32WithAnyNamesThatCanBeTyped) {
  Opened opened(open_device(Backend::cpu));
  Model& model = opened.model;
  opened.open(sphere_of_2000);
  std::vector<std::string> names = {"##x",
                                    "a###b",
                                    "%s",
                                    "\"q\" \\",
                                    "\u65e5\u672c",
                                    "--help",
                                    std::string(NamedViewpoint::longest, 'x')};
  while (names.size() < NamedViewpoint::most) names.push_back(fmt::format("c{}", names.size()));
  for (const std::string& name : names) {
    model.camera.orbit(0.05F, 0.01F);
    model.requests.add(request::KeepCamera{name});
    opened.session.update();
  }
  ASSERT_EQ(model.cameras.size(), names.size());
  EXPECT_TRUE(model.messages.empty());
  model.requests.add(request::KeepCamera{"one too many"});
  opened.session.update();
  EXPECT_TRUE(has_message(model, Message::Kind::error));
  EXPECT_EQ(model.cameras.size(), names.size());
  const auto kept = model.cameras;
  const std::string file = test_folder() / "many.json";
  std::ofstream(file) << opened.session.scene_text(test_folder());
  opened.open(file);
  EXPECT_EQ(model.cameras, kept);
  for (const std::string& name : names) {
    SceneDescription scene = describe_scene({file});
    scene.camera_name = name;
    EXPECT_NO_THROW(opened.session.open(scene)) << name;
  }
}

TEST_F(Cameras, OfASceneFileAreAskedForByName) {
  const std::string file = test_folder() / "scene.json";
  std::ofstream(file) << R"({"files": ["generated:sphere:2000"], "cameras": {
    "front": {"eye": [0, 0, 7], "target": [0, 0, 0], "field_of_view": 20},
    "from the top": {"yaw": 0, "pitch": 90, "up": "y"}}})";
  Opened opened(open_device(Backend::cpu));
  SceneDescription scene = describe_scene({file});
  scene.camera_name = "front";
  opened.session.open(scene);
  EXPECT_NEAR(opened.model.camera.eye().z, 7.0F, 1e-5F);
  EXPECT_EQ(opened.model.cameras.size(), 2U);
  scene.camera_name = "from the top";
  opened.session.open(scene);
  EXPECT_GT(opened.model.camera.backward().y, 0.999F);
  scene.camera_name = "fromt";
  std::string what;
  try {
    opened.session.open(scene);
  } catch (const ChoiceError& error) {
    what = error.what();
  }
  EXPECT_NE(what.find("\"fromt\""), std::string::npos) << what;
  EXPECT_NE(what.find("Did you mean front?"), std::string::npos) << what;
  EXPECT_NE(what.find("front, from the top"), std::string::npos) << what;
  EXPECT_GT(opened.model.camera.backward().y, 0.999F) << "what was open stays";
}

// As they were left, over what the file says.
TEST_F(Cameras, AreRememberedWithTheScene) {
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  model.remembers = true;
  window.open_next(describe_scene({sphere_of_2000}));
  model.camera.orbit(0.3F, 0.1F);
  model.requests.add(request::KeepCamera{"side"});
  window.until([&] { return !model.cameras.empty(); });
  const SceneMemory::NamedCamera kept = model.cameras.front();
  window.open_next(describe_scene({"generated:knot"}));
  EXPECT_TRUE(model.cameras.empty());
  window.open_next(describe_scene({sphere_of_2000}));
  ASSERT_EQ(model.cameras.size(), 1U);
  EXPECT_EQ(model.cameras.front(), kept);
  model.requests.add(request::ResetSettings{});
  window.until([&] { return model.cameras.empty(); });
}

}  // namespace
}  // namespace warpview::test
