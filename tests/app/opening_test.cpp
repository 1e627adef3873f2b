// Scenes that are opened, read again and made anew, through a session.
#include "app/opening.h"

#include <filesystem>
#include <fstream>

#include "gpu/runtime/vertex.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

using OpeningTest = SessionTest;

TEST_F(OpeningTest, WhatIsOpenStaysWhenOpeningFails) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture before = opened.picture();
  EXPECT_THROW(opened.open("no/such/file.obj"), InputError);
  EXPECT_TRUE(opened.model.messages.empty()) << "it was thrown";
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_EQ(opened.picture().rgba, before.rgba);

  opened.model.requests.add(request::Open{describe_scene({"no/such/file.obj"})});
  opened.session.finish();
  EXPECT_FALSE(opened.model.loading);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 2000U);
  EXPECT_EQ(opened.picture().rgba, before.rgba);
}

TEST_F(OpeningTest, WhatWasSetStaysWhenOpeningFails) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  set(opened.model, "animation=refit");
  set(opened.model, "level=4");
  show(opened.model, {"mesh", "boxes"});
  choose(opened.model, "sort", "library");
  const Controls controls = opened.model.controls;
  opened.picture();
  opened.model.requests.add(request::Open{describe_scene({"no/such/file.obj"})});
  opened.session.finish();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  opened.picture();
  EXPECT_TRUE(opened.model.controls == controls);
  EXPECT_TRUE(opened.model.output("boxes")->shown);
  EXPECT_EQ(stage(opened.model, "sort").variant, find_variant(Primitive::sort, "library"));
  EXPECT_TRUE(opened.model.moves());
}

TEST_F(OpeningTest, OpensOnAThreadOfItsOwn) {
  Opened opened(open_device(Backend::cpu));
  const Picture empty = opened.picture();
  opened.model.requests.add(request::Open{describe_scene({sphere_of_2000})});
  EXPECT_TRUE(opened.session.busy());
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_FALSE(opened.model.scene_name.empty());
  EXPECT_NE(opened.picture().rgba, empty.rgba);
}

// The fleet flies over the mesh in one formation only.
TEST_F(OpeningTest, IsNamedAfterTheMeshWhereThatHasAnEffect) {
  Opened opened(open_device(Backend::cpu));
  opened.model.requests.add(request::Open{describe_scene({"ships:5", sphere_of_2000})});
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_name, "Spaceships");
  opened.model.controls.set("formation=mesh");
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_name.find("Spaceships, "), 0U) << opened.model.scene_name;
  opened.model.controls.set("formation=wedge");
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_name, "Spaceships");
}

TEST_F(OpeningTest, ACancelledLoadLeavesWhatIsOpen) {
  const std::filesystem::path file = test_folder() / "long.obj";
  {
    std::ofstream out(file);
    for (int i = 0; i < 300'000; ++i) out << "v " << i << " 0 1\n";
    for (int i = 1; i < 299'998; ++i) out << "f " << i << ' ' << i + 1 << ' ' << i + 2 << '\n';
  }
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.model.requests.add(request::Open{describe_scene({file.string()})});
  opened.session.update();
  EXPECT_TRUE(opened.session.busy());
  opened.model.requests.add(request::CancelLoad{});
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::info));
  EXPECT_FALSE(has_message(opened.model, Message::Kind::error));
}

// What is asked for later takes the place of what is loading.
TEST_F(OpeningTest, TheLastOfSeveralIsOpened) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  for (const char* spec :
       {"generated:knot", "no/such/file.obj", "generated:sphere:500000", "generated:sphere:700"}) {
    opened.model.requests.add(request::Open{describe_scene({spec})});
    opened.session.update();
  }
  EXPECT_TRUE(opened.session.busy());
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_spec, "generated:sphere:700");
  opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 700U);
  EXPECT_FALSE(opened.model.loading);
}

TEST_F(OpeningTest, WarningsOfTheLoaderBecomeMessages) {
  const std::filesystem::path file = test_folder() / "warns.obj";
  std::ofstream(file) << "mtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n";
  Opened opened(open_device(Backend::cpu));
  opened.open(file);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::warning));
  for (const Message& message : opened.model.messages)
    EXPECT_EQ(message.text.find("warns: "), 0U) << "of which file? " << message.text;
  opened.picture();
  const auto dropped =
      std::find_if(opened.model.results->facts.begin(), opened.model.results->facts.end(),
                   [](const Fact& fact) { return fact.name == "mesh.dropped_triangles"; });
  ASSERT_NE(dropped, opened.model.results->facts.end());
  EXPECT_NE(dropped->tooltip.find("invalid indices: 1."), std::string::npos);
}

