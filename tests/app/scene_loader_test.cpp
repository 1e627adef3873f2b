// Opening scenes on a thread of its own.
#include "app/scene_loader.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "app/compute.h"
#include "app/render/render_thread.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/cpu/interruption.h"
#include "scenes/files/open_mesh.h"
#include "tests/app/program.h"
#include "tests/render/gl_test.h"
#include "tests/render/held_slices.h"

namespace warpview {
namespace {

using State = SceneLoader::State;
using test::test_folder;

std::string text_of(const std::exception_ptr& failure) {
  if (!failure) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}
template <class Kind>
bool is(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Kind&) {
    return true;
  } catch (...) {
  }
  return false;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class SceneLoaderTest : public GlTest {
 protected:
  SceneLoaderTest()
      : device_(open_device(Backend::cpu)),
        render_(context().shared(), *device_, InteropRequest::automatic,
                RenderThread::Pictures::on_demand),
        compute_(*device_, render_, Compute::Frames::on_demand) {}

  static SceneLoader::Request request(const std::string& spec) {
    return {.description = describe_scene({spec})};
  }
  std::unique_ptr<SceneLoader> start(SceneLoader::Request request) {
    return std::make_unique<SceneLoader>(std::move(request), open_, *device_, compute_);
  }
  // Opens it, and is told how that ended.
  std::unique_ptr<SceneLoader> open(SceneLoader::Request request) {
    auto loader = start(std::move(request));
    loader->wait();
    open_ = loader->opened();
    return loader;
  }
  std::shared_ptr<const OpenedScene> opened(SceneLoader::Request request) {
    const auto loader = open(std::move(request));
    EXPECT_EQ(loader->state(), State::done) << text_of(loader->failure());
    return loader->opened();
  }

  static std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = test_folder() / name;
    std::ofstream(file) << text;
    return file.string();
  }
  // Large enough that reading takes many blocks; whether a request comes in time is up to the
  // scheduler, and both ends are right.
  static std::string write_large() {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 300'000; ++i) text += "f 1 2 3\n";
    return write("large.obj", text);
  }

  std::unique_ptr<Device> device_;
  RenderThread render_;
  Compute compute_;
  std::shared_ptr<const OpenedScene> open_;
};

TEST_F(SceneLoaderTest, Opens) {
  const auto loader = start(request("generated:sphere:1000"));
  EXPECT_EQ(loader->spec(), "generated:sphere:1000");
  loader->wait();
  ASSERT_EQ(loader->state(), State::done);
  EXPECT_EQ(loader->failure(), nullptr);
  const auto opened = loader->opened();
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->number, compute_.results()->scene);
  EXPECT_EQ(opened->mesh->triangle_count(), 1000U);
  EXPECT_EQ(opened->kind, &scene_kinds().front());
  EXPECT_FALSE(opened->bounds.is_empty());
  EXPECT_GT(opened->memory, 0U);
  compute_.with_scene([&](Scene& scene) {
    ASSERT_EQ(opened->stages.size(), scene.timeline().size());
    for (std::size_t i = 0; i < opened->stages.size(); ++i) {
      const StageInfo& info = scene.timeline().info(static_cast<StageId>(i));
      EXPECT_EQ(opened->stages[i].result->name, info.name);
      EXPECT_EQ(opened->stages[i].variants.empty(), !info.primitive);
      EXPECT_EQ(opened->stages[i].variants.size(), opened->stages[i].why_not.size());
    }
    for (const Check& check : scene.verify()) EXPECT_EQ(check.difference, "");
  });
}

TEST_F(SceneLoaderTest, TellsTheError) {
  const auto before = opened(request("generated:sphere:10"));
  const auto loader = open(request((test_folder() / "absent.obj").string()));
  ASSERT_EQ(loader->state(), State::failed);
  EXPECT_TRUE(is<InputError>(loader->failure()));
  EXPECT_TRUE(contains(text_of(loader->failure()), "absent.obj: no such file"));
  EXPECT_EQ(loader->opened(), before);
  EXPECT_EQ(compute_.results()->scene, before->number);
}

TEST_F(SceneLoaderTest, KeepsTheLimits) {
  auto limited = request("generated:sphere:1000");
  limited.limits.corners = 10;
  const auto loader = open(std::move(limited));
  EXPECT_EQ(loader->state(), State::failed);
  EXPECT_TRUE(is<InputError>(loader->failure()));
  EXPECT_EQ(loader->opened(), nullptr);
}

