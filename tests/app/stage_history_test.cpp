// Stages that run once more, and comparisons of their variants, through a session.
#include "app/stage_history.h"

#include "app/warm_up.h"
#include "tests/app/breaking_device.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

using StageHistoryTest = SessionTest;

// As they run, by stage.
StageVariants variants_now(const Model& model) {
  StageVariants all;
  for (const StageRow& row : model.stages) all.push_back(row.result->variant);
  return all;
}

TEST_F(StageHistoryTest, ARepeatedStageGetsOneMoreTime) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  for (std::size_t i = 0; i < opened.model.stages.size(); ++i) {
    const StageRow& row = opened.model.stages[i];
    if (!row.result->repeatable || row.result->name == "deform") continue;
    const std::size_t before = runs(row);
    opened.model.requests.add(request::Repeat{row.result->name});
    opened.picture();
    EXPECT_EQ(runs(row), before + 1) << row.result->name;
  }
}

// A stage that is not switched on has no row in the panel before it first runs, and then keeps it.
TEST_F(StageHistoryTest, KnowsWhichStagesHaveRun) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  for (const StageRow& row : opened.model.stages)
    EXPECT_EQ(row.has_run, row.result->name != "deform") << row.result->name;
  for (const char* animation : {"animation=refit", "animation=off"}) {
    set(opened.model, animation);
    opened.picture();
    EXPECT_TRUE(stage(opened.model, "deform").has_run) << animation;
  }
  opened.open("generated:sphere:100");
  opened.picture();
  EXPECT_FALSE(stage(opened.model, "deform").has_run) << "that was another scene's";
}

// What is chosen stays chosen, and the scene goes on.
TEST_F(StageHistoryTest, ComparesAllVariantsOfAStage) {
  for_each_backend([](std::unique_ptr<Device> device) {
    SessionInWindow window(std::move(device));
    window.open(describe(sphere_of_2000, {"animation=rebuild"}));
    window.until([&] { return window.frames() > 2; });
    const StageVariants choices = variants_now(window.model);
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
        const VariantTimes& variant = comparison.variants[i];
        EXPECT_EQ(variant.why_not, stage(window.model, name).why_not[i]);
        EXPECT_EQ(variant.milliseconds.size(),
                  variant.why_not.empty() ? VariantComparison::runs : 0U)
            << (*variant.variant)->name;
      }
      const std::uint64_t before = window.frames();
      window.until([&] { return window.frames() > before + 2; });
      EXPECT_EQ(variants_now(window.model), choices);
      EXPECT_EQ(stage(window.model, name).before, std::nullopt) << "no variant was switched";
    }
    EXPECT_TRUE(window.model.messages.empty());
  });
}

// Of what moves its input: particles in cells, and the sort inside of that.
TEST_F(StageHistoryTest, ComparesTheCellsOfParticles) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe_scene({"particles:1000", "generated:sphere:20"}));
  window.until([&] { return window.frames() > 2; });
  for (const char* name : {"cells", "cells.sort"}) {
    SCOPED_TRACE(name);
    window.model.requests.add(request::Compare{name});
    window.until([&] { return stage(window.model, name).compared.has_value(); });
    for (const VariantTimes& variant : stage(window.model, name).compared->variants) {
      EXPECT_EQ(variant.milliseconds.size(), variant.why_not.empty() ? 5U : 0U);
      for (const double ms : variant.milliseconds) EXPECT_GT(ms, 0.0);
    }
    const std::uint64_t before = window.frames();
    window.until([&] { return window.frames() > before + 2; });
  }
  EXPECT_TRUE(window.model.messages.empty());
}