TEST_F(OpeningTest, AFileThatIsReadAgainTellsItsNewFaultsOnce) {
  const std::filesystem::path file = test_folder() / "edited.obj";
  const std::string sound = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(file) << sound;
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(file));
  const auto read_again = [&] {
    const std::size_t messages = window.model.messages.size();
    window.model.requests.add(request::Reload{});
    window.session.update();
    window.until([&] { return !window.session.busy() && !window.model.loading; });
    return window.model.messages.size() - messages;
  };
  EXPECT_EQ(read_again(), 0U);
  EXPECT_EQ(count(window.model, "mesh.triangles"), 1U);
  std::ofstream(file) << sound << "f 3 2 1\nf 1 2 9\n";
  EXPECT_EQ(read_again(), 1U);
  EXPECT_TRUE(has_message(window.model, Message::Kind::warning));
  window.until([&] { return count(window.model, "mesh.triangles") == 2U; });
  EXPECT_EQ(read_again(), 0U);
}

// In one scene after the other.
TEST_F(OpeningTest, WarningsOfAFileAreSaidOnce) {
  const std::filesystem::path file = test_folder() / "warned.obj";
  const std::string sound = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(file) << sound << "f 1 2 9\n";
  SessionInWindow window(open_device(Backend::cpu));
  const auto warnings = [&] {
    const auto n = std::count_if(
        window.model.messages.begin(), window.model.messages.end(),
        [](const Message& message) { return message.kind == Message::Kind::warning; });
    for (const Message& message : window.model.messages) EXPECT_EQ(message.about, "warned");
    window.model.messages.clear();
    return n;
  };
  window.open_next(describe(file));
  EXPECT_EQ(warnings(), 1);
  window.open_next(describe_scene({"deformation", file.string()}));
  EXPECT_EQ(warnings(), 0);
  window.open_next(describe(sphere_of_2000));
  window.open_next(describe(file));
  EXPECT_EQ(warnings(), 1);
  // Mended.
  std::ofstream(file) << sound;
  window.model.requests.add(request::Reload{});
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(window.model.messages.back().kind, Message::Kind::info);
  EXPECT_EQ(warnings(), 0);
}

TEST_F(OpeningTest, FilesThatAreReadAgainShowWhatTheyHoldNow) {
  const std::filesystem::path file = test_folder() / "rewritten.obj";
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\n";
  std::ofstream(file) << vertices << "f 1 2 3\n";
  Opened opened(open_device(Backend::cpu));
  opened.open(file);
  opened.model.camera.orbit(0.3F, 0.2F);
  const Camera camera = opened.model.camera;
  const Picture before = opened.picture();
  std::ofstream(file) << vertices << "f 1 2 3\nf 2 4 3\n";
  opened.model.requests.add(request::Reload{});
  opened.session.finish();
  const Picture after = opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 2U);
  EXPECT_NE(after.rgba, before.rgba);
  EXPECT_EQ(opened.model.camera, camera) << "from where the user looked";
}

TEST_F(OpeningTest, EveryOpeningHasANumberAndAFailureHasNone) {
  Opened opened(open_device(Backend::cpu));
  EXPECT_EQ(opened.model.scene_number, 0U);
  opened.open(sphere_of_2000);
  EXPECT_EQ(opened.model.scene_number, 1U);
  opened.open(sphere_of_2000);
  EXPECT_EQ(opened.model.scene_number, 2U) << "the same spec";
  opened.model.requests.add(request::Reload{});
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_number, 3U);
  EXPECT_THROW(opened.open("no/such/file.obj"), InputError);
  EXPECT_EQ(opened.model.scene_number, 3U);
}

TEST_F(OpeningTest, AnotherFileBeginsWithTheHomeView) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const float yaw = opened.model.camera.yaw;
  opened.model.camera.orbit(0.7F, 0.3F);
  opened.model.camera.field_of_view = 1.0F;
  const Camera left = opened.model.camera;
  ASSERT_NE(left.yaw, yaw);
  // The same file in another scene is looked at from the same side.
  SceneDescription cloth = describe(sphere_of_2000);
  cloth.scene = "deformation";
  opened.session.open(cloth);
  EXPECT_EQ(opened.model.camera.yaw, left.yaw);
  EXPECT_EQ(opened.model.camera.pitch, left.pitch);
  opened.open("generated:knot");
  EXPECT_EQ(opened.model.camera.yaw, Camera::home_yaw);
  EXPECT_EQ(opened.model.camera.pitch, Camera::home_pitch);
  EXPECT_EQ(opened.model.camera.field_of_view, Camera::usual_field_of_view);
}

