// Undo and redo of what was set in a scene.
#include "app/undo.h"

#include <string>

#include "app/remembering.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

SceneMemory level_at(int level) {
  SceneMemory memory;
  memory.controls = {{"level", std::to_string(level)}};
  return memory;
}

TEST(Undo, GoesBackStepByStepAndForthAgain) {
  UndoHistory history;
  history.begin(level_at(0));
  EXPECT_FALSE(history.undo());
  history.note(level_at(0), false);
  EXPECT_EQ(history.before(), nullptr) << "nothing was changed";
  history.note(level_at(1), false);
  history.note(level_at(2), false);
  EXPECT_EQ(history.undo(), level_at(1));
  EXPECT_EQ(history.undo(), level_at(0));
  EXPECT_FALSE(history.undo());
  EXPECT_EQ(history.redo(), level_at(1));
  // Another step ends what could be redone.
  history.note(level_at(7), false);
  EXPECT_FALSE(history.redo());
  EXPECT_EQ(history.undo(), level_at(1));
}

TEST(Undo, ADragIsOneStep) {
  UndoHistory history;
  history.begin(level_at(0));
  for (int level = 1; level < 9; ++level) history.note(level_at(level), true);
  EXPECT_EQ(history.before(), nullptr);
  history.note(level_at(9), false);
  EXPECT_EQ(history.undo(), level_at(0));
  EXPECT_FALSE(history.undo());
}

TEST(Undo, KeepsTheLatestSteps) {
  UndoHistory history;
  history.begin(level_at(0));
  constexpr int steps = 130;
  for (int level = 1; level <= steps; ++level) history.note(level_at(level), false);
  int last = steps;
  int undone = 0;
  while (const auto before = history.undo()) {
    EXPECT_EQ(*before, level_at(--last));
    ++undone;
  }
  EXPECT_EQ(undone, static_cast<int>(UndoHistory::most));
}

TEST(Undo, WhatWasRefusedIsNoStep) {
  UndoHistory history;
  history.begin(level_at(0));
  history.note(level_at(1), false);
  history.note(level_at(2), false);
  history.follow(level_at(1));
  EXPECT_EQ(history.undo(), level_at(0));
}

// ---- With a session -----------------------------------------------------------------------------

struct Undoing : SessionInWindow {
  explicit Undoing(const std::string& spec) : SessionInWindow(open_device(Backend::cpu)) {
    open(describe(spec));
    settle();
  }
  void settle() {
    session.update();
    until([this] { return (!session.busy() || model.moves()) && !model.loading; });
  }
  void undo() {
    model.requests.add(request::Undo{});
    settle();
  }
  void redo() {
    model.requests.add(request::Redo{});
    settle();
  }
  double level() const { return model.controls["level"]; }
};

TEST_F(SessionTest, UndoTakesBackVariantsControlsAndWhatIsShown) {
  Undoing viewer(sphere_of_2000);
  Model& model = viewer.model;
  EXPECT_EQ(model.undoes, "");
  const auto sort = stage(model, "sort").variant;
  ASSERT_NE(sort, find_variant(Primitive::sort, "library"));
  choose(model, "sort", "library");
  viewer.settle();
  EXPECT_EQ(model.undoes, "Sort");
  // A slider on its way.
  model.is_setting = true;
  for (const char* const setting : {"level=2", "level=3", "level=4"}) {
    set(model, setting);
    viewer.session.update();
  }
  EXPECT_EQ(model.undoes, "Sort");
  model.is_setting = false;
  viewer.settle();
  EXPECT_NE(model.undoes, "Sort");
  model.output("boxes")->shown = true;
  viewer.settle();
  EXPECT_EQ(model.undoes, model.output("boxes")->title);

  viewer.undo();
  EXPECT_FALSE(model.output("boxes")->shown);
  EXPECT_EQ(viewer.level(), 4.0);
  EXPECT_EQ(model.redoes, model.output("boxes")->title);
  viewer.undo();
  EXPECT_EQ(viewer.level(), 0.0);
  EXPECT_EQ(stage(model, "sort").variant, find_variant(Primitive::sort, "library"));
  viewer.undo();
  EXPECT_EQ(stage(model, "sort").variant, sort);
  EXPECT_EQ(stage(model, "sort").result->variant, sort) << "it runs again, too";
  EXPECT_EQ(model.undoes, "");
  viewer.undo();
  for (int i = 0; i < 3; ++i) viewer.redo();
  EXPECT_EQ(stage(model, "sort").variant, find_variant(Primitive::sort, "library"));
  EXPECT_EQ(viewer.level(), 4.0);
  EXPECT_TRUE(model.output("boxes")->shown);
  EXPECT_EQ(model.redoes, "");
}

TEST_F(SessionTest, UndoOfASizeMakesTheSceneAnew) {
  Undoing viewer("particles:2000");
  Model& model = viewer.model;
  ASSERT_EQ(model.scene_number, 1U);
  set(model, "count=3000");
  viewer.until([&] { return model.scene_number == 2U; });
  viewer.settle();
  EXPECT_NE(model.undoes, "") << "it is the same scene";
  model.requests.add(request::Undo{});
  viewer.until([&] { return model.scene_number == 3U; });
  EXPECT_EQ(model.controls["count"], 2000.0);
  viewer.settle();
  EXPECT_NE(model.redoes, "");
}

TEST_F(SessionTest, AnotherSceneForgetsWhatCouldBeUndone) {
  Undoing viewer(sphere_of_2000);
  // Two steps: after one, a scene that begins like this one would be the step itself taken back.
  for (const char* const setting : {"level=3", "level=5"}) {
    set(viewer.model, setting);
    viewer.settle();
  }
  ASSERT_NE(viewer.model.undoes, "");
  const std::uint64_t before = viewer.model.scene_number;
  viewer.model.requests.add(request::Open{describe("generated:knot")});
  viewer.until([&] { return viewer.model.scene_number > before; });
  viewer.settle();
  EXPECT_EQ(viewer.model.undoes, "");
  const Controls controls = viewer.model.controls;
  viewer.undo();
  EXPECT_TRUE(viewer.model.controls == controls);
}

// All scenes share it, so it is no part of what is remembered of one.
TEST(Undo, TakesBackWhatAllScenesShow) {
  Model model;
  UndoHistory history;
  history.begin(set_in(model));
  for (const LookSwitch& row : look_switches) {
    model.show.*row.value = false;
    history.note(set_in(model), false);
    ASSERT_NE(history.before(), nullptr) << row.name;
    EXPECT_EQ(difference_in_words(model, history.now(), *history.before()), row.title);
  }
  for (std::size_t i = look_switches.size(); i-- > 0;) {
    set_again(model, *history.undo());
    EXPECT_TRUE(model.show.*look_switches[i].value) << look_switches[i].name;
    EXPECT_EQ(model.show.ground, i <= 1);
  }
  set_again(model, *history.redo());
  EXPECT_FALSE(model.show.shadows);
  EXPECT_FALSE(memory_of(model, "mesh", true).look);
}

}  // namespace
}  // namespace warpview::test
