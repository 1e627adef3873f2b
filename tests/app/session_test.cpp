// The session between a model and a device, without a window: it waits for what it is asked.
#include "app/session.h"

#include <fmt/format.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <tuple>

#include "app/report.h"
#include "app/scene_loader.h"
#include "app/warm_up.h"
#include "gpu/lab/experiment.h"
#include "gpu/runtime/vertex.h"
#include "tests/app/breaking_device.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// A session with what belongs to it.
struct Opened {
  Model model;
  Session session;

  explicit Opened(std::unique_ptr<Device> device, const Options& options = {})
      : session(model, options, std::move(device), GlTest::context().shared(),
                Session::Mode::headless) {
    session.set_view(picture_side, picture_side);
  }

  void open(const std::string& spec) { session.open(describe_scene({spec})); }
  Picture picture() {
    session.advance(time_step);
    session.draw();
    return session.read_back();
  }
};

TEST_F(SessionTest, DrawsTheBackgroundBeforeAnythingIsOpen) {
  Opened opened(open_device(Backend::cpu));
  const Picture empty = opened.picture();
  EXPECT_EQ(opened.model.scene_kind, nullptr);
  EXPECT_EQ(opened.model.scene_name, "");
  EXPECT_TRUE(opened.model.stages.empty());
  EXPECT_FALSE(opened.session.busy());
  opened.open(sphere_of_2000);
  EXPECT_NE(opened.picture().rgba, empty.rgba);
}

TEST_F(SessionTest, TellsWhatIsOpen) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.open(sphere_of_2000);
    opened.picture();
    const Model& model = opened.model;
    EXPECT_EQ(model.scene_spec, sphere_of_2000);
    EXPECT_EQ(model.scene_kind, &scene_kinds().front());
    ASSERT_EQ(model.scene_files.size(), 1U);
    EXPECT_EQ(model.scene_files[0].spec, sphere_of_2000);
    EXPECT_FALSE(model.scene_bounds.is_empty());
    EXPECT_EQ(count(model, "mesh.triangles"), 2000U);
    EXPECT_EQ(count(model, "bvh.internal_nodes"), 1999U);
    EXPECT_FALSE(model.interop.empty());
    EXPECT_FALSE(model.gl_renderer.empty());
    EXPECT_EQ(model.results.frames, 1U);
    EXPECT_EQ(model.results.useful_most.size(), model.controls.size());
    std::vector<std::string> names;
    for (const StageRow& row : model.stages) {
      names.push_back(row.result.name);
      SCOPED_TRACE(row.result.name);
      // Nothing moves, the builder fits the boxes too, and the CPU device reads where the file was
      // loaded.
      if (row.result.name != "deform" && row.result.done_by.empty()) {
        EXPECT_GT(row.result.median_ms, 0.0);
        EXPECT_TRUE(row.result.work.bytes > 0 || row.result.name == "upload");
      }
      EXPECT_FALSE(row.every_frame);
      EXPECT_EQ(row.variants.empty(), !row.result.primitive);
      EXPECT_EQ(row.variants.size(), row.why_not.size());
      EXPECT_EQ(row.variant, row.result.variant);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"upload", "scan", "dedup", "deform", "boxes",
                                               "bounds", "morton", "sort", "build", "refit",
                                               "statistics", "write"}));
    EXPECT_FALSE(opened.session.busy());
  });
}

TEST_F(SessionTest, WhatIsOpenStaysWhenOpeningFails) {
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

TEST_F(SessionTest, WhatWasSetStaysWhenOpeningFails) {
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

TEST_F(SessionTest, OpensOnAThreadOfItsOwn) {
  Opened opened(open_device(Backend::cpu));
  const Picture empty = opened.picture();
  opened.model.requests.add(request::Open{describe_scene({sphere_of_2000})});
  EXPECT_TRUE(opened.session.busy());
  opened.session.finish();
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
  EXPECT_FALSE(opened.model.scene_name.empty());
  EXPECT_NE(opened.picture().rgba, empty.rgba);
}

TEST_F(SessionTest, ACancelledLoadLeavesWhatIsOpen) {
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
TEST_F(SessionTest, TheLastOfSeveralIsOpened) {
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

TEST_F(SessionTest, WarningsOfTheLoaderBecomeMessages) {
  const std::filesystem::path file = test_folder() / "warns.obj";
  std::ofstream(file) << "mtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n";
  Opened opened(open_device(Backend::cpu));
  opened.open(file);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::warning));
  for (const Message& message : opened.model.messages)
    EXPECT_EQ(message.text.find("warns: "), 0U) << "of which file? " << message.text;
  opened.picture();
  const auto dropped =
      std::find_if(opened.model.results.facts.begin(), opened.model.results.facts.end(),
                   [](const Fact& fact) { return fact.name == "mesh.dropped_triangles"; });
  ASSERT_NE(dropped, opened.model.results.facts.end());
  EXPECT_NE(dropped->tooltip.find("invalid indices: 1."), std::string::npos);
}

TEST_F(SessionTest, AFileThatIsReadAgainTellsItsNewFaultsOnce) {
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
TEST_F(SessionTest, WarningsOfAFileAreSaidOnce) {
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
  const auto open = [&](SceneDescription description) {
    const std::uint64_t before = window.model.scene_number;
    window.model.requests.add(request::Open{std::move(description)});
    window.until([&] { return window.model.scene_number != before; });
  };
  open(describe(file));
  EXPECT_EQ(warnings(), 1);
  open(describe_scene({"deformation", file.string()}));
  EXPECT_EQ(warnings(), 0);
  open(describe(sphere_of_2000));
  open(describe(file));
  EXPECT_EQ(warnings(), 1);
  // Mended.
  std::ofstream(file) << sound;
  window.model.requests.add(request::Reload{});
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(window.model.messages.back().kind, Message::Kind::info);
  EXPECT_EQ(warnings(), 0);
}

TEST_F(SessionTest, FilesThatAreReadAgainShowWhatTheyHoldNow) {
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

TEST_F(SessionTest, EveryOpeningHasANumberAndAFailureHasNone) {
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

TEST_F(SessionTest, AnotherFileBeginsWithTheHomeView) {
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

// ---- Pictures and numbers -----------------------------------------------------------------------

TEST_F(SessionTest, APictureOfASceneToComeWaitsForItsNumbers) {
  SessionInWindow window(open_device(Backend::cpu));
  Session& session = window.session;
  window.open(describe(sphere_of_2000));
  window.until([&] { return session.picture_scene() == window.model.results.scene; });
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
  EXPECT_EQ(window.model.results.scene, first);
  window.until([&] { return session.picture_scene() > first; });
  EXPECT_EQ(window.model.results.scene, session.picture_scene());
}

TEST_F(SessionTest, APictureOfTheSceneBeforeIsNotShownBesideOtherNumbers) {
  SessionInWindow window(open_device(Backend::cpu));
  Session& session = window.session;
  int without = 0;
  for (const char* const spec : {sphere_of_2000, "generated:knot", "generated:sphere:50000"}) {
    const std::uint64_t before = window.model.scene_number;
    window.model.requests.add(request::Open{describe(spec)});
    while (window.model.scene_number == before || session.picture_scene() < session.drawn_scene() ||
           window.model.results.frames == 0 || session.picture() == nullptr) {
      session.update();
      const bool is_there = session.picture() != nullptr;
      if (is_there && session.picture_scene() != 0) {
        ASSERT_EQ(session.picture_scene(), window.model.results.scene);
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
           session.picture_scene() == window.model.results.scene;
  });
}

// ---- Little memory ------------------------------------------------------------------------------

// Room for one mesh of a few thousand triangles, not for two.
constexpr std::uint64_t little = 1'900'000;

TEST_F(SessionTest, WhatIsOpenMakesWayWhereTwoDoNotFit) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.open("generated:sphere:1000");
  opened.open("generated:sphere:1100");
  EXPECT_EQ(opened.model.scene_spec, "generated:sphere:1100");
  opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1100U);
}

TEST_F(SessionTest, WhatMadeWayComesBackWhenOpeningFails) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu), little);
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open("generated:sphere:1000");
  show(opened.model, {"mesh", "boxes", "points"});
  set(opened.model, "level=3");
  choose(opened.model, "sort", "library");
  const Picture before = opened.picture();
  const std::uint64_t scene = opened.model.results.scene;
  small.refuse_beyond(1000 * 3 * sizeof(Vertex));
  EXPECT_THROW(opened.open("generated:sphere:1100"), Error);
  EXPECT_NE(opened.model.results.scene, scene) << "it made no way";
  EXPECT_EQ(opened.model.scene_spec, "generated:sphere:1000");
  // As the user had set it.
  EXPECT_EQ(opened.model.controls["level"], 3.0);
  EXPECT_EQ(stage(opened.model, "sort").variant, find_variant(Primitive::sort, "library"));
  expect_alike(opened.picture(), before);
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1000U);
}

TEST_F(SessionTest, WhatCannotComeBackLeavesNothingOpen) {
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
  EXPECT_TRUE(opened.model.results.facts.empty());
  opened.picture();
  small.refuse_nothing();
  opened.open("generated:sphere:1100");
  opened.picture();
  EXPECT_EQ(count(opened.model, "mesh.triangles"), 1100U);
}

TEST_F(SessionTest, AMeshThatNeverFitsDisturbsNothing) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.open("generated:sphere:1000");
  opened.picture();
  const std::uint64_t before = opened.model.results.scene;
  EXPECT_THROW(opened.open("generated:sphere:50000"), Error);
  opened.picture();
  EXPECT_EQ(opened.model.results.scene, before);
}

