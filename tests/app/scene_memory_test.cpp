// How scenes were left, and that they are so again.
#include "app/remembering.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/settings.h"
#include "tests/app/breaking_device.h"
#include "tests/app/session_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview::test {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Choices = std::vector<SceneMemory::Choice>;
using Names = std::vector<std::string>;

// ---- Without a session --------------------------------------------------------------------------

TEST(SceneMemory, ScenesAreKnownByKindAndFiles) {
  const auto key = [](const std::vector<std::string>& words) {
    return memory_key(describe_scene(words));
  };
  EXPECT_EQ(key({}), key({"mesh"}));
  EXPECT_EQ(key({"particles:2000"}), key({"particles"})) << "a size is a control";
  EXPECT_NE(key({"particles"}), key({"mesh"}));
  EXPECT_EQ(key({"a/../b.obj"}), key({std::filesystem::absolute("b.obj").string()}));
  EXPECT_NE(key({"a.obj"}), key({"a.obj", "b.obj"}));
  EXPECT_EQ(key({"generated:knot"}), "mesh\tgenerated:knot");
  EXPECT_EQ(key({"line\nbreak.obj"}), "");
  EXPECT_NE(key({"generated:" + std::string(SceneMemory::longest_key - 15, 'x')}), "");
  EXPECT_EQ(key({"generated:" + std::string(SceneMemory::longest_key, 'x')}), "");
  SceneDescription moved = describe_scene({"a.obj"});
  moved.files[0].transform.m[3] = 1.0F;
  EXPECT_EQ(memory_key(moved), "");
  // A scene file is what it is, whatever it says.
  SceneDescription resolved = moved;
  resolved.asked = std::make_shared<const SceneDescription>(describe_scene({"garden.json"}));
  EXPECT_EQ(memory_key(resolved), key({"garden.json"}));
}

TEST(SceneMemory, KeepsWhatTheUserChanged) {
  std::vector<SceneMemory> memories;
  SceneMemory begun{.key = "a"};
  begun.view.emplace();
  begun.controls = Pairs{{"level", "0"}};
  begun.variants.emplace();
  begun.shown = Names{"mesh"};
  SceneMemory now = begun;
  remember(memories, now, begun);
  EXPECT_TRUE(memories.empty()) << "nothing was changed";

  now.shown = Names{"boxes"};
  remember(memories, now, begun);
  ASSERT_EQ(memories.size(), 1U);
  EXPECT_EQ(memories[0].shown, now.shown);
  EXPECT_FALSE(memories[0].view || memories[0].controls || memories[0].variants);

  // What was remembered stays remembered, as it is now.
  begun = now;
  now.shown = Names{"mesh"};
  now.controls = Pairs{{"level", "3"}};
  remember(memories, now, begun);
  remember(memories, now, now);
  ASSERT_EQ(memories.size(), 1U);
  EXPECT_EQ(memories[0].shown, now.shown);
  EXPECT_EQ(memories[0].controls, now.controls);
  now.key.clear();
  remember(memories, now, begun);
  EXPECT_EQ(memories.size(), 1U);
}

TEST(SceneMemory, ScenesAreFewAndDistinct) {
  std::vector<SceneMemory> memories;
  const auto leave = [&memories](int number) {
    SceneMemory now{.key = std::to_string(number)};
    now.shown.emplace();
    remember(memories, now, {});
  };
  for (int i = 0; i < 30; ++i) leave(i);
  leave(15);
  ASSERT_EQ(memories.size(), SceneMemory::most);
  EXPECT_EQ(memories[0].key, "15");
  EXPECT_EQ(memories[1].key, "29");
  EXPECT_EQ(find_memory(memories, "3"), nullptr);
}

TEST(SceneMemory, ACameraOfAnotherSceneIsNotRecalled) {
  Camera fitted;
  fitted.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  const auto recalled = [&fitted](float x, float distance) {
    Camera camera = fitted;
    recall(camera, {.fits = false, .distance = distance, .target = {x, 0, 0}});
    return camera;
  };
  EXPECT_EQ(recalled(0.5F, 2.0F).target.x, 0.5F);
  EXPECT_EQ(recalled(0.5F, 2.0F).distance, 2.0F);
  EXPECT_EQ(recalled(1e6F, 2.0F), fitted);
  EXPECT_EQ(recalled(0.0F, 1e6F), fitted);
  EXPECT_EQ(recalled(0.0F, 1e-6F), fitted);
  EXPECT_EQ(recalled(std::nanf(""), 2.0F), fitted);
  EXPECT_EQ(recalled(0.0F, std::nanf("")), fitted);
}