TEST_F(SceneLoaderTest, CanBePolledWhileItLoads) {
  const auto loader = start(request(std::string(default_mesh)));
  float last = 0.0F;
  while (loader->state() == State::loading) {
    const float progress = loader->progress();
    EXPECT_GE(progress, last);
    EXPECT_NE(loader->phase(), "");
    // Full only when the device has done its part.
    if (std::string(loader->phase()) == "allocating device memory") {
      EXPECT_LT(progress, 1.0F);
    }
    last = progress;
  }
  EXPECT_EQ(loader->state(), State::done);
  EXPECT_EQ(loader->progress(), 1.0F);
}

// Not by the thread that draws, which others wait for.
TEST_F(SceneLoaderTest, MakesTexturesReady) {
  std::string tga("\0\0\xA\0\0\0\0\0\0\0\0\0\0\x8\0\x8\x18\x20", 18);  // 2048 x 2048
  for (int run = 0; run < 2048 * 2048 / 128; ++run) tga += "\xff\1\2\3";
  std::ofstream(test_folder() / "t.tga", std::ios::binary) << tga;
  write("t.mtl", "newmtl a\nmap_Kd t.tga\n");
  const auto loader = start(
      request(write("t.obj", "mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")));
  bool seen = false;
  while (loader->state() == State::loading)
    seen |= std::string(loader->phase()) == "preparing textures";
  ASSERT_EQ(loader->state(), State::done) << text_of(loader->failure());
  EXPECT_EQ(loader->opened()->mesh->textures.size(), 1U);
  EXPECT_TRUE(seen);
}

TEST_F(SceneLoaderTest, Cancels) {
  const auto before = opened(request("generated:sphere:10"));
  const auto loader = start(request(write_large()));
  loader->cancel();
  loader->wait();
  EXPECT_TRUE(loader->state() == State::cancelled || loader->state() == State::done);
  EXPECT_EQ(loader->failure(), nullptr);
  if (loader->state() == State::cancelled) {
    EXPECT_EQ(loader->opened(), before);
  }
}

TEST_F(SceneLoaderTest, DestructionCancelsAndJoins) {
  const std::string path = write_large();
  for (int i = 0; i < 20; ++i) start(request(path));
}

// Each stage of the device is a phase, and so is what the host does before.
TEST_F(SceneLoaderTest, CanBeCancelledInEveryPhase) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"generated:sphere:300"},
                                                {"deformation", "generated:sphere:300"},
                                                {"particles:1000", "generated:sphere:300"}}) {
    SCOPED_TRACE(words.front());
    const auto before = opened(request("generated:sphere:10"));
    ASSERT_NE(before, nullptr);
    // The questions of a whole load, by what was being done when they were asked.
    std::vector<std::string> phases;
    const SceneLoader* asking = nullptr;
    std::mutex mutex;  // until `asking` is known
    auto whole = SceneLoader::Request{.description = describe_scene(words)};
    whole.stop = [&] {
      const std::lock_guard lock(mutex);
      phases.push_back(asking->phase());
      return false;
    };
    {
      std::unique_lock lock(mutex);
      const auto loader = start(std::move(whole));
      asking = loader.get();
      lock.unlock();
      loader->wait();
      ASSERT_EQ(loader->state(), State::done) << text_of(loader->failure());
      open_ = loader->opened();
    }
    std::set<std::string> names(phases.begin(), phases.end());
    for (const char* name :
         {"generating", "allocating device memory", "Upload", "Drop (scan)", "Triangle boxes",
          "Bounds", "Morton codes", "Sort", "Build", "Statistics", "uploading"})
      EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_GT(std::count(phases.begin(), phases.end(), "Build"), 1) << "it has several kernels";

    const auto small = opened(request("generated:sphere:10"));
    std::string last;
    for (std::size_t question = 0; question < phases.size(); ++question) {
      if (phases[question] == last) continue;
      // At the first question of a phase and, where there is one, at the second.
      last = phases[question];
      for (const std::size_t at : {question, question + 1}) {
        if (at >= phases.size() || phases[at] != last) continue;
        SCOPED_TRACE(last);
        auto stopped = SceneLoader::Request{.description = describe_scene(words)};
        stopped.stop = [asked = std::make_shared<std::atomic<std::size_t>>(0), at] {
          return asked->fetch_add(1) == at;
        };
        const auto loader = open(std::move(stopped));
        EXPECT_EQ(loader->state(), State::cancelled) << text_of(loader->failure());
        EXPECT_EQ(loader->phase(), last);
        EXPECT_EQ(loader->opened(), small);
        EXPECT_EQ(compute_.results()->scene, small->number);
      }
    }
    compute_.with_scene([](Scene& scene) {
      for (const Check& check : scene.verify()) EXPECT_EQ(check.difference, "");
    });
  }
}