TEST_F(SessionTest, HostMemoryThatRunsOutIsAnErrorWithTheScenesName) {
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

TEST_F(SessionTest, TexturesComeBackWhenOpeningFails) {
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

// ---- Frames -------------------------------------------------------------------------------------

TEST_F(SessionTest, EveryPartOfThePictureShows) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.open(sphere_of_2000);
    opened.picture();
    struct Part {
      std::vector<std::string> outputs;
      const char* level = "level=0";
    };
    const std::vector<Part> parts = {{{}},
                                     {{"mesh"}},
                                     {{"wire"}},
                                     {{"mesh", "boxes"}, "level=3"},
                                     {{"mesh", "boxes"}, "level=5"},
                                     {{"mesh", "curve"}},
                                     {{"mesh", "points"}},
                                     {{"mesh", "wire", "boxes", "curve", "points"}, "level=2"}};
    std::vector<Picture> pictures;
    for (const Part& part : parts) {
      show(opened.model, part.outputs);
      set(opened.model, part.level);
      const Picture picture = opened.picture();
      for (const Picture& other : pictures) EXPECT_NE(picture.rgba, other.rgba);
      pictures.push_back(picture);
    }
    // What was switched off and on again is drawn as before.
    show(opened.model, parts[3].outputs);
    set(opened.model, parts[3].level);
    expect_alike(opened.picture(), pictures[3]);
  });
}

// Of every scene: each output alone differs from the background.
TEST_F(SessionTest, EveryOutputOfEverySceneIsDrawn) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    const Picture empty = opened.picture();
    for (const SceneKind& kind : scene_kinds()) {
      SceneDescription description = describe_scene({kind.name, sphere_of_2000});
      opened.session.open(description);
      opened.picture();  // the camera fits it from here on
      // Something in the middle, or beside it where there is a gap.
      for (int i = 0; i < 49 && opened.model.picked.empty(); ++i) {
        const auto x = static_cast<float>((i + 24) % 49 % 7);
        const auto y = static_cast<float>((i + 24) % 49 / 7);
        opened.model.requests.add(
            request::Pick{opened.model.camera.ray(0.35F + 0.05F * x, 0.35F + 0.05F * y, 1.0F)});
        opened.picture();
      }
      EXPECT_FALSE(opened.model.picked.empty()) << kind.name;
      for (std::size_t i = 0; i < opened.model.outputs.size(); ++i) {
        SCOPED_TRACE(std::string(kind.name) + ", " + opened.model.outputs[i].name);
        if (opened.model.outputs[i].empty) continue;
        show(opened.model, {opened.model.outputs[i].name});
        EXPECT_GT(compare_images(opened.picture(), empty), 0.0005);
      }
      show(opened.model, {});
      EXPECT_EQ(opened.picture().rgba, empty.rgba);
    }
    EXPECT_TRUE(opened.model.messages.empty());
  });
}

TEST_F(SessionTest, EveryVariantGivesTheSamePicture) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.session.open(describe(sphere_of_2000, {}, {{"mesh", "wire", "points"}}));
    const Picture expected = opened.picture();
    int tried = 0;
    for (std::size_t s = 0; s < opened.model.stages.size(); ++s) {
      StageRow& row = opened.model.stages[s];
      const auto standard = row.variant;
      for (std::size_t v = 0; v < row.variants.size(); ++v) {
        if (!row.why_not[v].empty()) continue;
        SCOPED_TRACE(row.result.name + "=" + row.variants[v]->name);
        row.variant = row.variants[v];
        EXPECT_EQ(opened.picture().rgba, expected.rgba);
        EXPECT_EQ(row.variant, row.variants[v]);
        EXPECT_EQ(row.result.variant, row.variants[v]);
        ++tried;
      }
      row.variant = standard;
    }
    EXPECT_GT(tried, 20);
    EXPECT_TRUE(opened.model.messages.empty());
  });
}

TEST_F(SessionTest, AVariantThatIsNotThereIsRefused) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const VariantId missing = find_variant(Primitive::sort, "count_scan_reorder");
  device->remove_variant(missing);
  Opened opened(std::move(device));
  opened.open(sphere_of_2000);
  opened.picture();
  set(opened.model, "animation=refit");
  opened.picture();
  StageRow& sort = stage(opened.model, "sort");
  const auto before = sort.variant;
  const auto place = std::find(sort.variants.begin(), sort.variants.end(), missing);
  ASSERT_NE(place, sort.variants.end());
  EXPECT_NE(sort.why_not[static_cast<std::size_t>(place - sort.variants.begin())], "");
  sort.variant = missing;
  opened.picture();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(sort.variant, before);
  EXPECT_EQ(sort.result.variant, before);
  EXPECT_EQ(opened.model.controls.choice("animation"), 1);
  opened.model.messages.clear();
  opened.picture();
  EXPECT_TRUE(opened.model.messages.empty());
  // Nor is it taken up by the next scene.
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_EQ(stage(opened.model, "sort").variant, before);
}

TEST_F(SessionTest, VariantsStayWithTheNextScene) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  choose(opened.model, "sort", "library");
  opened.picture();
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_EQ(stage(opened.model, "sort").result.variant, find_variant(Primitive::sort, "library"));
  EXPECT_EQ(stage(opened.model, "build").result.variant,
            default_variant(Primitive::build, Backend::cpu));
}

TEST_F(SessionTest, AVariantIsChosenWhateverElseChanges) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const auto variant = [&](const char* name) {
    return std::string((*stage(opened.model, name).variant)->name);
  };
  // With another way to read the file, and while it is read.
  opened.model.controls.set("crease=20");
  choose(opened.model, "sort", "library");
  opened.session.update();
  EXPECT_TRUE(opened.session.busy());
  choose(opened.model, "dedup", "library");
  opened.session.finish();
  EXPECT_EQ(opened.model.controls["crease"], 20.0);
  EXPECT_EQ(variant("sort"), "library");
  EXPECT_EQ(variant("dedup"), "library");
  opened.open("generated:sphere:700");
  EXPECT_EQ(variant("sort"), "library");
  EXPECT_EQ(variant("dedup"), "library");
}

TEST_F(SessionTest, ARepeatedStageGetsOneMoreTime) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  for (std::size_t i = 0; i < opened.model.stages.size(); ++i) {
    const StageRow& row = opened.model.stages[i];
    if (!row.result.repeatable || row.result.name == "deform") continue;
    const std::size_t before = runs(row);
    opened.model.requests.add(request::Repeat{row.result.name});
    opened.picture();
    EXPECT_EQ(runs(row), before + 1) << row.result.name;
  }
}

// Whoever switches a variant asks for nothing that stands before it.
TEST_F(SessionTest, AnotherVariantRunsFromItsStageOn) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const auto runs_of = [&opened](const char* name) { return runs(stage(opened.model, name)); };
  const std::size_t statistics = runs_of("statistics");
  choose(opened.model, "sort", "library");
  opened.picture();
  for (const char* name : {"upload", "scan", "dedup", "boxes", "bounds", "morton", "sort"})
    EXPECT_EQ(runs_of(name), 1U) << name;
  EXPECT_EQ(runs_of("statistics"), statistics + 1);
}

TEST_F(SessionTest, AnimationMovesThePictureAndTimesItsStages) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.open(sphere_of_2000);
    const Picture still = opened.picture();
    const std::set<std::string> of_refit = {"deform", "boxes", "refit", "statistics", "write"};
    const std::set<std::string> of_rebuild = {"deform", "boxes", "bounds",     "morton", "sort",
                                              "build",  "refit", "statistics", "write"};
    for (const char* animation : {"refit", "rebuild"}) {
      SCOPED_TRACE(animation);
      set(opened.model, std::string("animation=") + animation);
      const Picture moved = opened.picture();
      EXPECT_NE(moved.rgba, still.rgba);
      EXPECT_NE(opened.picture().rgba, moved.rgba);
      EXPECT_TRUE(opened.model.moves());
      EXPECT_TRUE(opened.session.busy());
      const auto& expected = std::string(animation) == "refit" ? of_refit : of_rebuild;
      for (const StageRow& row : opened.model.stages) {
        const bool is_due = expected.count(row.result.name) > 0 && row.result.done_by.empty();
        EXPECT_EQ(row.every_frame, is_due) << row.result.name;
        EXPECT_EQ(row.result.runs, row.every_frame ? 1 : 0) << row.result.name;
      }
      // Paused, the picture stands still, and boxes can be switched on in it.
      opened.model.playing = false;
      const Picture paused = opened.picture();
      EXPECT_EQ(opened.picture().rgba, paused.rgba);
      EXPECT_FALSE(opened.session.busy());
      show(opened.model, {"mesh", "boxes"});
      EXPECT_NE(opened.picture().rgba, paused.rgba);
      show(opened.model, {"mesh"});
      EXPECT_EQ(opened.picture().rgba, paused.rgba);
      opened.model.playing = true;
    }
    set(opened.model, "animation=off");
    EXPECT_EQ(opened.picture().rgba, still.rgba);
    EXPECT_TRUE(opened.model.messages.empty());
  });
}

TEST_F(SessionTest, DirectFramesReadBackOnlyResults) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const Device& counted = *device;
    Opened opened(std::move(device));
    if (opened.model.interop.rfind("direct", 0) != 0) GTEST_SKIP() << opened.model.interop;
    opened.session.open(
        describe(sphere_of_2000, {"animation=rebuild", "level=4"}, {{"mesh", "boxes", "curve"}}));
    opened.picture();
    constexpr int frames = 5;
    const std::uint64_t up = counted.transfers.to_device;
    const std::uint64_t down = counted.transfers.to_host;
    for (int frame = 0; frame < frames; ++frame) opened.picture();
    EXPECT_LE(counted.transfers.to_device - up, 256U * frames);
    EXPECT_LE(counted.transfers.to_host - down, 256U * frames);
  });
}