TEST_F(StageHistoryTest, AComparisonCanBeCancelled) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe("generated:sphere:20000"));  // its sorts take a while
  window.until([&] { return window.frames() > 0 && !window.session.busy(); });
  const StageVariants choices = variants_now(window.model);
  window.model.requests.add(request::Compare{"sort"});
  window.until([&] { return window.model.results->comparison.number == 1; });
  window.model.requests.add(request::CancelComparison{});
  window.until([&] { return stage(window.model, "sort").compared.has_value(); });
  // Where threads come and go it may have been done before.
  const Comparison& compared = *stage(window.model, "sort").compared;
  EXPECT_TRUE(compared.cancelled || std::all_of(compared.variants.begin(), compared.variants.end(),
                                                [](const VariantTimes& variant) {
                                                  return !variant.why_not.empty() ||
                                                         !variant.milliseconds.empty();
                                                }));
  EXPECT_EQ(variants_now(window.model), choices);

  // Another choice ends it, too.
  window.model.requests.add(request::Compare{"build"});
  window.until([&] { return window.model.results->comparison.number == 2; });
  choose(window.model, "sort", "library");
  window.until([&] { return stage(window.model, "build").compared.has_value(); });
  const VariantId library = find_variant(Primitive::sort, "library");
  window.until([&] { return stage(window.model, "sort").result->variant == library; });
  EXPECT_EQ(stage(window.model, "sort").variant, library);
  EXPECT_EQ(stage(window.model, "build").result->variant,
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
TEST_F(StageHistoryTest, OtherControlsHaveTimesOfTheirOwn) {
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

// However many clicks a frame of the window takes in.
TEST_F(StageHistoryTest, EveryRequestToRepeatAStageIsOneRun) {
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
  const std::uint64_t frames = window.frames();
  repeat(window.model, {"sort", "sort", "build", "sort", "sort", "sort"});
  window.until([&] { return runs_of("sort") >= sorts + 5 && runs_of("build") > builds; });
  EXPECT_EQ(runs_of("sort"), sorts + 5);
  EXPECT_EQ(runs_of("build"), builds + 1);
  EXPECT_EQ(window.frames(), frames) << "their results are what they were";
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
      if (row.result->has_times() && row.result->repeatable && row.result->done_by.empty())
        repeatable.push_back(row);
    EXPECT_GT(repeatable.size(), 5U);
    return repeatable;
  }
};

// While nothing else is under way, stages run until their times have a spread. The cold run is not
// among them.
TEST_F(StageHistoryTest, StagesWarmUpWhenThereIsNothingElseToDo) {
  ClockedSession fast(1.0);  // however slow the machine is
  SessionInWindow& window = *fast.window;
  const auto is_warm = [&](const char* name) {
    const StageRow& row = stage(window.model, name);
    return row.result->variant == row.variant &&
           row.result->milliseconds.size() >= enough_warm_runs;
  };
  window.until([&] { return is_warm("sort") && is_warm("build") && is_warm("bounds"); });
  EXPECT_TRUE(stage(window.model, "sort").result->cold_ms);
  // A variant that is new has its own runs; those of the one before are kept beside them.
  StageRow& sort = stage(window.model, "sort");
  const auto was = sort.variant;
  const std::vector<double> before_it = sort.result->times();
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
  EXPECT_EQ(before->items, stage(window.model, "sort").result->work.items);
  EXPECT_FALSE(stage(window.model, "scan").before);
  // Another scene has no before.
  window.model.requests.add(request::Open{describe_scene({"generated:knot"})});
  window.until([&] { return window.model.scene_spec == "generated:knot"; });
  EXPECT_FALSE(stage(window.model, "sort").before);
}

TEST_F(StageHistoryTest, SlowStagesWarmUpToo) {
  for (const StageRow& row : ClockedSession(0.9 * longest_at_rest.warm_ms).stages_at_rest()) {
    EXPECT_EQ(row.result->cold_ms, 0.9 * longest_at_rest.warm_ms) << row.result->name;
    EXPECT_EQ(row.result->milliseconds.size(), enough_warm_runs) << row.result->name;
    EXPECT_EQ(row.warm_up, WarmUp::none) << row.result->name;
  }
}

// A cold run says little of those to come: one follows it, which then decides.
TEST_F(StageHistoryTest, StagesThatAreTooSlowWarmUpOnce) {
  ClockedSession slow(1.1 * longest_at_rest.warm_ms);
  ASSERT_LT(1.1 * longest_at_rest.warm_ms, longest_at_rest.cold_ms);
  for (const StageRow& row : slow.stages_at_rest()) {
    EXPECT_EQ(row.result->milliseconds.size(), 1U) << row.result->name;
    EXPECT_EQ(row.warm_up, WarmUp::too_slow) << row.result->name;
  }
  // The user may ask for more.
  repeat(slow.window->model, {"sort"});
  slow.window->until(
      [&] { return stage(slow.window->model, "sort").result->milliseconds.size() == 2; });
}

TEST_F(StageHistoryTest, StagesThatAreFarTooSlowStayCold) {
  ClockedSession slow(1.1 * longest_at_rest.cold_ms);
  for (const StageRow& row : slow.stages_at_rest()) {
    EXPECT_TRUE(row.result->is_cold()) << row.result->name;
    EXPECT_EQ(row.warm_up, WarmUp::too_slow) << row.result->name;
  }
  // Once they turn out to be faster they go on by themselves.
  slow.device->milliseconds = 1.0;
  repeat(slow.window->model, {"sort"});
  slow.window->until([&] {
    return stage(slow.window->model, "sort").result->milliseconds.size() == enough_warm_runs;
  });
}

// Repeating a stage would build a tree anew that was only refitted.
TEST_F(StageHistoryTest, NoStageRunsByItselfThatChangesTheScene) {
  ClockedSession fast(1.0, describe(sphere_of_2000, {"animation=refit"}));
  SessionInWindow& window = *fast.window;
  window.until([&] { return window.frames() > 2; });
  EXPECT_EQ(stage(window.model, "sort").warm_up, WarmUp::changes);
  EXPECT_EQ(stage(window.model, "refit").warm_up, WarmUp::none) << "each frame runs it";
  window.model.playing = false;
  window.session.update();
  window.until([&] { return !window.session.busy(); });
  EXPECT_EQ(stage(window.model, "sort").warm_up, WarmUp::changes);
  EXPECT_TRUE(stage(window.model, "sort").result->is_cold());
  set(window.model, "animation=off");
  window.until([&] { return stage(window.model, "sort").result->milliseconds.size() == 5; });
}

// Of what moves the stages run by themselves that are no part of a frame: between two frames where
// they are fast, and else when the scene is paused.
TEST_F(StageHistoryTest, StagesOfWhatMovesWarmUpBetweenFramesOrInAPause) {
  for (const double milliseconds : {1.0, 0.9 * longest_at_rest.warm_ms}) {
    const auto clock = std::make_shared<Breakage>();
    clock->milliseconds = milliseconds;
    SessionInWindow window(
        std::make_unique<BreakingDevice>(open_device(Backend::cpu), clock, false));
    window.open(describe_scene({"particles:1000", "generated:sphere:20"}));
    const auto are = [&window](WarmUp warm_up) {
      return std::all_of(
          window.model.stages.begin(), window.model.stages.end(), [warm_up](const StageRow& row) {
            return !row.result->repeatable || !row.result->done_by.empty() ||
                   row.result->name == "cells" || row.every_frame || row.warm_up == warm_up;
          });
    };
    if (milliseconds > 1.0) {
      window.until([&] { return window.frames() > 3 && are(WarmUp::waits); });
      EXPECT_TRUE(stage(window.model, "sort").result->is_cold());
      window.model.playing = false;
    }
    window.until([&] { return window.frames() > 3 && are(WarmUp::none); });
    EXPECT_EQ(stage(window.model, "sort").result->milliseconds.size(), enough_warm_runs);
    EXPECT_EQ(window.model.moves(), milliseconds == 1.0);
  }
}

// ---- Without a session --------------------------------------------------------------------------

StageResult timed(const char* variant, std::vector<float> milliseconds) {
  return {.name = "sort",
          .title = "Sort",
          .primitive = Primitive::sort,
          .variant = find_variant(Primitive::sort, variant),
          .milliseconds = std::move(milliseconds)};
}

TEST(StageHistory, KeepsHowTheVariantBeforeWent) {
  const StageHistory history;
  StageRow row;
  history.take(row, timed("msd", {}), true);
  EXPECT_FALSE(row.before) << "there was none";
  EXPECT_EQ(row.taken.at, TimesTaken().at) << "it has no times yet";
  history.take(row, timed("msd", {2.0F, 3.0F}), true);
  EXPECT_TRUE(row.taken.moving);
  history.take(row, timed("onesweep", {}), false);
  ASSERT_TRUE(row.before);
  EXPECT_EQ((*row.before->variant)->name, std::string("msd"));
  EXPECT_EQ(row.before->milliseconds, (std::vector<double>{2.0, 3.0}));
  EXPECT_TRUE(row.before->taken.moving);
  EXPECT_FALSE(row.taken.moving) << "nothing was timed since";
  history.take(row, timed("msd", {1.0F}), false);
  EXPECT_FALSE(row.before) << "onesweep never ran";
}

TEST(StageHistory, AsksOnceForARunThatBringsNothing) {
  StageHistory history;
  Model model;
  model.stages.resize(2);
  history.take(model.stages[0], timed("msd", {1.0F}), false);
  history.take(model.stages[1], timed("msd", {1.0F}), false);
  model.stages[1].result.change().name = "cells.sort";
  EXPECT_FALSE(history.next_run(model, 1)) << "all are warm";
  model.stages[1].warm_up = WarmUp::to_come;
  EXPECT_EQ(history.next_run(model, 1), "cells.sort");
  EXPECT_FALSE(history.next_run(model, 1));
  history.take(model.stages[1], timed("msd", {1.0F, 1.0F}), false);
  model.stages[1].result.change().name = "cells.sort";
  EXPECT_EQ(history.next_run(model, 1), "cells.sort");
  EXPECT_EQ(history.next_run(model, 2), "cells.sort") << "of another scene";
}

}  // namespace
}  // namespace warpview::test