TEST_F(OpeningTest, AFlatSceneIsSeenFromTheFront) {
  Opened opened(open_device(Backend::cpu));
  opened.open("svg");
  EXPECT_EQ(opened.model.camera.yaw, 0.0F);
  EXPECT_EQ(opened.model.camera.pitch, 0.0F);
  opened.open(sphere_of_2000);
  EXPECT_EQ(opened.model.camera.yaw, Camera::home_yaw);
  opened.open("svg");
  EXPECT_EQ(opened.model.camera.yaw, 0.0F);
  EXPECT_TRUE(opened.model.camera.is_at_home());
}

TEST_F(OpeningTest, APictureOfASceneToComeWaitsForItsNumbers) {
  SessionInWindow window(open_device(Backend::cpu));
  Session& session = window.session;
  window.open(describe(sphere_of_2000));
  window.until([&] { return session.picture_scene() == window.model.results->scene; });
  const std::uint64_t first = session.picture_scene();
  ASSERT_GT(first, 0U);
  window.model.requests.add(request::Open{describe("generated:knot")});
  session.update();
  // From here on the model does not change: it is not updated.
  while (session.drawn_scene() <= first) {
    session.picture();  // or there is no room for another one
    std::this_thread::yield();
  }
  for (int i = 0; i < 10'000; ++i) {
    session.picture();
    ASSERT_EQ(session.picture_scene(), first);
  }
  EXPECT_EQ(window.model.results->scene, first);
  window.until([&] { return session.picture_scene() > first; });
  EXPECT_EQ(window.model.results->scene, session.picture_scene());
}

TEST_F(OpeningTest, APictureOfTheSceneBeforeIsNotShownBesideOtherNumbers) {
  SessionInWindow window(open_device(Backend::cpu));
  Session& session = window.session;
  int without = 0;
  for (const char* const spec : {sphere_of_2000, "generated:knot", "generated:sphere:50000"}) {
    const std::uint64_t before = window.model.scene_number;
    window.model.requests.add(request::Open{describe(spec)});
    while (window.model.scene_number == before || session.picture_scene() < session.drawn_scene() ||
           window.model.results->frames == 0 || session.picture() == nullptr) {
      session.update();
      const bool is_there = session.picture() != nullptr;
      if (is_there && session.picture_scene() != 0) {
        ASSERT_EQ(session.picture_scene(), window.model.results->scene);
      }
      without += !is_there && window.model.scene_number > 0;
      std::this_thread::yield();
    }
  }
  EXPECT_GT(without, 0) << "it was never looked at in between";
  // The same scene in another size keeps its picture until there is the new one.
  const std::uint64_t before = window.model.scene_number;
  window.model.requests.add(request::Reload{});
  window.until([&] {
    EXPECT_NE(session.picture(), nullptr);
    return window.model.scene_number > before &&
           session.picture_scene() == window.model.results->scene;
  });
}

TEST_F(OpeningTest, WhatIsOpenMakesWayWhereTwoDoNotFit) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.open("generated:sphere:1000");
  opened.open("generated:sphere:1100");
  EXPECT_EQ(opened.model.scene_spec, "generated:sphere:1100");
  opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1100U);
}

TEST_F(OpeningTest, WhatMadeWayComesBackWhenOpeningFails) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu), little);
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open("generated:sphere:1000");
  show(opened.model, {"mesh", "boxes", "points"});
  set(opened.model, "level=3");
  choose(opened.model, "sort", "library");
  const Picture before = opened.picture();
  const std::uint64_t scene = opened.model.results->scene;
  small.refuse_beyond(1000 * 3 * sizeof(Vertex));
  EXPECT_THROW(opened.open("generated:sphere:1100"), Error);
  EXPECT_NE(opened.model.results->scene, scene) << "it made no way";
  EXPECT_EQ(opened.model.scene_spec, "generated:sphere:1000");
  // As the user had set it.
  EXPECT_EQ(opened.model.controls["level"], 3.0);
  EXPECT_EQ(stage(opened.model, "sort").variant, find_variant(Primitive::sort, "library"));
  expect_alike(opened.picture(), before);
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1000U);
}