TEST_F(SessionTest, CopiedFramesLookLikeDirectOnes) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const Backend backend = device->info().backend;
    const auto run = [](std::unique_ptr<Device> on, InteropRequest interop) {
      Options options;
      options.interop = interop;
      const Device& counted = *on;
      Opened opened(std::move(on), options);
      opened.session.open(
          describe(sphere_of_2000, {"animation=refit", "level=4"}, {{"mesh", "boxes", "curve"}}));
      opened.picture();
      const std::uint64_t down = counted.transfers.to_host;
      const Picture picture = opened.picture();
      return std::tuple(picture, opened.model.interop, counted.transfers.to_host - down);
    };
    const auto [copied, how, moved] = run(std::move(device), InteropRequest::copy);
    EXPECT_EQ(how.rfind("copied", 0), 0U) << how;
    // Kernels of the cpu device write host memory: there the copy is OpenGL's alone.
    if (backend != Backend::cpu) {
      EXPECT_GT(moved, 1000 * sizeof(Vertex));
    }
    const auto other = run(open_device(backend), InteropRequest::automatic);
    expect_alike(copied, std::get<0>(other));
  });
}

TEST_F(SessionTest, FitsTheCameraAndWritesScreenshotsOnRequest) {
  const std::string file = test_folder() / "screenshot.png";
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture fitted = opened.picture();
  opened.model.camera.zoom(3.0F);
  EXPECT_NE(opened.picture().rgba, fitted.rgba);
  opened.model.requests.add(request::FitCamera{});
  EXPECT_EQ(opened.picture().rgba, fitted.rgba);
  EXPECT_TRUE(opened.model.requests.empty());

  // What there is to see.
  opened.model.requests.add(request::SavePicture{file});
  opened.picture();
  EXPECT_EQ(read_png(file).rgba, fitted.rgba);
  EXPECT_FALSE(opened.model.requests.find<request::SavePicture>());
  opened.session.update();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::info));
  // Without a background, in that size and in another.
  for (const int width : {0, 150}) {
    opened.model.requests.add(
        request::SavePicture{.file = file, .width = width, .height = 100, .transparent = true});
    opened.picture();
    const Picture alone = read_png(file);
    EXPECT_EQ(alone.width, width == 0 ? picture_side : width);
    EXPECT_EQ(alone.rgba[3], 0) << "of a corner";
    EXPECT_EQ(
        alone.rgba[4 * static_cast<std::size_t>(alone.width * alone.height / 2 + alone.width / 2) +
                   3],
        255);
  }
  EXPECT_EQ(opened.picture().rgba, fitted.rgba) << "the view has its background";

  for (const std::string& nowhere :
       {(test_folder() / "no/such/folder/a.png").string(), std::string("/dev/full")}) {
    opened.model.messages.clear();
    opened.model.requests.add(request::SavePicture{nowhere});
    opened.picture();
    opened.session.update();
    EXPECT_TRUE(has_message(opened.model, Message::Kind::error)) << nowhere;
    EXPECT_FALSE(has_message(opened.model, Message::Kind::info)) << nowhere;
  }
}

TEST_F(SessionTest, ADescriptionMaySayWhereFromOneLooks) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture fitted = opened.picture();
  SceneDescription description = describe_scene({sphere_of_2000});
  description.camera = Viewpoint{{0, 0.5F, 6}, {0, 0.25F, 0}, 20.0F};
  opened.session.open(description);
  EXPECT_NE(opened.picture().rgba, fitted.rgba);
  EXPECT_NEAR(opened.model.camera.eye().z, 6.0F, 1e-4F);
  EXPECT_NEAR(opened.model.camera.target.y, 0.25F, 1e-6F);
  EXPECT_NEAR(opened.model.camera.field_of_view, 0.349066F, 1e-5F);
  // Asked to, it fits the scene again.
  opened.model.requests.add(request::FitCamera{});
  opened.picture();
  EXPECT_LT(std::abs(opened.model.camera.target.y), 0.1F);
}

// What fitted the view fits it in every size, until the user has moved.
TEST_F(SessionTest, FitsAViewOfAnotherSizeUntilTheCameraWasMoved) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const float wide = opened.model.camera.distance;
  opened.session.set_view(80, 400);
  const float narrow = opened.model.camera.distance;
  EXPECT_GT(narrow, 1.5F * wide);
  opened.model.camera.zoom(0.5F);
  opened.session.set_view(400, 400);
  EXPECT_EQ(opened.model.camera.distance, 0.5F * narrow);
}

TEST_F(SessionTest, LooksFromASideOnRequest) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.model.requests.add(request::LookFrom{Side::top});
  opened.picture();
  EXPECT_GT(opened.model.camera.backward().y, 0.999F);
  EXPECT_TRUE(opened.model.requests.empty());
}

TEST_F(SessionTest, TurnsAroundWhatWasHit) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const Ray ray = opened.model.camera.ray(0.6F, 0.4F, 1.0F);
  opened.model.requests.add(request::Pivot{ray});
  opened.picture();
  opened.session.update();
  // On the ray, in front of the eye, and not where the camera looked before.
  const glm::vec3 from(ray.origin.x, ray.origin.y, ray.origin.z);
  const glm::vec3 way(ray.direction.x, ray.direction.y, ray.direction.z);
  const glm::vec3 to = opened.model.camera.target - from;
  EXPECT_GT(glm::dot(to, way), 0.0F);
  EXPECT_LT(glm::length(glm::cross(glm::normalize(to), glm::normalize(way))), 1e-4F);
  EXPECT_GT(glm::length(opened.model.camera.target), 0.05F);
  // Beside the mesh there is nothing to turn around.
  const glm::vec3 target = opened.model.camera.target;
  opened.model.requests.add(request::Pivot{opened.model.camera.ray(0.0F, 0.0F, 1.0F)});
  opened.picture();
  opened.session.update();
  EXPECT_EQ(opened.model.camera.target, target);
}

TEST_F(SessionTest, PicksWhatIsPointedAt) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.open(sphere_of_2000);
    opened.picture();
    opened.model.requests.add(request::Pick{opened.model.camera.ray(0.5F, 0.5F, 1.0F)});
    opened.picture();
    opened.session.update();
    ASSERT_FALSE(opened.model.picked.empty());
    EXPECT_EQ(opened.model.picked.front().name, "pick.triangle");
    EXPECT_LT(std::get<std::uint64_t>(opened.model.picked.front().value), 2000U);
    opened.model.requests.add(request::Pick{opened.model.camera.ray(0.0F, 0.0F, 1.0F)});
    opened.picture();
    opened.session.update();
    EXPECT_TRUE(opened.model.picked.empty());
  });
}

// Once at a time, without a frame of its own, and not where the cursor is elsewhere.
TEST_F(SessionTest, TellsWhatIsUnderTheCursor) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.open(sphere_of_2000);
    opened.picture();
    Model& model = opened.model;
    const auto settle = [&opened] {
      opened.session.update();
      opened.session.forget_times();  // waits for what was asked of the compute thread
      opened.session.update();
    };
    settle();
    EXPECT_TRUE(model.glanced.empty());
    const std::uint64_t frames = model.results.frames;
    model.pointer = model.camera.ray(0.5F, 0.5F, 1.0F);
    settle();
    ASSERT_EQ(model.glanced.size(), 3U);
    EXPECT_EQ(model.glanced.front().name, "pick.triangle");
    EXPECT_TRUE(model.picked.empty());
    EXPECT_EQ(model.results.frames, frames);
    const auto middle = std::get<std::uint64_t>(model.glanced.front().value);
    // Of several places in a row the last one counts.
    model.pointer = model.camera.ray(0.0F, 0.0F, 1.0F);
    opened.session.update();
    model.pointer = model.camera.ray(0.6F, 0.4F, 1.0F);
    settle();
    settle();
    ASSERT_FALSE(model.glanced.empty());
    EXPECT_NE(std::get<std::uint64_t>(model.glanced.front().value), middle);
    model.pointer = model.camera.ray(0.0F, 0.0F, 1.0F);
    settle();
    EXPECT_TRUE(model.glanced.empty());
    model.pointer = model.camera.ray(0.5F, 0.5F, 1.0F);
    settle();
    EXPECT_FALSE(model.glanced.empty());
    model.pointer.reset();
    settle();
    EXPECT_TRUE(model.glanced.empty());
    EXPECT_TRUE(model.messages.empty());
  });
}

// What says how files are read has them read again; what does not, does not.
TEST_F(SessionTest, AnotherCreaseReadsTheFileAgain) {
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

TEST_F(SessionTest, MeasuresCopies) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  opened.session.measure_copies();
  EXPECT_GT(opened.model.results.copy_gb_per_s, 0.0);
  for (const StageRow& row : opened.model.stages)
    EXPECT_EQ(row.result.copy_share > 0.0, row.result.name != "deform" &&
                                               row.result.name != "upload" &&
                                               row.result.done_by.empty())
        << row.result.name;
}

TEST_F(SessionTest, Verifies) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.session.open(describe(sphere_of_2000, {"animation=rebuild"}));
    for (int frame = 0; frame < 3; ++frame) {
      const std::vector<Check> checks = opened.session.verify();
      EXPECT_GT(checks.size(), 5U);
      for (const Check& check : checks) EXPECT_EQ(check.difference, "") << check.stage;
      opened.picture();
    }
    opened.session.forget_times();
    opened.session.reload();
    opened.picture();
    EXPECT_EQ(stage(opened.model, "upload").result.milliseconds.size(), 1U);
  });
}