// A frame that nobody will see is not finished.
TEST_F(SceneLoaderTest, ClosingInterruptsWhatIsComputed) {
  ASSERT_NE(opened(request("generated:sphere:10")), nullptr);
  const auto compute = [](Scene& scene) { scene.compute(); };
  compute_.with_scene(compute);
  compute_.close();
  EXPECT_THROW(compute_.with_scene(compute), Interrupted);
  EXPECT_THROW(compute_.frame(0.0), Interrupted);
}

// Until a frame of the old scene has ended, the new one waits to be taken over.
TEST_F(SceneLoaderTest, CanBeCancelledWhileAFrameIsUnderWay) {
  const auto before = opened(request("generated:sphere:10"));
  std::promise<void> end;
  compute_.ask([until = end.get_future().share()](Scene&) { until.wait(); });
  const auto loader = start(request("generated:sphere:20"));
  while (loader->phase() != "uploading") std::this_thread::yield();
  loader->cancel();
  loader->wait();
  EXPECT_EQ(loader->state(), State::cancelled);
  EXPECT_EQ(loader->opened(), before);
  end.set_value();
  EXPECT_EQ(compute_.with_scene([](Scene& scene) { return scene.mesh().triangle_count(); }), 10U);
}

// A scene may be opened paused, and only the first wishes say so.
TEST_F(SceneLoaderTest, TimeStandsUntilTheFirstWishes) {
  const auto scene = opened(request("particles:1000"));
  compute_.frame(0.25);
  EXPECT_EQ(compute_.results()->seconds, 0.0);
  SceneWishes wishes{.scene = scene->number, .number = 1, .choices = scene->choices};
  wishes.choices.playing = true;
  compute_.set_wishes(std::move(wishes));
  compute_.frame(0.25);
  EXPECT_EQ(compute_.results()->seconds, 0.25);
}

TEST_F(SceneLoaderTest, APictureIsKeptAsSoonAsThereIsOne) {
  opened(request("generated:sphere:1000"));
  std::vector<std::string> answers;
  compute_.keep([&answers](const std::string& why_not, double) { answers.push_back(why_not); });
  compute_.pause();  // waits for what was asked before
  EXPECT_TRUE(answers.empty()) << "no frame has run";
  compute_.frame(0.0);
  EXPECT_EQ(answers, std::vector<std::string>{""});
  EXPECT_TRUE(render_.keeps());
  // Another scene's first frame answers, too; nothing does what was forgotten.
  opened(request("generated:sphere:2000"));
  compute_.keep([&answers](const std::string& why_not, double) { answers.push_back(why_not); });
  compute_.forget_kept();
  compute_.frame(0.0);
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_FALSE(render_.keeps());
}

