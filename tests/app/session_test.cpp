// The session between a model and a device, without a window: it waits for what it is asked.
#include "app/session.h"

#include <fmt/format.h>

#include <fstream>
#include <tuple>

#include "gpu/runtime/vertex.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

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
    EXPECT_EQ(model.results->frames, 1U);
    EXPECT_EQ(model.results->slider_max.size(), model.controls.size());
    std::vector<std::string> names;
    for (const StageRow& row : model.stages) {
      names.push_back(row.result->name);
      SCOPED_TRACE(row.result->name);
      // Nothing moves, the builder fits the boxes too, and the CPU device reads where the file was
      // loaded.
      if (row.result->name != "deform" && row.result->done_by.empty()) {
        EXPECT_GT(row.result->median_ms, 0.0);
        EXPECT_TRUE(row.result->work.bytes > 0 || row.result->name == "upload");
      }
      EXPECT_FALSE(row.every_frame);
      EXPECT_EQ(row.variants.empty(), !row.result->primitive);
      EXPECT_EQ(row.variants.size(), row.why_not.size());
      EXPECT_EQ(row.variant, row.result->variant);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"upload", "scan", "dedup", "deform", "boxes",
                                               "bounds", "morton", "sort", "build", "refit",
                                               "statistics", "write"}));
    EXPECT_FALSE(opened.session.busy());
  });
}

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
    // What surrounds an output is no part of it, and changes with the camera.
    opened.model.show.horizon = false;
    opened.model.show.ground = false;
    const Picture empty = opened.picture();
    for (const SceneKind& kind : scene_kinds()) {
      // Trees are drawn, and no ray of theirs.
      const std::string name = kind.name == std::string("trees") ? "trees:1024" : kind.name;
      const SceneDescription description = describe_scene({name, sphere_of_2000});
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
        SCOPED_TRACE(row.result->name + "=" + row.variants[v]->name);
        row.variant = row.variants[v];
        EXPECT_EQ(opened.picture().rgba, expected.rgba);
        EXPECT_EQ(row.variant, row.variants[v]);
        EXPECT_EQ(row.result->variant, row.variants[v]);
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
  EXPECT_EQ(sort.result->variant, before);
  EXPECT_EQ(opened.model.controls.choice("shape"), 1);
  opened.model.messages.clear();
  opened.picture();
  EXPECT_TRUE(opened.model.messages.empty());
  // Nor is it taken up by the next scene.
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_EQ(stage(opened.model, "sort").variant, before);
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
        const bool is_due = expected.count(row.result->name) > 0 && row.result->done_by.empty();
        EXPECT_EQ(row.every_frame, is_due) << row.result->name;
        EXPECT_EQ(row.result->runs, row.every_frame ? 1 : 0) << row.result->name;
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
    const std::uint64_t frames = model.results->frames;
    model.pointer = model.camera.ray(0.5F, 0.5F, 1.0F);
    settle();
    ASSERT_EQ(model.glanced.size(), 3U);
    EXPECT_EQ(model.glanced.front().name, "pick.triangle");
    EXPECT_TRUE(model.picked.empty());
    EXPECT_EQ(model.results->frames, frames);
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

TEST_F(SessionTest, MeasuresCopies) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  opened.session.measure_copies();
  EXPECT_GT(opened.model.results->copy_gb_per_s, 0.0);
  for (const StageRow& row : opened.model.stages)
    EXPECT_EQ(row.result->copy_share > 0.0, row.result->name != "deform" &&
                                                row.result->name != "upload" &&
                                                row.result->done_by.empty())
        << row.result->name;
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
    EXPECT_EQ(stage(opened.model, "upload").result->milliseconds.size(), 1U);
  });
}

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
    EXPECT_TRUE(opened.model.results->courses.empty()) << "they were another scene's";
    for (int frame = 0; frame < 3; ++frame) opened.picture();
    const Published<Snapshot> shown = opened.model.results;
    const Snapshot& results = *shown;
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
    for (const auto& [name, course] : opened.model.results->courses)
      EXPECT_EQ(course.size(), 3U) << name;
    opened.model.playing = true;
  }
  EXPECT_GT(plotted, 0U);
}

TEST_F(SessionTest, CoursesForgetTheirBeginning) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(describe_scene({"deformation", "generated:sphere:20"}));
  for (int frame = 0; frame < 300; ++frame) opened.session.advance(time_step);
  ASSERT_FALSE(opened.model.results->courses.empty());
  for (const auto& [name, course] : opened.model.results->courses)
    EXPECT_EQ(course.size(), 240U) << name;
}

TEST_F(SessionTest, AWindowsSessionGoesOnByItself) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  ASSERT_EQ(window.model.scene_spec, sphere_of_2000);
  window.until([&] { return window.has_picture && window.frames() > 10; });
  EXPECT_TRUE(window.session.busy());
  EXPECT_GT(window.model.draw_ms, 0.0);

  // Paused it stands, but for single steps.
  window.model.playing = false;
  window.session.update();  // tells compute
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

// Its pictures are larger than they are quick; that they never come is what a failure looks like.
TEST_F(SessionTest, AMovingSceneDoesNotWaitForSlowPictures) {
  if (context().renderer().find("llvmpipe") == std::string::npos)
    GTEST_SKIP() << "drawing is faster than kernels";
  SessionInWindow window(open_device(Backend::cpu));
  window.model.coarse_above_ms = 1e9;
  window.session.set_view(2000, 2000);
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  const std::uint64_t before = window.frames();
  std::uint64_t pictures = 0;
  const Framebuffer* last = nullptr;
  window.until([&] {
    const Framebuffer* const picture = window.session.picture();
    if (picture != std::exchange(last, picture)) ++pictures;
    return window.frames() - before > pictures + 5;
  });
  window.model.playing = false;
  window.until([&] { return window.session.shows_all(); });
  EXPECT_EQ(window.session.picture_scene(), window.model.results->scene);
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
                         return row.result->copy_share > 0.0 || !row.has_run ||
                                !row.result->has_times() || row.result->work.bytes == 0;
                       });
  };
  window.until([&] { return tried() && window.frames() > 0 && rated(); });
  EXPECT_GT(window.model.results->copy_gb_per_s, 0.0);
  EXPECT_EQ(window.model.absent[static_cast<std::size_t>(Backend::cpu)], "");
  for (const BackendStatus& status : list_backends())
    EXPECT_EQ(window.model.absent[static_cast<std::size_t>(status.backend)], status.why);
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

// A frame's parts, of the device and of the host, are all that passed on the clock.
TEST_F(SessionTest, TheFramesPartsAddUpToTheFrame) {
  const auto title_of = [](const Model& model, const char* name) {
    return model.stage(name)->result->title;
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
    window.until([&] { return window.model.results->frame_parts.last_wholes.size() > 40; });
    const TimeParts& frame = window.model.results->frame_parts;
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
      EXPECT_EQ(find(frame, row.result->title) > 0.0, row.every_frame) << row.result->name;
    EXPECT_GT(find(frame, title_of(window.model, "deform")), 0.0);
    for (const char* host : {"Launches", "Publish", "Map", "Draw", "Wait", "Facts", "Other"})
      EXPECT_GE(find(frame, host), 0.0) << host;
    EXPECT_GT(find(frame, "Draw") + find(frame, "Wait"), 0.0);

    // Another setting's frames say nothing of this one's.
    set(window.model, "animation=refit");
    window.until([&] {
      return window.model.results->wishes > 1 && !window.model.stage("sort")->every_frame;
    });
    EXPECT_EQ(find(window.model.results->frame_parts, title_of(window.model, "sort")), -1.0);
  });
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