// A stage that is not switched on has no row in the panel before it first runs, and then keeps it.
TEST_F(SessionTest, KnowsWhichStagesHaveRun) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  for (const StageRow& row : opened.model.stages)
    EXPECT_EQ(row.has_run, row.result.name != "deform") << row.result.name;
  for (const char* animation : {"animation=refit", "animation=off"}) {
    set(opened.model, animation);
    opened.picture();
    EXPECT_TRUE(stage(opened.model, "deform").has_run) << animation;
  }
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_FALSE(stage(opened.model, "deform").has_run) << "that was another scene's";
}

// ---- Facts over time ----------------------------------------------------------------------------

// Of every scene: what it calls plotted gets one value per frame in which time passes.
TEST_F(SessionTest, PlottedFactsHaveACourse) {
  Opened opened(open_device(Backend::cpu));
  std::size_t plotted = 0;
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(kind.name);
    std::string smallest = kind.name;
    if (kind.size_control) {
      const Controls controls(kind.controls);
      smallest += fmt::format(":{}", controls.all()[controls.find(kind.size_control)].least);
    }
    opened.session.open(describe_scene({smallest, sphere_of_2000}));
    EXPECT_TRUE(opened.model.results.courses.empty()) << "they were another scene's";
    for (int frame = 0; frame < 3; ++frame) opened.picture();
    const SceneResults& results = opened.model.results;
    std::size_t expected = 0;
    for (const Fact& fact : results.facts) {
      const auto course = results.courses.find(fact.name);
      EXPECT_EQ(course != results.courses.end(), fact.plotted) << fact.name;
      if (course == results.courses.end()) continue;
      ++expected;
      ASSERT_EQ(course->second.size(), 3U) << fact.name;
      if (const auto* number = std::get_if<double>(&fact.value)) {
        EXPECT_FLOAT_EQ(course->second.back(), static_cast<float>(*number)) << fact.name;
      }
    }
    EXPECT_EQ(results.courses.size(), expected);
    plotted += expected;
    // While it is paused nothing is added.
    opened.model.playing = false;
    opened.picture();
    opened.picture();
    for (const auto& [name, course] : results.courses) EXPECT_EQ(course.size(), 3U) << name;
    opened.model.playing = true;
  }
  EXPECT_GT(plotted, 0U);
}

TEST_F(SessionTest, CoursesForgetTheirBeginning) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(describe_scene({"deformation", "generated:sphere:20"}));
  for (int frame = 0; frame < 300; ++frame) opened.session.advance(time_step);
  ASSERT_FALSE(opened.model.results.courses.empty());
  for (const auto& [name, course] : opened.model.results.courses)
    EXPECT_EQ(course.size(), 240U) << name;
}

// ---- As in a window -----------------------------------------------------------------------------

TEST_F(SessionTest, AWindowsSessionGoesOnByItself) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  ASSERT_EQ(window.model.scene_spec, sphere_of_2000);
  window.until([&] { return window.has_picture && window.frames() > 10; });
  EXPECT_TRUE(window.session.busy());
  EXPECT_GT(window.model.draw_ms, 0.0);

  // Paused it stands, but for single steps.
  window.model.playing = false;
  window.session.update();  // tells those who compute
  window.until([&] { return !window.session.busy(); });
  const std::uint64_t paused = window.frames();
  for (int i = 0; i < 100; ++i) window.session.update();
  EXPECT_EQ(window.frames(), paused);
  for (int i = 0; i < 3; ++i)  // clicks that came faster than frames
    window.model.requests.add(request::Step{});
  window.until([&] { return window.frames() == paused + 3; });
  for (int i = 0; i < 100; ++i) window.session.update();
  EXPECT_EQ(window.frames(), paused + 3);
  window.model.playing = true;
  window.until([&] { return window.frames() > paused + 5; });
  EXPECT_TRUE(window.model.messages.empty());
}

TEST_F(SessionTest, MeasuresCopiesAndTriesOtherBackendsWhenIdle) {
  SessionInWindow window(open_device(Backend::cpu));
  const auto tried = [&] {
    return std::none_of(window.model.absent.begin(), window.model.absent.end(),
                        [](const std::string& why) { return why == "not tried yet"; });
  };
  EXPECT_FALSE(tried());
  window.open(describe_scene({sphere_of_2000}));
  const auto rated = [&] {
    return std::all_of(window.model.stages.begin(), window.model.stages.end(),
                       [](const StageRow& row) {
                         return row.result.copy_share > 0.0 || !row.has_run ||
                                !row.result.has_times() || row.result.work.bytes == 0;
                       });
  };
  window.until([&] { return tried() && window.frames() > 0 && rated(); });
  EXPECT_GT(window.model.results.copy_gb_per_s, 0.0);
  EXPECT_EQ(window.model.absent[static_cast<std::size_t>(Backend::cpu)], "");
  for (const BackendStatus& status : list_backends())
    EXPECT_EQ(window.model.absent[static_cast<std::size_t>(status.backend)], status.why);
}

// ---- All variants of a stage --------------------------------------------------------------------

// What is chosen stays chosen, and the scene goes on.
TEST_F(SessionTest, ComparesAllVariantsOfAStage) {
  for_each_backend([](std::unique_ptr<Device> device) {
    SessionInWindow window(std::move(device));
    window.open(describe(sphere_of_2000, {"animation=rebuild"}));
    window.until([&] { return window.frames() > 2; });
    const StageVariants choices = window.model.results.variants;
    std::uint64_t number = 0;
    for (const char* name : {"sort", "morton", "dedup", "build", "refit"}) {
      SCOPED_TRACE(name);
      window.model.requests.add(request::Compare{name});
      window.until([&] { return stage(window.model, name).compared.has_value(); });
      const Comparison& comparison = *stage(window.model, name).compared;
      EXPECT_EQ(comparison.number, ++number);
      EXPECT_FALSE(comparison.under_way);
      EXPECT_FALSE(comparison.cancelled);
      EXPECT_GT(comparison.items, 0U);
      EXPECT_EQ(comparison.chosen, stage(window.model, name).variant);
      ASSERT_EQ(comparison.variants.size(), stage(window.model, name).variants.size());
      for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        const ComparedVariant& variant = comparison.variants[i];
        EXPECT_EQ(variant.why_not, stage(window.model, name).why_not[i]);
        EXPECT_EQ(variant.milliseconds.size(),
                  variant.why_not.empty() ? VariantComparison::runs : 0U)
            << variant.variant->name;
      }
      const std::uint64_t before = window.frames();
      window.until([&] { return window.frames() > before + 2; });
      EXPECT_EQ(window.model.results.variants, choices);
      EXPECT_EQ(stage(window.model, name).before, std::nullopt) << "no variant was switched";
    }
    EXPECT_TRUE(window.model.messages.empty());
  });
}

// Of what moves its input: particles in cells, and the sort inside of that.
TEST_F(SessionTest, ComparesTheCellsOfParticles) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe_scene({"particles:1000", "generated:sphere:20"}));
  window.until([&] { return window.frames() > 2; });
  for (const char* name : {"cells", "cells.sort"}) {
    SCOPED_TRACE(name);
    window.model.requests.add(request::Compare{name});
    window.until([&] { return stage(window.model, name).compared.has_value(); });
    for (const ComparedVariant& variant : stage(window.model, name).compared->variants) {
      EXPECT_EQ(variant.milliseconds.size(), variant.why_not.empty() ? 5U : 0U);
      for (const double ms : variant.milliseconds) EXPECT_GT(ms, 0.0);
    }
    const std::uint64_t before = window.frames();
    window.until([&] { return window.frames() > before + 2; });
  }
  EXPECT_TRUE(window.model.messages.empty());
}

TEST_F(SessionTest, AComparisonCanBeCancelled) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe("generated:sphere:20000"));  // its sorts take a while
  window.until([&] { return window.frames() > 0 && !window.session.busy(); });
  const StageVariants choices = window.model.results.variants;
  window.model.requests.add(request::Compare{"sort"});
  window.until([&] { return window.model.results.comparison.number == 1; });
  window.model.requests.add(request::CancelComparison{});
  window.until([&] { return stage(window.model, "sort").compared.has_value(); });
  // Where threads come and go it may have been done before.
  const Comparison& compared = *stage(window.model, "sort").compared;
  EXPECT_TRUE(compared.cancelled || std::all_of(compared.variants.begin(), compared.variants.end(),
                                                [](const ComparedVariant& variant) {
                                                  return !variant.why_not.empty() ||
                                                         !variant.milliseconds.empty();
                                                }));
  EXPECT_EQ(window.model.results.variants, choices);

  // Another choice ends it, too.
  window.model.requests.add(request::Compare{"build"});
  window.until([&] { return window.model.results.comparison.number == 2; });
  choose(window.model, "sort", "library");
  window.until([&] { return stage(window.model, "build").compared.has_value(); });
  const VariantId library = find_variant(Primitive::sort, "library");
  window.until([&] { return stage(window.model, "sort").result.variant == library; });
  EXPECT_EQ(stage(window.model, "sort").variant, library);
  EXPECT_EQ(stage(window.model, "build").result.variant,
            default_variant(Primitive::build, Backend::cpu));
  // And another scene.
  window.model.requests.add(request::Compare{"sort"});
  window.model.requests.add(request::Open{describe_scene({"generated:sphere:700"})});
  window.until([&] { return window.model.scene_spec == "generated:sphere:700"; });
  window.until([&] { return window.frames() > 0 && !window.session.busy(); });
  EXPECT_FALSE(stage(window.model, "sort").compared);
  EXPECT_TRUE(window.model.messages.empty());
}