// A large picture that is being drawn is given up for the scene that takes its place, though
// compute is at a frame.
TEST_F(SceneLoaderTest, DoesNotWaitForAPictureOfTheSceneBefore) {
  if (context().renderer().find("llvmpipe") == std::string::npos)
    GTEST_SKIP() << "no software rasteriser";
  test::HeldSlices slices;
  RenderThread render(context().shared(), *device_, InteropRequest::automatic,
                      RenderThread::Pictures::by_themselves);
  Compute compute(*device_, render, Compute::Frames::by_themselves);
  {
    SceneLoader large(request("generated:sphere:100000"), open_, *device_, compute);
    large.wait();
    ASSERT_EQ(large.state(), State::done) << text_of(large.failure());
    open_ = large.opened();
  }
  View view{.camera = {}, .options = {}, .shown = {}, .width = 64, .height = 64};
  for (const Output& output : open_->outputs)
    view.shown.push_back(open_->choices.shown.contains(output.name));
  view.camera.fit(open_->bounds, 1.0F);
  render.set_view(view);
  const auto is_drawn = [&] {
    render.take_picture();
    return render.taken_scene() == open_->number && !render.overtaken();
  };
  while (!is_drawn()) std::this_thread::yield();
  slices.count_anew();
  view.camera.orbit(0.5F, 0.0F);
  render.set_view(view);
  while (!is_drawn()) std::this_thread::yield();
  ASSERT_GT(slices.count(), 5) << "it is small";

  std::promise<void> end;
  compute.ask([until = end.get_future().share()](Scene&) { until.wait(); });
  slices.hold();
  view.camera.orbit(0.5F, 0.0F);
  render.set_view(view);
  slices.wait_for_one();
  // Once the loader waits for compute it is asked again and again.
  std::promise<void> waits;
  auto small = request("generated:sphere:10");
  const SceneLoader* loading = nullptr;
  std::atomic<bool> is_loading{false};
  small.stop = [&, asked = 0]() mutable {
    if (is_loading && loading->phase() == "uploading" && ++asked == 2) waits.set_value();
    return false;
  };
  SceneLoader loader(std::move(small), open_, *device_, compute);
  loading = &loader;
  is_loading = true;
  waits.get_future().wait();
  slices.let_go();
  render.read_back();  // as soon as the thread does anything else
  EXPECT_EQ(slices.count(), 1);
  end.set_value();
  loader.wait();
  EXPECT_EQ(loader.state(), State::done) << text_of(loader.failure());
}

// Whole, or cancelled anywhere, it leaves the scene as it was.
TEST_F(SceneLoaderTest, AComparisonOfVariantsChangesNothing) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"generated:sphere:300"},
                                                {"particles:1000", "generated:sphere:20"}}) {
    ASSERT_NE(opened({.description = describe_scene(words)}), nullptr);
    compute_.with_scene([](Scene& scene) {
      const StageVariants choices = scene.timeline().choices();
      for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto stage = static_cast<StageId>(i);
        if (!scene.timeline().info(stage).primitive) continue;
        SCOPED_TRACE(scene.timeline().info(stage).name);
        VariantComparison whole(scene, stage, 1);
        EXPECT_EQ(whole.results().variants.front().fused.empty(),
                  scene.timeline().info(stage).name != "build");
        int steps = 1;
        while (whole.step(scene)) ++steps;
        EXPECT_FALSE(whole.results().under_way);
        for (const VariantTimes& compared : whole.results().variants)
          EXPECT_EQ(compared.milliseconds.size(), compared.why_not.empty() ? 5U : 0U)
              << (*compared.variant)->name;
        EXPECT_EQ(scene.timeline().choices(), choices);
        for (const Check& check : scene.verify()) EXPECT_EQ(check.difference, "");

        VariantComparison half(scene, stage, 2);
        for (int step = 0; step < steps / 2; ++step) half.step(scene);
        half.cancel(scene);
        EXPECT_TRUE(half.results().cancelled || steps < 2);
        EXPECT_FALSE(half.step(scene));
        EXPECT_EQ(scene.timeline().choices(), choices);
        for (const Check& check : scene.verify()) EXPECT_EQ(check.difference, "");
      }
    });
  }
}

// Some builders fit the boxes in the same pass; the others' times have the refit's with them.
TEST_F(SceneLoaderTest, AComparisonOfBuildersIncludesTheRefit) {
  ASSERT_NE(opened({.description = describe_scene({"generated:sphere:300"})}), nullptr);
  compute_.with_scene([](Scene& scene) {
    const Timeline& timeline = scene.timeline();
    const StageId build = timeline.find("build").value();
    const StageId refit = timeline.find("refit").value();
    for (const StageResult& result : timeline.stage_results())
      EXPECT_EQ(result.fused, result.name == "build" ? std::vector<std::string>{"Refit"}
                                                     : std::vector<std::string>{})
          << result.name;
    VariantComparison comparison(scene, build, 1);
    std::size_t fitted = 0;
    std::size_t others = 0;
    while (comparison.step(scene)) {
      for (const VariantTimes& compared : comparison.results().variants) {
        EXPECT_EQ(compared.fused, std::vector<std::string>{"Refit"});
        const bool is_last = compared.variant == comparison.results().running;
        if (!is_last || compared.milliseconds.empty()) continue;
        const bool fits = ((*compared.variant)->traits & BuildTrait::fits) != 0;
        (fits ? fitted : others) += 1;
        EXPECT_DOUBLE_EQ(compared.milliseconds.back(),
                         timeline.times(build).last() + (fits ? 0.0 : timeline.times(refit).last()))
            << (*compared.variant)->name;
      }
    }
    EXPECT_GT(fitted, 0U);
    EXPECT_GT(others, 0U);
    VariantComparison of_sorts(scene, timeline.find("sort").value(), 2);
    EXPECT_TRUE(of_sorts.results().variants.front().fused.empty());
  });
}