// ---- With one -----------------------------------------------------------------------------------

// A viewer that remembers, and what it begins with.
struct Remembering : SessionInWindow {
  explicit Remembering(std::vector<SceneMemory> memories = {})
      : Remembering(std::move(memories), open_device(Backend::cpu)) {}
  Remembering(std::vector<SceneMemory> memories, std::unique_ptr<Device> device)
      : SessionInWindow(std::move(device)) {
    model.memories = std::move(memories);
    model.remembers = true;
  }
  void open(const SceneDescription& description) {
    SessionInWindow::open(description);
    settle();
  }
  // Acts on what the user chose.
  void settle() {
    session.update();
    until([this] { return !session.busy() || model.moves(); });
  }
  std::vector<SceneMemory> leave() {
    settle();
    session.remember();
    return model.memories;
  }
};

// A user who changes something of each kind.
std::vector<SceneMemory> leave_changed(const SceneDescription& description) {
  Remembering viewer;
  viewer.open(description);
  set(viewer.model, "level=3");
  set(viewer.model, "animation=off");
  choose(viewer.model, "sort", "library");
  show(viewer.model, {"wire", "boxes"});
  viewer.settle();
  set(viewer.model, "crease=30");
  viewer.settle();
  viewer.model.camera.up_axis = UpAxis::z;
  viewer.model.camera.orbit(0.5F, 0.25F);
  viewer.model.camera.pan(0.1F, 0.1F);
  return viewer.leave();
}

// As the next start finds them.
std::vector<SceneMemory> through_a_file(const std::vector<SceneMemory>& memories) {
  Settings settings;
  settings.scenes = memories;
  std::istringstream file(settings_as_text(settings));
  return read_settings(file).scenes;
}

std::vector<std::string> shown_in(const Model& model) {
  std::vector<std::string> names;
  for (const OutputRow& output : model.outputs)
    if (output.shown) names.push_back(output.name);
  return names;
}
std::string variant_in(const Model& model, const std::string& stage) {
  return (*model.stage(stage)->variant)->name;
}

class SceneMemories : public SessionTest {};

TEST_F(SceneMemories, ASceneIsAsItWasLeft) {
  const std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  ASSERT_EQ(memories.size(), 1U);
  Remembering viewer(memories);
  viewer.open(describe(sphere_of_2000));
  const Model& model = viewer.model;
  EXPECT_EQ(model.controls["level"], 3.0);
  EXPECT_EQ(model.controls["crease"], 30.0);
  EXPECT_EQ(variant_in(model, "sort"), "library");
  EXPECT_EQ(shown_in(model), (Names{"wire", "boxes"}));
  const SceneMemory::View& view = *memories[0].view;
  EXPECT_FALSE(view.fits);
  EXPECT_EQ(model.camera.up_axis, UpAxis::z);
  EXPECT_EQ(model.camera.yaw, view.yaw);
  EXPECT_EQ(model.camera.pitch, view.pitch);
  EXPECT_EQ(model.camera.distance, view.distance);
  EXPECT_EQ(model.camera.target.x, view.target.x);
  EXPECT_TRUE(model.messages.empty());
  // And it is left so again.
  EXPECT_EQ(viewer.leave(), memories);
  // Another file takes over the controls, but begins with outputs and a view of its own.
  viewer.open(describe("generated:sphere:1000"));
  EXPECT_EQ(model.controls["level"], 3.0);
  EXPECT_EQ(shown_in(model), (Names{"mesh", "dots", "lines", "path", "picked"}));
  EXPECT_EQ(model.camera.yaw, Camera::home_yaw);
}

TEST_F(SceneMemories, AViewThatFitsFitsAgain) {
  std::vector<SceneMemory> memories;
  {
    Remembering viewer;
    viewer.open(describe(sphere_of_2000));
    viewer.model.requests.add(request::LookFrom{Side::top});
    memories = viewer.leave();
  }
  ASSERT_EQ(memories.size(), 1U);
  ASSERT_TRUE(memories[0].view && memories[0].view->fits);
  Remembering viewer(memories);
  viewer.session.set_view(2 * picture_side, picture_side);
  viewer.open(describe(sphere_of_2000));
  Camera expected;
  expected.look_from(Side::top);
  ASSERT_TRUE(viewer.model.scene_outline);
  expected.fit(viewer.model.scene_bounds, 2.0F, *viewer.model.scene_outline);
  EXPECT_EQ(viewer.model.camera, expected);
}