// Times of another setting are not among those that are held against A's.
TEST_F(SessionTest, OtherControlsHaveTimesOfTheirOwn) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(describe(sphere_of_2000, {"animation=refit"}));
  for (int frame = 0; frame < 5; ++frame) opened.session.advance(time_step);
  const std::size_t uploads = runs(stage(opened.model, "upload"));
  EXPECT_EQ(runs(stage(opened.model, "deform")), 5U);
  set(opened.model, "waves=5");
  opened.session.advance(time_step);
  EXPECT_EQ(runs(stage(opened.model, "deform")), 1U);
  EXPECT_EQ(runs(stage(opened.model, "upload")), uploads);
}

TEST_F(SessionTest, WhatIsPinnedGoesWithItsScene) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(describe_scene({"particles:1000", "generated:sphere:20"}));
  opened.session.advance(time_step);
  opened.model.pinned = PinnedRun{.controls = opened.model.controls};
  set(opened.model, "count=1500");
  opened.session.update();
  opened.session.finish();
  EXPECT_TRUE(opened.model.pinned) << "it is the same scene in another size";
  opened.open(sphere_of_2000);
  EXPECT_FALSE(opened.model.pinned);
}

TEST_F(SessionTest, ASlowPictureIsCoarseWhileTheCameraIsDragged) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const auto width = [&window] {
    const Framebuffer* const picture = window.session.picture();
    return picture ? picture->width() : 0;
  };
  window.until([&] { return width() == picture_side; });
  window.model.camera_dragged = true;
  window.model.coarse_above_ms = 1e9;
  const auto look_elsewhere = [&window] {
    const Framebuffer* const before = window.session.picture();
    window.model.camera.orbit(0.1F, 0.0F);
    window.until([&] { return window.session.picture() != before; });
  };
  look_elsewhere();
  EXPECT_EQ(width(), picture_side) << "it is fast enough";
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return width() == picture_side / 2; });
  window.model.coarse_above_ms = 1e9;  // as coarse pictures are
  look_elsewhere();
  EXPECT_EQ(width(), picture_side / 2) << "until the end";
  window.model.camera_dragged = false;
  window.until([&] { return width() == picture_side; });
}

// ---- Saving pictures ----------------------------------------------------------------------------

// A file with what is to be saved now, as it is once it is there.
Picture saved(SessionInWindow& window, int width = 0, int height = 0) {
  const request::SavePicture wanted{
      .file = test_folder() / "saved.png", .width = width, .height = height};
  std::filesystem::remove(wanted.file);
  window.model.messages.clear();
  window.model.requests.add(wanted);
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(window.model.messages[0].kind, Message::Kind::info) << window.model.messages[0].text;
  return read_png(wanted.file);
}

TEST_F(SessionTest, WhatIsSavedIsWholeThoughTheViewIsCoarse) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  window.model.camera_dragged = true;
  window.model.coarse_above_ms = 0.0;
  const auto is_coarse = [&] {
    const Framebuffer* const picture = window.session.picture();
    return picture && picture->width() == picture_side / 2;
  };
  window.until(is_coarse);
  const Picture dragged = saved(window);
  const Picture dragged_large = saved(window, 150, 100);
  EXPECT_TRUE(is_coarse());
  // Just after the drag, too, before anything else is drawn.
  window.model.camera_dragged = false;
  const Picture after = saved(window);
  window.until([&] { return window.session.shows_all(); });
  const Picture at_rest = saved(window);
  EXPECT_EQ(at_rest.width, picture_side);
  EXPECT_TRUE(after.rgba == at_rest.rgba);
  EXPECT_TRUE(dragged.rgba == at_rest.rgba);
  EXPECT_TRUE(dragged_large.rgba == saved(window, 150, 100).rgba);
  window.model.show.shadows = false;
  EXPECT_FALSE(saved(window).rgba == at_rest.rgba) << "no shadows to miss";
}

TEST_F(SessionTest, WhatIsSavedIsAsItIsSet) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  const Picture before = saved(window);
  // At the same moment: it is not computed yet, let alone drawn.
  show(window.model, {"wire"});
  window.model.camera.orbit(0.5F, 0.0F);
  window.model.show.theme = Theme::light;
  const Picture at_once = saved(window);
  window.until([&] { return window.session.shows_all(); });
  EXPECT_TRUE(at_once.rgba == saved(window).rgba);
  EXPECT_FALSE(at_once.rgba == before.rgba);
  // What is made anew for another size.
  set(window.model, "level=2");
  show(window.model, {"boxes"});
  window.model.requests.add(request::Reload{});
  const Picture reloaded = saved(window);
  window.until([&] { return !window.model.loading && window.session.shows_all(); });
  EXPECT_TRUE(reloaded.rgba == saved(window).rgba);
}

// Where kernels make the picture they make it for the file.
TEST_F(SessionTest, WhatASceneDrawsItselfIsSavedWhole) {
  SceneDescription description = describe_scene({"svg"});
  Opened whole(open_device(Backend::cpu));
  whole.session.set_view(2 * picture_side, 2 * picture_side);
  whole.session.open(description);
  const Picture large = whole.picture();

  SessionInWindow window(open_device(Backend::cpu));
  window.open(description);
  window.until([&] { return window.session.shows_all(); });
  const Picture at_rest = saved(window);
  window.model.camera_dragged = true;
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return window.session.picture()->width() == picture_side / 2; });
  EXPECT_TRUE(saved(window).rgba == at_rest.rgba);
  const Picture saved_large = saved(window, 2 * picture_side, 2 * picture_side);
  EXPECT_TRUE(saved_large.rgba == large.rgba);
  window.model.camera_dragged = false;
  window.until([&] { return window.session.shows_all(); });
  EXPECT_TRUE(saved(window).rgba == at_rest.rgba) << "the view is what is computed for again";
}

TEST_F(SessionTest, WhatIsToBeSavedIsSavedThoughTheSessionEnds) {
  const std::string file = test_folder() / "at_the_end.png";
  std::filesystem::remove(file);
  {
    SessionInWindow window(open_device(Backend::cpu));
    window.open(describe(sphere_of_2000));
    show(window.model, {"wire"});
    window.model.requests.add(request::SavePicture{file});
    window.session.update();
  }
  EXPECT_EQ(read_png(file).width, picture_side);
}

TEST_F(SessionTest, TheViewIsToldWhenItShowsAll) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const auto shows_all = [&] { return window.session.shows_all(); };
  window.until(shows_all);
  const auto lacks = [&](const char* what) {
    window.session.update();
    EXPECT_FALSE(window.session.shows_all()) << what;
    window.until(shows_all);
    EXPECT_EQ(window.session.picture()->width(), window.model.view_width);
  };
  window.model.camera.orbit(0.5F, 0.0F);
  lacks("the camera");
  show(window.model, {"wire"});
  lacks("an output");
  window.session.set_view(2 * picture_side, picture_side);
  lacks("a size");
  window.model.camera_dragged = true;
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return window.session.picture()->width() == picture_side; });
  for (int i = 0; i < 100; ++i) {
    window.session.update();
    ASSERT_FALSE(window.session.shows_all()) << "it is coarse";
  }
  window.model.camera_dragged = false;
  lacks("pixels");
  set(window.model, "animation=refit");
  lacks("time");  // another frame is always to come
}

// A variant of `sort` that does not end before it may.
class Gate {
 public:
  static void sort(Stream& stream, const SortArgs& args, Scratch& scratch) {
    if (!scratch.measuring()) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return is_open; });
    }
    stream.device().table().get<Primitive::sort>(default_variant(Primitive::sort, Backend::cpu))(
        stream, args, scratch);
  }
  static void set(bool open) {
    const std::lock_guard lock(mutex);
    is_open = open;
    changed.notify_all();
  }

 private:
  static inline std::mutex mutex;
  static inline std::condition_variable changed;
  static inline bool is_open = false;
};

// From when something is set until the picture shows it.
TEST_F(SessionTest, TellsHowFarThePictureIsBehind) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const VariantId library = find_variant(Primitive::sort, "library");
  device->replace_variant(library, reinterpret_cast<BackendTable::Any>(&Gate::sort));
  Gate::set(false);
  SessionInWindow window(std::move(device));
  const auto is_at_rest = [&] {
    return window.has_picture && !window.session.busy() && window.model.behind_ms == 0.0;
  };
  window.open(describe(sphere_of_2000));
  window.until(is_at_rest);
  // What compute is at keeps the picture from what is set meanwhile, and the time grows.
  choose(window.model, "sort", "library");
  window.session.update();
  set(window.model, "level=3");
  double before = 0.0;
  for (int i = 0; i < 5; ++i) {
    window.until([&] { return window.model.behind_ms > before; });
    before = window.model.behind_ms;
  }
  EXPECT_EQ(window.model.controls["level"], 3.0) << "the panels have it";
  Gate::set(true);
  window.until(is_at_rest);
  // So does a picture that is not taken.
  window.model.camera.orbit(0.5F, 0.0F);
  window.session.update();
  window.session.update();
  EXPECT_GT(window.model.behind_ms, 0.0);
  window.until(is_at_rest);
}