TEST_F(SceneLoaderTest, ReadsSceneFiles) {
  const std::string file = write("scene.json", R"({
    "files": ["generated:sphere:33", {"path": "generated:sphere:7", "transform": {"scale": 2}}],
    "camera": {"eye": [0, 0, 9], "target": [0, 0, 0]},
    "controls": {"animation": "refit", "waves": 3},
    "variants": {"sort": "library"},
    "show": ["curve"]})");
  auto scene = opened(request(file));
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->mesh->triangle_count(), 40U);
  EXPECT_EQ(scene->choices.controls.choice("shape"), 1);
  EXPECT_EQ(scene->choices.controls["waves"], 3.0);
  ASSERT_TRUE(scene->description.camera);
  EXPECT_EQ(scene->description.camera->eye.z, 9.0F);
  const auto shown_of = [](const OpenedScene& one) {
    std::vector<std::string> shown;
    for (const Output& output : one.outputs)
      if (one.choices.shown.contains(output.name)) shown.emplace_back(output.name);
    return shown;
  };
  EXPECT_EQ(shown_of(*scene), std::vector<std::string>{"curve"});
  const auto variant = [this] {
    return compute_.with_scene([](Scene& on) {
      return std::string(on.timeline().variant(*on.timeline().find("sort")).name);
    });
  };
  EXPECT_EQ(variant(), "library");

  // What was said beside it comes on top.
  auto more = request(file);
  more.description.controls = {{"waves", "5"}};
  more.description.variants.add("sort=onesweep");
  more.description.show = {{"mesh", "wire"}};
  scene = opened(std::move(more));
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->choices.controls.choice("shape"), 1);
  EXPECT_EQ(scene->choices.controls["waves"], 5.0);
  EXPECT_EQ(shown_of(*scene), (std::vector<std::string>{"mesh", "wire"}));
  EXPECT_EQ(variant(), "onesweep");

  const auto broken = open(request(write("broken.json", "{\n\"scene\": 1}")));
  EXPECT_TRUE(is<InputError>(broken->failure()));
  EXPECT_TRUE(contains(text_of(broken->failure()), "broken.json:2"));
}

TEST_F(SceneLoaderTest, WhatIsAskedForByNameMustBeThere) {
  const auto before = opened(request("generated:sphere:10"));
  auto show = request("generated:sphere:10");
  show.description.show = {{"mesh", "soup"}};
  const auto no_output = open(std::move(show));
  EXPECT_TRUE(is<ChoiceError>(no_output->failure()));
  EXPECT_TRUE(contains(text_of(no_output->failure()), "soup"));
  EXPECT_TRUE(contains(text_of(no_output->failure()), "curve"));

  auto variants = request("generated:sphere:10");
  variants.description.variants.add("hash_map=linear");
  const auto no_stage = open(std::move(variants));
  EXPECT_TRUE(is<ChoiceError>(no_stage->failure()));
  EXPECT_TRUE(contains(text_of(no_stage->failure()), "The stages are"));
  EXPECT_EQ(open_, before);
}

TEST_F(SceneLoaderTest, HabitsAreOnlyHabits) {
  auto with_habits = request("generated:sphere:10");
  with_habits.habits.add("sort=library");
  with_habits.habits.add("build=apetrei");
  with_habits.habits.add("hash_map=linear");
  with_habits.description.variants.add("build=karras");
  with_habits.shown = {{"points", "soup"}};
  const auto scene = opened(std::move(with_habits));
  ASSERT_NE(scene, nullptr);
  compute_.with_scene([](Scene& on) {
    EXPECT_STREQ(on.timeline().variant(*on.timeline().find("sort")).name, "library");
    EXPECT_STREQ(on.timeline().variant(*on.timeline().find("build")).name, "karras");
  });
  EXPECT_EQ(scene->choices.shown, std::set<std::string>{"points"});
}

}  // namespace
}  // namespace warpview