TEST_F(SceneMemories, VariantsOutliveSizesAndFiles) {
  Remembering viewer(leave_changed(describe(sphere_of_2000)));
  viewer.open(describe(sphere_of_2000));
  ASSERT_EQ(variant_in(viewer.model, "sort"), "library");
  set(viewer.model, "crease=20");
  viewer.settle();
  ASSERT_EQ(viewer.model.controls["crease"], 20.0);
  EXPECT_EQ(variant_in(viewer.model, "sort"), "library");
  viewer.model.requests.add(request::Reload{});
  viewer.settle();
  EXPECT_EQ(variant_in(viewer.model, "sort"), "library");
}

TEST_F(SceneMemories, EachSceneHasItsOwnUpAxis) {
  const std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  Remembering viewer(memories);
  viewer.open(describe(sphere_of_2000));
  ASSERT_EQ(viewer.model.camera.up_axis, UpAxis::z);
  viewer.open(describe("generated:sphere:1000"));
  EXPECT_EQ(viewer.model.camera.up_axis, UpAxis::y);
  viewer.model.usual_up = UpAxis::z;
  viewer.open(describe("generated:sphere:2000"));
  EXPECT_EQ(viewer.model.camera.up_axis, UpAxis::z);
}

TEST_F(SceneMemories, TheCommandLineWins) {
  std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  SceneDescription asked = describe(sphere_of_2000, {"level=1"}, Names{"curve"});
  asked.variants.add("sort=onesweep");
  asked.camera = Viewpoint{.eye = {0, 0, 5}, .target = {0, 0, 0}};
  Remembering viewer(memories);
  viewer.open(asked);
  const Model& model = viewer.model;
  EXPECT_EQ(model.controls["level"], 1.0);
  EXPECT_EQ(model.controls["crease"], 30.0) << "of this nothing was said";
  EXPECT_EQ(variant_in(model, "sort"), "onesweep");
  EXPECT_EQ(shown_in(model), Names{"curve"});
  EXPECT_NEAR(model.camera.eye().z, 5.0F, 1e-4F);
}

TEST_F(SceneMemories, ASceneFileIsNotHeldAgainstTheUser) {
  const TemporaryFolder folder;
  folder.write("scene.json", R"({"scene": "mesh", "files": ["generated:sphere:2000"],
                                 "controls": {"level": 5, "waves": 3}, "show": ["curve"]})");
  const SceneDescription file = describe((folder.path() / "scene.json").string());
  std::vector<SceneMemory> memories;
  {
    Remembering viewer;
    viewer.open(file);
    ASSERT_TRUE(viewer.model.messages.empty()) << viewer.model.messages[0].text;
    EXPECT_EQ(viewer.model.controls["level"], 5.0);
    set(viewer.model, "level=2");
    show(viewer.model, {"mesh"});
    memories = viewer.leave();
  }
  Remembering viewer(memories);
  viewer.open(file);
  EXPECT_EQ(viewer.model.controls["level"], 2.0);
  EXPECT_EQ(viewer.model.controls["waves"], 3.0);
  EXPECT_EQ(shown_in(viewer.model), Names{"mesh"});
}

// ---- What goes with the next scene --------------------------------------------------------------

TEST_F(SceneMemories, ControlsGoWithTheNextFile) {
  Remembering viewer;
  viewer.open(describe(sphere_of_2000));
  set(viewer.model, "level=3");
  set(viewer.model, "crease=60");
  viewer.settle();
  viewer.open(describe("generated:sphere:100", {"waves=3"}));
  EXPECT_EQ(viewer.model.controls["level"], 3.0);
  EXPECT_EQ(viewer.model.controls["crease"], 60.0);
  EXPECT_EQ(viewer.model.controls["waves"], 3.0) << "it was asked for";
  // Back in the first, as it was left.
  set(viewer.model, "level=5");
  viewer.open(describe(sphere_of_2000));
  EXPECT_EQ(viewer.model.controls["level"], 3.0);
  EXPECT_EQ(viewer.model.controls["waves"], Controls(scene_kinds().front().controls)["waves"]);
  viewer.open(describe("generated:sphere:100"));
  EXPECT_EQ(viewer.model.controls["level"], 5.0);
  // Not with another scene, in which they may be called the same.
  viewer.open(describe_scene({"deformation"}));
  EXPECT_EQ(viewer.model.controls["level"], Controls(viewer.model.controls.all())["level"]);
}