// What was to be saved of a scene is not replaced by another one's picture.
TEST_F(SessionTest, APictureIsGivenUpWithItsScene) {
  const std::string file = test_folder() / "given_up.png";
  std::filesystem::remove(file);
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const VariantId library = find_variant(Primitive::sort, "library");
  device->replace_variant(library, reinterpret_cast<BackendTable::Any>(&Gate::sort));
  Gate::set(false);
  SessionInWindow window(std::move(device));
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  const std::uint64_t first = window.session.drawn_scene();
  choose(window.model, "sort", "library");
  window.model.requests.add(request::SavePicture{file});
  window.model.requests.add(request::Open{describe("generated:knot")});
  window.session.update();
  Gate::set(true);
  // Without an update nothing is known of what was computed.
  while (window.session.drawn_scene() <= first) {
    window.session.picture();
    std::this_thread::yield();
  }
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_NE(window.model.messages[0].text.find("another scene was opened"), std::string::npos)
      << window.model.messages[0].text;
  EXPECT_EQ(window.model.messages[0].kind, Message::Kind::error);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// Until its first picture is there the view has none of it.
TEST_F(SessionTest, TellsThatTheFirstPictureIsToCome) {
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  EXPECT_EQ(model.first_picture_ms, 0.0);
  // A picture that is not taken keeps the next one from being drawn.
  const double pictures = model.picture_ms;
  model.camera.orbit(0.5F, 0.0F);
  while (model.picture_ms == pictures) {
    window.session.update();
    std::this_thread::yield();
  }
  const std::uint64_t before = model.scene_number;
  model.requests.add(request::Open{describe("generated:knot")});
  while (model.scene_number == before) {
    EXPECT_EQ(model.first_picture_ms, 0.0);
    window.session.update();
    std::this_thread::yield();
  }
  double last = 0.0;
  for (int i = 0; i < 5; ++i) {
    while (model.first_picture_ms <= last) window.session.update();
    last = model.first_picture_ms;
  }
  window.until([&] { return window.session.picture_scene() == model.results.scene; });
  window.session.update();
  EXPECT_EQ(model.first_picture_ms, 0.0);
}

// A frame's parts, of the device and of the host, are all that passed on the clock.
TEST_F(SessionTest, TheFramesPartsAddUpToTheFrame) {
  const auto title_of = [](const Model& model, const char* name) {
    return model.stage(name)->result.title;
  };
  const auto find = [](const TimeParts& frame, const std::string& title) {
    double ms = -1.0;
    for (const TimePart& part : frame.parts)
      if (part.title == title) ms = part.ms;
    return ms;
  };
  for_each_backend([&](std::unique_ptr<Device> device) {
    SessionInWindow window(std::move(device));
    window.open(describe(sphere_of_2000, {"animation=rebuild"}));
    window.until([&] { return window.model.results.frame_parts.last_wholes.size() > 40; });
    const TimeParts& frame = window.model.results.frame_parts;
    EXPECT_GT(frame.whole_ms, 0.0);
    EXPECT_NEAR(frame.sum_ms(), frame.whole_ms, 1e-6 * frame.whole_ms);
    double device_ms = 0.0;
    for (const TimePart& part : frame.parts) {
      EXPECT_GE(part.ms, 0.0) << part.title;
      EXPECT_FALSE(part.about.empty()) << part.title;
      if (part.place == TimePart::Place::device) device_ms += part.ms;
    }
    EXPECT_LT(device_ms, frame.whole_ms);
    for (const StageRow& row : window.model.stages)
      EXPECT_EQ(find(frame, row.result.title) > 0.0, row.every_frame) << row.result.name;
    EXPECT_GT(find(frame, title_of(window.model, "deform")), 0.0);
    for (const char* host : {"Launches", "Publish", "Map", "Draw", "Wait", "Facts", "Other"})
      EXPECT_GE(find(frame, host), 0.0) << host;
    EXPECT_GT(find(frame, "Draw") + find(frame, "Wait"), 0.0);

    // Another setting's frames say nothing of this one's.
    set(window.model, "animation=refit");
    window.until([&] {
      return window.model.results.wishes > 1 && !window.model.stage("sort")->every_frame;
    });
    EXPECT_EQ(find(window.model.results.frame_parts, title_of(window.model, "sort")), -1.0);
  });
}

// Neither is in the other's times.
TEST_F(SessionTest, TheSceneWaitsForTheLaboratory) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.until([&] { return window.frames() > 3; });
  LabModel& lab = window.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 12U};
  window.model.requests.add(request::RunLab{LabTask::results});
  window.until([&] { return lab.state == LabModel::State::measuring; });
  const std::uint64_t before = window.frames();
  repeat(window.model, {"sort", "sort", "sort", "sort", "sort", "build"});
  // The last update before the end is the last that may have seen no new frame.
  bool waits = true;
  bool is_asked_for = true;
  std::uint64_t seen = before;
  window.until([&] {
    if (!lab.busy()) return true;
    waits &= seen == before;
    is_asked_for &= window.model.requests.count<request::Repeat>() == 6;
    seen = window.frames();
    return false;
  });
  EXPECT_TRUE(waits);
  EXPECT_TRUE(is_asked_for);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  window.until([&] { return window.frames() > before + 3; });
  EXPECT_FALSE(window.model.requests.find<request::Repeat>());
}

TEST_F(SessionTest, WhatIsToBeOpenedWaitsForTheLaboratory) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  LabModel& lab = window.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 12U};
  window.model.requests.add(request::RunLab{LabTask::results});
  window.until([&] { return lab.state == LabModel::State::measuring; });
  window.model.requests.add(request::Open{describe("generated:sphere:500")});
  bool waits = true;
  window.until([&] {
    if (!lab.busy()) return true;
    waits &= window.model.requests.count<request::Open>() == 1 && !window.model.loading;
    return false;
  });
  EXPECT_TRUE(waits);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  window.until([&] { return window.model.scene_spec == "generated:sphere:500"; });
}

// However many clicks a frame of the window takes in.
TEST_F(SessionTest, EveryRequestToRepeatAStageIsOneRun) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const auto runs_of = [&](const char* name) { return runs(stage(window.model, name)); };
  // So many that nothing runs by itself: stages are warm.
  repeat(window.model,
         {"sort", "sort", "sort", "sort", "sort", "build", "build", "build", "build", "build"});
  window.until(
      [&] { return runs_of("sort") > 5 && runs_of("build") > 5 && !window.session.busy(); });
  const std::size_t sorts = runs_of("sort");
  const std::size_t builds = runs_of("build");
  repeat(window.model, {"sort", "sort", "build", "sort", "sort", "sort"});
  window.until([&] { return runs_of("sort") >= sorts + 5 && runs_of("build") > builds; });
  EXPECT_EQ(runs_of("sort"), sorts + 5);
  EXPECT_EQ(runs_of("build"), builds + 1);
}

// A window's session on a device whose stages take so long, if one believes its clock.
struct ClockedSession {
  std::shared_ptr<Breakage> device = std::make_shared<Breakage>();
  std::optional<SessionInWindow> window;

  explicit ClockedSession(double milliseconds,
                          const SceneDescription& scene = describe(sphere_of_2000)) {
    device->milliseconds = milliseconds;
    window.emplace(std::make_unique<BreakingDevice>(open_device(Backend::cpu), device, false));
    window->open(scene);
  }
  // As things are once no stage runs by itself any more.
  std::vector<StageRow> stages_at_rest() {
    window->until([this] {
      return window->frames() > 0 && !window->session.busy() &&
             std::none_of(window->model.stages.begin(), window->model.stages.end(),
                          [](const StageRow& row) { return row.warm_up == WarmUp::to_come; });
    });
    std::vector<StageRow> repeatable;
    for (const StageRow& row : window->model.stages)
      if (row.result.has_times() && row.result.repeatable && row.result.done_by.empty())
        repeatable.push_back(row);
    EXPECT_GT(repeatable.size(), 5U);
    return repeatable;
  }
};

// While nothing else is under way, stages run until their times have a spread. The cold run is not
// among them.
TEST_F(SessionTest, StagesWarmUpWhenThereIsNothingElseToDo) {
  ClockedSession fast(1.0);  // however slow the machine is
  SessionInWindow& window = *fast.window;
  const auto is_warm = [&](const char* name) {
    const StageRow& row = stage(window.model, name);
    return row.result.variant == row.variant && row.result.milliseconds.size() >= enough_warm_runs;
  };
  window.until([&] { return is_warm("sort") && is_warm("build") && is_warm("bounds"); });
  EXPECT_TRUE(stage(window.model, "sort").result.cold_ms);
  // A variant that is new has its own runs; those of the one before are kept beside them.
  StageRow& sort = stage(window.model, "sort");
  const auto was = sort.variant;
  const std::vector<double> before_it = sort.result.times();
  sort.variant = find_variant(Primitive::sort, "library");
  window.until([&] { return is_warm("sort"); });
  const auto& before = stage(window.model, "sort").before;
  ASSERT_TRUE(before);
  EXPECT_EQ(before->variant, was);
  EXPECT_EQ(before->milliseconds, before_it);
  EXPECT_FALSE(before->cold);
  EXPECT_GT(before->taken.at, std::chrono::system_clock::time_point{}) << "when it was timed";
  EXPECT_GE(stage(window.model, "sort").taken.at, before->taken.at);
  EXPECT_FALSE(before->taken.moving);
  EXPECT_EQ(before->items, stage(window.model, "sort").result.work.items);
  EXPECT_FALSE(stage(window.model, "scan").before);
  // Another scene has no before.
  window.model.requests.add(request::Open{describe_scene({"generated:knot"})});
  window.until([&] { return window.model.scene_spec == "generated:knot"; });
  EXPECT_FALSE(stage(window.model, "sort").before);
}

TEST_F(SessionTest, SlowStagesWarmUpToo) {
  for (const StageRow& row : ClockedSession(0.9 * longest_at_rest.warm_ms).stages_at_rest()) {
    EXPECT_EQ(row.result.cold_ms, 0.9 * longest_at_rest.warm_ms) << row.result.name;
    EXPECT_EQ(row.result.milliseconds.size(), enough_warm_runs) << row.result.name;
    EXPECT_EQ(row.warm_up, WarmUp::none) << row.result.name;
  }
}