TEST_F(OpeningTest, WhatCannotComeBackLeavesNothingOpen) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu), little);
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open("generated:sphere:1000");
  opened.picture();
  small.refuse_beyond(100);
  opened.model.requests.add(request::Open{describe_scene({"generated:sphere:1100"})});
  opened.session.finish();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.model.scene_name, "");
  EXPECT_EQ(opened.model.scene_kind, nullptr);
  EXPECT_TRUE(opened.model.stages.empty());
  EXPECT_TRUE(opened.model.outputs.empty());
  EXPECT_TRUE(opened.model.results->facts.empty());
  opened.picture();
  small.refuse_nothing();
  opened.open("generated:sphere:1100");
  opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1100U);
}

TEST_F(OpeningTest, AMeshThatNeverFitsDisturbsNothing) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.open("generated:sphere:1000");
  opened.picture();
  const std::uint64_t before = opened.model.results->scene;
  EXPECT_THROW(opened.open("generated:sphere:50000"), Error);
  opened.picture();
  EXPECT_EQ(opened.model.results->scene, before);
}

TEST_F(OpeningTest, HostMemoryThatRunsOutIsAnErrorWithTheScenesName) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open(sphere_of_2000);
  const Picture before = opened.picture();
  small.run_out_of_host_memory();
  try {
    opened.open("generated:sphere:1100");
    FAIL() << "it was opened";
  } catch (const InputError& error) {
    FAIL() << "nothing is wrong with what was asked for: " << error.what();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("generated:sphere:1100: "), 0U) << error.what();
  }
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_EQ(opened.picture().rgba, before.rgba);
}

// A scene of one square with a texture of one colour, by its three bytes.
std::filesystem::path write_textured_scene(const std::string& name, const std::string& bgr) {
  const std::filesystem::path folder = test_folder();
  std::ofstream(folder / (name + ".tga"), std::ios::binary)
      << std::string("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\x20", 18) << bgr;
  std::ofstream(folder / (name + ".mtl")) << "newmtl m\nmap_Kd " << name << ".tga\n";
  std::ofstream(folder / (name + ".obj"))
      << "mtllib " << name << ".mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n";
  return folder / (name + ".obj");
}

// Its kernels sample textures, of which OpenGL has none.
TEST_F(OpeningTest, RaysShowTextures) {
  Opened opened(open_device(Backend::cpu));
  const auto drawn = [&opened](const std::filesystem::path& file) {
    opened.session.open(describe_scene({"rays:20000", file.string()}));
    return opened.picture();
  };
  const Picture red = drawn(write_textured_scene("red", "\1\1\xff"));
  const Picture green = drawn(write_textured_scene("green", "\1\xff\1"));
  EXPECT_GT(compare_images(red, green), 0.1);
}

TEST_F(OpeningTest, TexturesComeBackWhenOpeningFails) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open(write_textured_scene("red", "\1\1\xff"));
  const Picture red = opened.picture();
  opened.open(write_textured_scene("green", "\1\xff\1"));
  const Picture green = opened.picture();
  EXPECT_GT(compare_images(red, green), 0.1);
  small.refuse_beyond(0);
  EXPECT_THROW(opened.open(write_textured_scene("red", "\1\1\xff")), Error);
  EXPECT_EQ(opened.picture().rgba, green.rgba);
}

TEST_F(OpeningTest, VariantsStayWithTheNextScene) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  choose(opened.model, "sort", "library");
  opened.picture();
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_EQ(stage(opened.model, "sort").result->variant, find_variant(Primitive::sort, "library"));
  EXPECT_EQ(stage(opened.model, "build").result->variant,
            default_variant(Primitive::build, Backend::cpu));
}

// What says how files are read has them read again; what does not, does not.
TEST_F(OpeningTest, AnotherCreaseReadsTheFileAgain) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "crease.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 0 1 1\n"
                         "f 1 2 3 4\nf 1 4 6 5\n";
  Opened opened(open_device(Backend::cpu));
  opened.open(file.string());
  const auto vertices = [&opened] { return count(opened.model, "mesh.unique_vertices"); };
  opened.picture();
  EXPECT_EQ(vertices(), 8U);  // the edge is sharp: two of its vertices are there twice
  set(opened.model, "crease=120");
  opened.session.finish();
  opened.picture();
  EXPECT_EQ(vertices(), 6U);
  EXPECT_EQ(opened.model.controls["crease"], 120.0);
  // Without the file it stays as it is, with the value that it has.
  std::filesystem::remove(file);
  set(opened.model, "crease=10");
  opened.session.finish();
  opened.picture();
  EXPECT_EQ(vertices(), 6U);
  EXPECT_EQ(opened.model.controls["crease"], 120.0);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
}

}  // namespace
}  // namespace warpview::test