TEST_F(SceneMemories, OutputsAndAPauseStayWithTheirFile) {
  Remembering viewer;
  viewer.open(describe(sphere_of_2000, {"animation=refit"}));
  show(viewer.model, {"boxes"});
  viewer.model.playing = false;
  viewer.settle();
  viewer.open(describe("generated:sphere:100"));
  EXPECT_EQ(shown_in(viewer.model), (Names{"mesh", "dots", "lines", "path", "picked"}));
  EXPECT_TRUE(viewer.model.playing);
  // Back in the first: outputs are remembered, a pause is not.
  viewer.model.playing = false;
  viewer.open(describe(sphere_of_2000));
  EXPECT_EQ(shown_in(viewer.model), Names{"boxes"});
  EXPECT_TRUE(viewer.model.playing);
  // Read again, it is as it is set.
  viewer.model.playing = false;
  show(viewer.model, {"mesh"});
  viewer.settle();
  const std::uint64_t before = viewer.model.scene_number;
  viewer.model.requests.add(request::Reload{});
  viewer.until([&] { return viewer.model.scene_number != before; });
  EXPECT_EQ(shown_in(viewer.model), Names{"mesh"});
  EXPECT_FALSE(viewer.model.playing);
}

TEST_F(SceneMemories, SizesGoWithTheNextFileToo) {
  Remembering viewer;
  viewer.open(describe_scene({"particles:1000", sphere_of_2000}));
  set(viewer.model, "gravity=20");
  viewer.settle();
  const std::uint64_t before = viewer.model.scene_number;
  viewer.model.requests.add(request::Open{describe_scene({"particles", "generated:sphere:100"})});
  viewer.until([&] { return viewer.model.scene_number != before; });
  EXPECT_EQ(viewer.model.controls["count"], 1000.0);
  EXPECT_EQ(viewer.model.controls["gravity"], 20.0);
  EXPECT_EQ(viewer.model.scene_spec, "particles:1000 generated:sphere:100");
}

TEST_F(SceneMemories, ControlsThatWentWithAFileAreReset) {
  Remembering viewer;
  viewer.open(describe(sphere_of_2000));
  set(viewer.model, "level=3");
  viewer.settle();
  viewer.open(describe("generated:sphere:100"));
  ASSERT_EQ(viewer.model.controls["level"], 3.0);
  viewer.model.requests.add(request::ResetSettings{});
  viewer.settle();
  EXPECT_EQ(viewer.model.controls["level"], 0.0);
}

TEST_F(SceneMemories, WhatASceneFileSaysStaysWithIt) {
  const TemporaryFolder folder;
  folder.write("scene.json", R"({"scene": "mesh", "files": ["generated:sphere:2000"],
                                 "controls": {"level": 5, "waves": 3}})");
  Remembering viewer;
  viewer.open(describe((folder.path() / "scene.json").string()));
  ASSERT_EQ(viewer.model.controls["level"], 5.0);
  set(viewer.model, "waves=4");
  viewer.settle();
  viewer.open(describe("generated:sphere:100"));
  EXPECT_EQ(viewer.model.controls["level"], 0.0) << "nobody set it";
  EXPECT_EQ(viewer.model.controls["waves"], 4.0);
  // And nothing comes to it.
  set(viewer.model, "speed=1");
  folder.write("other.json", R"({"scene": "mesh", "files": ["generated:sphere:50"]})");
  viewer.open(describe((folder.path() / "other.json").string()));
  EXPECT_EQ(viewer.model.controls["speed"], 0.5);
}

// Chosen by hand or restored: what is seen in one scene is there in the next.
TEST_F(SceneMemories, RestoredVariantsGoWithTheNextFile) {
  SceneMemory memory{.key = memory_key(describe(sphere_of_2000))};
  memory.variants = Choices{{"sort", "sort", "onesweep"}};
  Remembering viewer({memory});
  viewer.open(describe(sphere_of_2000));
  ASSERT_EQ(variant_in(viewer.model, "sort"), "onesweep");
  viewer.open(describe("generated:sphere:100"));
  EXPECT_EQ(variant_in(viewer.model, "sort"), "onesweep");
}

// What nobody chose is not remembered of one backend for another.
TEST_F(SceneMemories, DefaultsAreThoseOfTheBackend) {
  const std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  auto gpu = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  gpu->pretend_to_be(Backend::cuda);
  Remembering viewer(through_a_file(memories), std::move(gpu));
  viewer.open(describe(sphere_of_2000));
  EXPECT_EQ(variant_in(viewer.model, "sort"), "library");
  EXPECT_EQ(variant_in(viewer.model, "build"),
            default_variant(Primitive::build, Backend::cuda)->name);
}