// A cold run says little of those to come: one follows it, which then decides.
TEST_F(SessionTest, StagesThatAreTooSlowWarmUpOnce) {
  ClockedSession slow(1.1 * longest_at_rest.warm_ms);
  ASSERT_LT(1.1 * longest_at_rest.warm_ms, longest_at_rest.cold_ms);
  for (const StageRow& row : slow.stages_at_rest()) {
    EXPECT_EQ(row.result.milliseconds.size(), 1U) << row.result.name;
    EXPECT_EQ(row.warm_up, WarmUp::too_slow) << row.result.name;
  }
  // The user may ask for more.
  repeat(slow.window->model, {"sort"});
  slow.window->until(
      [&] { return stage(slow.window->model, "sort").result.milliseconds.size() == 2; });
}

TEST_F(SessionTest, StagesThatAreFarTooSlowStayCold) {
  ClockedSession slow(1.1 * longest_at_rest.cold_ms);
  for (const StageRow& row : slow.stages_at_rest()) {
    EXPECT_TRUE(row.result.is_cold()) << row.result.name;
    EXPECT_EQ(row.warm_up, WarmUp::too_slow) << row.result.name;
  }
  // Once they turn out to be faster they go on by themselves.
  slow.device->milliseconds = 1.0;
  repeat(slow.window->model, {"sort"});
  slow.window->until([&] {
    return stage(slow.window->model, "sort").result.milliseconds.size() == enough_warm_runs;
  });
}

// Repeating a stage would build a tree anew that was only refitted.
TEST_F(SessionTest, NoStageRunsByItselfThatChangesTheScene) {
  ClockedSession fast(1.0, describe(sphere_of_2000, {"animation=refit"}));
  SessionInWindow& window = *fast.window;
  window.until([&] { return window.frames() > 2; });
  EXPECT_EQ(stage(window.model, "sort").warm_up, WarmUp::changes);
  EXPECT_EQ(stage(window.model, "refit").warm_up, WarmUp::none) << "each frame runs it";
  window.model.playing = false;
  window.session.update();
  window.until([&] { return !window.session.busy(); });
  EXPECT_EQ(stage(window.model, "sort").warm_up, WarmUp::changes);
  EXPECT_TRUE(stage(window.model, "sort").result.is_cold());
  set(window.model, "animation=off");
  window.until([&] { return stage(window.model, "sort").result.milliseconds.size() == 5; });
}

// Of what moves the stages run by themselves that are no part of a frame: between two frames where
// they are fast, and else when the scene is paused.
TEST_F(SessionTest, StagesOfWhatMovesWarmUpBetweenFramesOrInAPause) {
  for (const double milliseconds : {1.0, 0.9 * longest_at_rest.warm_ms}) {
    const auto clock = std::make_shared<Breakage>();
    clock->milliseconds = milliseconds;
    SessionInWindow window(
        std::make_unique<BreakingDevice>(open_device(Backend::cpu), clock, false));
    window.open(describe_scene({"particles:1000", "generated:sphere:20"}));
    const auto are = [&window](WarmUp warm_up) {
      return std::all_of(
          window.model.stages.begin(), window.model.stages.end(), [warm_up](const StageRow& row) {
            return !row.result.repeatable || !row.result.done_by.empty() ||
                   row.result.name == "cells" || row.every_frame || row.warm_up == warm_up;
          });
    };
    if (milliseconds > 1.0) {
      window.until([&] { return window.frames() > 3 && are(WarmUp::waits); });
      EXPECT_TRUE(stage(window.model, "sort").result.is_cold());
      window.model.playing = false;
    }
    window.until([&] { return window.frames() > 3 && are(WarmUp::none); });
    EXPECT_EQ(stage(window.model, "sort").result.milliseconds.size(), enough_warm_runs);
    EXPECT_EQ(window.model.moves(), milliseconds == 1.0);
  }
}

// What is at work when the user leaves ends with the window.
TEST_F(SessionTest, ASessionMayEndWhileItIsBusy) {
  {
    SessionInWindow loading(open_device(Backend::cpu));
    loading.model.requests.add(request::Open{describe_scene({"generated:sphere:1000000"})});
    loading.session.update();
    EXPECT_TRUE(loading.session.busy());
  }
  SessionInWindow moving(open_device(Backend::cpu));
  moving.open(describe(sphere_of_2000, {"animation=rebuild"}));
  moving.model.requests.add(request::Pick{moving.model.camera.ray(0.5F, 0.5F, 1.0F)});
  moving.model.requests.add(request::Open{describe_scene({"generated:sphere:500000"})});
  moving.session.update();
  EXPECT_FALSE(moving.model.requests.find<request::Open>()) << "it is being loaded";
  EXPECT_TRUE(moving.model.moves());
}

// ---- The laboratory -----------------------------------------------------------------------------

constexpr std::uint32_t few_items = 1U << 10U;

// Updates until the laboratory is done. Returns how often.
int finish_lab(Opened& opened) {
  int updates = 0;
  do {
    opened.session.update();
    std::this_thread::yield();
    ++updates;
  } while (opened.model.lab.busy());
  return updates;
}

TEST_F(SessionTest, TheLaboratoryAnswersForEveryVariant) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const DeviceInfo info = device->info();
    Opened opened(std::move(device));
    LabModel& lab = opened.model.lab;
    opened.open(sphere_of_2000);
    const Picture before = opened.picture();
    while (lab.most_items == 0) opened.session.update();
    EXPECT_GT(lab.most_items, few_items);
    EXPECT_LE(lab.question.n, lab.most_items);
    for (const Primitive primitive : {Primitive::scan, Primitive::sort}) {
      lab.question = {.primitive = primitive, .n = few_items};
      opened.model.requests.add(request::RunLab{LabTask::results});
      EXPECT_TRUE(opened.session.busy());
      EXPECT_GT(finish_lab(opened), 1);
      EXPECT_EQ(lab.shown(LabTask::results).asked, lab.question);
      EXPECT_EQ(lab.shown(LabTask::results).error, "");
      ASSERT_EQ(lab.shown(LabTask::results).answers.size(),
                lab.shown(LabTask::results).variants.size());
      for (const lab::Answer& answer : lab.shown(LabTask::results).answers) {
        SCOPED_TRACE((*answer.variant)->name);
        EXPECT_EQ(answer.why_not, lab::why_not(*answer.variant, 0, info));
        if (!answer.why_not.empty()) continue;
        EXPECT_EQ(answer.difference, "");
        EXPECT_TRUE(answer.verified);
        EXPECT_GT(answer.ms, 0.0);
        EXPECT_GT(answer.copy_gb_per_s, 0.0);
        EXPECT_TRUE(is_library(*answer.variant) || !answer.launches.empty());
      }
    }
    EXPECT_EQ(opened.picture().rgba, before.rgba);
    EXPECT_FALSE(opened.session.busy());
    EXPECT_TRUE(opened.model.messages.empty());
  });
}

TEST_F(SessionTest, TheLaboratoryCounts) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = 1U << 20U};
  lab.banks = 16;
  opened.model.requests.add(request::RunLab{LabTask::counters});
  finish_lab(opened);
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  if (!lab.shown(LabTask::counters).error.empty()) {
    EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
    GTEST_SKIP() << lab.shown(LabTask::counters).error;
  }
  EXPECT_EQ(lab.shown(LabTask::counters).banks, 16U);
  EXPECT_EQ(lab.shown(LabTask::counters).asked.n, 1U << 14U) << "more than one tile of a scan";
  EXPECT_EQ(lab.question.n, 1U << 20U);
  ASSERT_EQ(lab.shown(LabTask::counters).answers.size(),
            lab.shown(LabTask::counters).variants.size());
  for (const lab::Answer& answer : lab.shown(LabTask::counters).answers) {
    if (!answer.why_not.empty() || is_library(*answer.variant)) continue;
    ASSERT_FALSE(answer.counters.empty());
    EXPECT_GT(answer.counters[0].global_sectors, 0U);
  }
}

TEST_F(SessionTest, TheLaboratoryAnswersAtOnceWhereItIsWaitedFor) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.session.answer_lab(LabTask::results);
  EXPECT_FALSE(lab.busy());
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
}

TEST_F(SessionTest, ACancelledLaboratoryKeepsWhatItHas) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 14U};
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_LT(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  EXPECT_EQ(lab.shown(LabTask::results).error, "");
  EXPECT_TRUE(opened.model.messages.empty());
  // And it can be asked again, by the way twice.
  lab.question.n = few_items;
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  opened.model.requests.add(request::RunLab{LabTask::results});
  finish_lab(opened);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
}

TEST_F(SessionTest, TheLaboratorySweepsOverSizes) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::morton, .n = few_items};
  lab.sweep_first = 3;
  lab.sweep_last = 5;
  opened.session.answer_lab(LabTask::sweep);
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  EXPECT_EQ(lab.question.n, few_items);
  EXPECT_EQ(lab.shown(LabTask::sweep).sizes, (std::vector<std::uint32_t>{8, 16, 32}));
  EXPECT_EQ(lab.shown(LabTask::sweep).asked.n, 32U);
  ASSERT_EQ(lab.shown(LabTask::sweep).answers.size(), lab.shown(LabTask::sweep).answers_to_come());
  for (std::size_t i = 0; i < lab.shown(LabTask::sweep).answers.size(); ++i) {
    const lab::Answer& answer = lab.shown(LabTask::sweep).answers[i];
    EXPECT_EQ(answer.question.n,
              lab.shown(LabTask::sweep).sizes[i / lab.shown(LabTask::sweep).variants.size()]);
    EXPECT_TRUE(answer.verified || !answer.why_not.empty()) << answer.difference;
    EXPECT_EQ(answer.ms > 0.0, answer.verified);
  }
  EXPECT_FALSE(lab.shown(LabTask::sweep).cancelled);
}