// What was chosen for another scene meanwhile is not for one that is remembered.
TEST_F(SceneMemories, ARememberedSceneIsAsItWasLeft) {
  SceneMemory memory{.key = memory_key(describe(sphere_of_2000))};
  memory.variants = Choices{{"build", "build", "karras"}};
  Remembering viewer({memory});
  viewer.open(describe("generated:sphere:100"));
  choose(viewer.model, "sort", "library");
  viewer.settle();
  viewer.open(describe(sphere_of_2000));
  EXPECT_EQ(variant_in(viewer.model, "build"), "karras");
  EXPECT_EQ(variant_in(viewer.model, "sort"), default_variant(Primitive::sort, Backend::cpu)->name);
}

// Though it is what the program would take without the file, the user has chosen it.
TEST_F(SceneMemories, ADefaultChosenOverAFileIsRemembered) {
  const TemporaryFolder folder;
  folder.write("scene.json", R"({"scene": "mesh", "files": ["generated:sphere:2000"],
                                 "variants": {"build": "karras", "sort": "library"}})");
  const SceneDescription file = describe((folder.path() / "scene.json").string());
  const Variant& usual = *default_variant(Primitive::build, Backend::cpu);
  std::vector<SceneMemory> memories;
  {
    Remembering viewer;
    viewer.open(file);
    EXPECT_EQ(variant_in(viewer.model, "build"), "karras");
    choose(viewer.model, "build", usual.name);
    memories = viewer.leave();
  }
  for (int time = 0; time < 2; ++time) {
    Remembering viewer(through_a_file(memories));
    viewer.open(file);
    EXPECT_EQ(variant_in(viewer.model, "build"), usual.name) << time;
    EXPECT_EQ(variant_in(viewer.model, "sort"), "library") << time;
    set(viewer.model, "crease=30");
    memories = viewer.leave();
  }
}

TEST_F(SceneMemories, WhatIsGoneIsIgnoredWithoutAWord) {
  SceneMemory memory{.key = memory_key(describe(sphere_of_2000))};
  memory.controls = Pairs{{"no_such_control", "1"}, {"level", "4"},       {"level", "1000"},
                          {"animation", "gone"},    {"amplitude", "nan"}, {"cut", "on"}};
  memory.variants = Choices{{"no_such_stage", "sort", "library"},
                            {"sort", "no_such_primitive", "library"},
                            {"scan", "sort", "onesweep"},
                            {"refit", "refit", "no_such_variant"},
                            {"sort", "sort", "library"}};
  memory.shown = Names{"no_such_output", "wire"};
  Remembering viewer({memory});
  viewer.open(describe(sphere_of_2000));
  const Model& model = viewer.model;
  EXPECT_TRUE(model.messages.empty()) << model.messages[0].text;
  EXPECT_EQ(model.controls["level"], 4.0);
  EXPECT_TRUE(model.controls.on("cut"));
  EXPECT_EQ(shown_in(model), Names{"wire"});
}

TEST_F(SceneMemories, SettingsOfEarlierVersionsAreRecalled) {
  SceneMemory memory{.key = memory_key(describe(sphere_of_2000))};
  memory.controls = Pairs{{"animation", "rebuild"}, {"travels", "z"}, {"waves", "3"}};
  {
    Remembering viewer({memory});
    viewer.open(describe(sphere_of_2000));
    EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("shape")), "wave");
    EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("tree")), "rebuild");
    EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("axis")), "z");
    EXPECT_EQ(viewer.model.controls["waves"], 3.0);
  }
  // What is asked for counts, by its earlier name and by today's.
  memory.controls = Pairs{{"shape", "twist"}, {"tree", "adaptive"}, {"travels", "z"}};
  Remembering viewer({memory});
  viewer.open(describe(sphere_of_2000, {"animation=refit", "axis=y"}));
  EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("shape")), "wave");
  EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("tree")), "refit");
  EXPECT_EQ(viewer.model.controls.text(viewer.model.controls.find("axis")), "y");
}

TEST_F(SceneMemories, SettingsOfASceneAreReset) {
  std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  memories.push_back({.key = "another"});
  Remembering viewer(memories);
  viewer.open(describe(sphere_of_2000));
  ASSERT_EQ(viewer.model.controls["level"], 3.0);
  viewer.model.requests.add(request::ResetSettings{});
  viewer.until([&] { return viewer.model.controls["level"] == 0.0 && !viewer.session.busy(); });
  const Model& model = viewer.model;
  EXPECT_EQ(model.controls["crease"], 45.0);
  EXPECT_EQ(variant_in(model, "sort"), default_variant(Primitive::sort, Backend::cpu)->name);
  EXPECT_EQ(shown_in(model), (Names{"mesh", "dots", "lines", "path", "picked"}));
  Camera expected;
  ASSERT_TRUE(model.scene_outline);
  expected.fit(model.scene_bounds, 1.0F, *model.scene_outline);
  EXPECT_EQ(model.camera, expected);
  const std::vector<SceneMemory> left = viewer.leave();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].key, "another");
}

TEST_F(SceneMemories, AResetThatFailsForgetsNothing) {
  const TemporaryFolder folder;
  folder.write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const SceneDescription file = describe((folder.path() / "triangle.obj").string());
  const std::vector<SceneMemory> memories = leave_changed(file);
  Remembering viewer(memories);
  viewer.open(file);
  std::filesystem::remove(folder.path() / "triangle.obj");
  viewer.model.requests.add(request::ResetSettings{});
  viewer.settle();
  EXPECT_TRUE(has_message(viewer.model, Message::Kind::error));
  EXPECT_EQ(viewer.model.controls["level"], 3.0);
  EXPECT_EQ(viewer.leave(), memories);
}

TEST_F(SceneMemories, ForgottenScenesStayForgotten) {
  Remembering viewer(leave_changed(describe(sphere_of_2000)));
  viewer.open(describe(sphere_of_2000));
  set(viewer.model, "level=1");
  viewer.settle();
  viewer.model.requests.add(request::ForgetScenes{});
  EXPECT_TRUE(viewer.leave().empty());
  set(viewer.model, "level=2");
  EXPECT_EQ(viewer.leave().size(), 1U) << "of what is set from now on";
}

// A size that takes too long, say, is no trap.
TEST_F(SceneMemories, WhatIsCancelledAtTheStartBeginsAnew) {
  SceneMemory memory{.key = memory_key(describe_scene({"particles:1000"}))};
  memory.controls = Pairs{{"count", "1000000"}, {"gravity", "5"}};
  SessionInWindow viewer(open_device(Backend::cpu));
  viewer.model.memories = {memory};
  viewer.model.remembers = true;
  viewer.model.requests.add(request::Open{describe_scene({"particles:2000"})});
  viewer.session.update();
  viewer.model.requests.add(request::CancelLoad{});
  viewer.until([&] { return !viewer.model.scene_name.empty(); });
  EXPECT_EQ(viewer.model.controls["gravity"], 3.0);
  EXPECT_TRUE(has_message(viewer.model, Message::Kind::warning));
}

// A size that is too large now, say, is no trap.
TEST_F(SceneMemories, WhatCannotBeAsItWasLeftBeginsAnew) {
  SceneMemory memory{.key = memory_key(describe_scene({"particles:1000"}))};
  memory.controls = Pairs{{"count", "8000000"}, {"gravity", "5"}};
  SessionInWindow viewer(std::make_unique<SmallDevice>(open_device(Backend::cpu), 300'000'000));
  viewer.model.memories = {memory};
  viewer.model.remembers = true;
  viewer.model.requests.add(request::Open{describe_scene({"particles"})});
  viewer.until([&] { return !viewer.model.scene_name.empty(); });
  EXPECT_EQ(viewer.model.controls["gravity"], 3.0);
  EXPECT_TRUE(has_message(viewer.model, Message::Kind::warning));
  EXPECT_FALSE(has_message(viewer.model, Message::Kind::error));
  EXPECT_EQ(find_memory(viewer.model.memories, memory.key), nullptr);
}

TEST_F(SceneMemories, WithoutAWindowNothingIsRememberedOrRecalled) {
  std::vector<SceneMemory> memories = leave_changed(describe(sphere_of_2000));
  SessionInWindow viewer(open_device(Backend::cpu));
  viewer.model.memories = memories;  // that nobody looks into
  viewer.open(describe(sphere_of_2000));
  EXPECT_EQ(viewer.model.controls["level"], 0.0);
  set(viewer.model, "level=2");
  viewer.session.remember();
  EXPECT_EQ(viewer.model.memories, memories);
}

}  // namespace
}  // namespace warpview::test