TEST_F(SessionTest, ACancelledSweepKeepsWhatItHas) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = few_items};
  lab.sweep_first = 2;
  lab.sweep_last = 14;
  opened.model.requests.add(request::RunLab{LabTask::sweep});
  do {
    opened.session.update();
    std::this_thread::yield();
  } while (lab.shown(LabTask::sweep).answers.empty() && lab.busy());
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_FALSE(lab.shown(LabTask::sweep).answers.empty());
  EXPECT_LT(lab.shown(LabTask::sweep).answers.size(), lab.shown(LabTask::sweep).answers_to_come());
  EXPECT_TRUE(lab.shown(LabTask::sweep).cancelled);
  EXPECT_EQ(lab.shown(LabTask::sweep).error, "");
}

// What captions say is what was answered, where the device has room for less than was chosen.
TEST_F(SessionTest, TheLaboratorySaysHowManyItemsItTook) {
  constexpr std::uint32_t many = 1U << 28U;
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::schedule, .n = many};
  lab.most_items = 0;  // it is not known yet
  opened.model.requests.add(request::RunLab{LabTask::results});
  const LabSeries& times = lab.shown(LabTask::results);
  do {
    opened.session.update();
    std::this_thread::yield();
  } while ((times.variants.empty() || times.asked.n == many) && lab.busy());
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_LT(times.asked.n, many);
  EXPECT_EQ(lab.question.n, many) << "another primitive may have room for it";
  for (const lab::Answer& answer : times.answers) EXPECT_EQ(answer.question, times.asked);
}

TEST_F(SessionTest, TheLaboratoryKeepsTheResultsOfEachPrimitive) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::reduce, .n = 8};
  opened.session.answer_lab(LabTask::results);
  lab.question = {.primitive = Primitive::morton, .n = 4};
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  opened.session.answer_lab(LabTask::results);
  EXPECT_EQ(lab.shown(LabTask::results).asked.n, 4U);
  lab.question.primitive = Primitive::reduce;
  ASSERT_EQ(lab.shown(LabTask::results).answers.size(), variants_of(Primitive::reduce).size());
  EXPECT_EQ(lab.shown(LabTask::results).asked.n, 8U);
}

TEST_F(SessionTest, ASweepEndsWhereThePrimitiveDoes) {
  LabModel lab;
  lab.sweep_last = 30;
  lab.question.primitive = Primitive::scan;
  lab.most_items = 5000;
  EXPECT_EQ(lab.last_of_sweep(), 12);
  lab.sweep_last = 7;
  EXPECT_EQ(lab.last_of_sweep(), 7);
}

TEST_F(SessionTest, FilesAreWrittenWholeOrAMessageSaysWhy) {
  Opened opened(open_device(Backend::cpu));
  const std::filesystem::path folder = test_folder();
  Picture picture{2, 1, {1, 2, 3, 255, 4, 5, 6, 255}};
  opened.model.requests.add(request::WriteFile{.file = folder / "a.svg", .bytes = "<svg/>"});
  opened.model.requests.add(request::WriteFile{.file = folder / "a.png", .picture = picture});
  opened.model.requests.add(request::WriteFile{.file = folder / "no" / "such" / "a.csv"});
  const auto count = [&opened](Message::Kind kind) {
    const auto& messages = opened.model.messages;
    return std::count_if(messages.begin(), messages.end(),
                         [kind](const Message& each) { return each.kind == kind; });
  };
  while (opened.model.messages.size() < 3) {
    opened.session.update();
    std::this_thread::yield();
  }
  EXPECT_EQ(count(Message::Kind::info), 2);
  EXPECT_EQ(count(Message::Kind::error), 1);
  EXPECT_EQ(read_file(folder / "a.svg"), "<svg/>");
  EXPECT_EQ(read_png(folder / "a.png").rgba, picture.rgba);
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

// As the command line writes it: the JSON has the whole report, the CSV its stages.
TEST_F(SessionTest, WhatWasMeasuredIsWrittenAsItStands) {
  const std::string text = test_folder() / "times.json";
  const std::string table = test_folder() / "times.csv";
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.until([&] { return window.frames() > 5; });
  window.model.playing = false;
  window.session.update();  // tells those who compute
  window.until([&] { return !window.session.busy(); });
  window.model.requests.add(request::WriteReport{text});
  window.model.requests.add(request::WriteReport{table});
  window.until([&] {
    return std::filesystem::exists(text) && std::filesystem::exists(table) &&
           has_message(window.model, Message::Kind::info);
  });
  const auto report = nlohmann::ordered_json::parse(std::ifstream(text));
  EXPECT_EQ(report["controls"]["animation"], "refit");
  ASSERT_EQ(report["stages"].size(), window.model.stages.size());
  for (std::size_t i = 0; i < report["stages"].size(); ++i) {
    const auto& stage = report["stages"][i];
    const StageResult& result = window.model.stages[i].result;
    EXPECT_EQ(stage["name"], result.name);
    EXPECT_EQ(stage["n"], result.times().size());
    EXPECT_EQ(stage["cold"], result.is_cold());
    EXPECT_NEAR(stage["ms_median"].get<double>(), result.median_ms, 1e-5) << result.name;
    EXPECT_EQ(stage["ms_cold"].is_null(), !result.cold_ms);
  }
  std::ifstream in(table);
  const std::string written(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(written, report_for(table, report));
  EXPECT_EQ(static_cast<std::size_t>(std::count(written.begin(), written.end(), '\n')),
            window.model.stages.size() + 1);
}

TEST_F(SessionTest, AnEditorThatFailsIsAMessage) {
  Opened opened(open_device(Backend::cpu));
  for (const char* command : {"/no/such/editor", "/bin/false"}) {
    opened.model.messages.clear();
    opened.model.requests.add(request::EditFile{"/a/file.cu", 3, command});
    while (!has_message(opened.model, Message::Kind::error)) {
      opened.session.update();
      std::this_thread::yield();
    }
    EXPECT_NE(opened.model.messages.back().text.find(command), std::string::npos);
  }
}

TEST_F(SessionTest, SassIsReadOnceOnAnotherThread) {
  Opened opened(open_device(Backend::cpu));
  const std::filesystem::path folder = test_folder();
  std::filesystem::create_directories(folder / "bin");
  const std::filesystem::path tool = folder / "bin" / "cuobjdump";
  std::ofstream(tool) << "#!/bin/sh\necho run >> " << (folder / "runs").string()
                      << "\nprintf 'code for sm_90\\nFunction : k\\n/*0000*/ EXIT ;\\n'\n";
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  setenv("CUDA_HOME", folder.c_str(), 1);
  std::vector<SassAnswer>& answers = opened.model.lab.sass;
  for (int i = 0; i < 2; ++i) {
    opened.model.requests.add(request::Disassemble{{.file = "/a/program", .symbols = {"k"}}});
    do {
      opened.session.update();
      std::this_thread::yield();
    } while (answers.empty() || !answers[0].done);
  }
  unsetenv("CUDA_HOME");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].error, "");
  EXPECT_NE(answers[0].text.find("EXIT"), std::string::npos);
  EXPECT_EQ(read_file(folder / "runs"), "run\n");
}

TEST_F(SessionTest, WhatTheLaboratoryCannotDoIsAMessage) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open(sphere_of_2000);
  const Picture before = opened.picture();
  small.refuse_beyond(100);
  opened.model.lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.model.requests.add(request::RunLab{LabTask::results});
  finish_lab(opened);
  EXPECT_NE(opened.model.lab.shown(LabTask::results).error, "");
  EXPECT_TRUE(opened.model.lab.shown(LabTask::results).answers.empty());
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.picture().rgba, before.rgba);
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
}

TEST_F(SessionTest, ALaboratoryAtWorkEndsWithItsSession) {
  Opened opened(open_device(Backend::cpu));
  opened.model.lab.question = {.primitive = Primitive::sort, .n = few_items};
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  EXPECT_TRUE(opened.model.lab.busy());
}

TEST_F(SessionTest, ForcingDirectInteropIsRefusedWhereItIsImpossible) {
  // A device that says that it shares no OpenGL context.
  class Elsewhere final : public Device {
   public:
    explicit Elsewhere(std::unique_ptr<Device> behind) : behind_(std::move(behind)) {}
    const DeviceInfo& info() const override { return behind_->info(); }
    std::uint64_t memory_available() const override { return behind_->memory_available(); }
    void* allocate(std::size_t bytes) override { return behind_->allocate(bytes); }
    void release(void* memory) noexcept override { behind_->release(memory); }
    void* allocate_pinned(std::size_t bytes) override { return behind_->allocate_pinned(bytes); }
    void release_pinned(void* memory) noexcept override { behind_->release_pinned(memory); }
    std::unique_ptr<Stream> create_stream() override { return behind_->create_stream(); }
    std::unique_ptr<Event> create_event() override { return behind_->create_event(); }
    bool events_in_graphs() const override { return behind_->events_in_graphs(); }
    bool shares_gl_context(std::string& why) const override {
      why = "OpenGL runs elsewhere";
      return false;
    }
    std::unique_ptr<GlRegistration> register_gl_buffer(unsigned) override { return nullptr; }
    const BackendTable& table() const override { return behind_->table(); }

   private:
    std::unique_ptr<Device> behind_;
  };
  Options options;
  options.interop = InteropRequest::direct;
  EXPECT_THROW(Opened(std::make_unique<Elsewhere>(open_device(Backend::cpu)), options),
               UnavailableError);
  Opened copied(std::make_unique<Elsewhere>(open_device(Backend::cpu)));
  EXPECT_NE(copied.model.interop.find("OpenGL runs elsewhere"), std::string::npos);
}

}  // namespace
}  // namespace warpview::test
