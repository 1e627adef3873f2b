// The times of A: until when they are taken.
#include "app/pinned_times.h"

#include <gtest/gtest.h>

#include "app/stage_history.h"

namespace warpview::test {
namespace {

// A scene that moves, with one stage.
class PinnedTimes : public testing::Test {
 protected:
  PinnedTimes() {
    model_.results = Snapshot{.scene = 7, .moving = true};
    model_.outputs = {{"mesh", "Mesh", '1', true}, {"boxes", "Boxes", '2', false}};
    StageRow row;
    row.variant = find_variant(Primitive::sort, "resident");
    row.every_frame = true;
    row.result = StageResult{.name = "sort", .variant = row.variant, .cold_ms = 50.0};
    model_.stages.push_back(row);
    PinnedRun a{.stages = {{"sort", row.times()}}, .shown = {"mesh"}, .scene = 7};
    model_.pinned = a;
  }
  void run(int runs, float ms) {
    for (int i = 0; i < runs; ++i) {
      model_.stages[0].result.change().milliseconds.push_back(ms);
      model_.results.change().frame_parts.last_wholes.push_back(2.0F * ms);
    }
    take_times_of_pinned(model_);
  }
  const VariantTimes& a() const { return model_.pinned->stages.at("sort"); }

  Model model_;
};

TEST_F(PinnedTimes, GoOnUntilTheFirstChange) {
  ASSERT_TRUE(a().cold);
  run(0, 0.0F);
  EXPECT_TRUE(a().cold);
  run(6, 5.0F);
  EXPECT_FALSE(a().cold) << "a warm run is worth more than a cold one";
  EXPECT_EQ(warm_runs(a()), 6U);
  EXPECT_EQ(a().milliseconds.back(), 5.0);
  EXPECT_EQ(model_.pinned->frames_ms, std::vector<double>(6, 10.0));
  model_.outputs[1].shown = true;
  run(20, 9.0F);
  EXPECT_EQ(warm_runs(a()), 6U);
  model_.outputs[1].shown = false;
  run(20, 9.0F);
  EXPECT_EQ(warm_runs(a()), 6U) << "these runs were of B, too";
  EXPECT_EQ(model_.pinned->frames_ms.size(), 6U);
}

TEST_F(PinnedTimes, EndWithAnotherVariantAndWithAnotherScene) {
  const Model before = model_;
  model_.stages[0].variant = find_variant(Primitive::sort, "onesweep");
  run(6, 5.0F);
  EXPECT_TRUE(a().cold);
  model_ = before;
  model_.results.change().scene = 8;
  run(6, 5.0F);
  EXPECT_TRUE(a().cold);
  model_ = before;
  run(6, 5.0F);
  EXPECT_FALSE(a().cold);
}

// The stage Write of a scene whose pictures are slow: most frames are not drawn.
TEST_F(PinnedTimes, AStageThatSomeFramesLeaveOutKeepsItsPlace) {
  StageRow& row = model_.stages[0];
  const auto next = [&row](int runs, bool moves, bool is_set_as_before) {
    row.result.change().runs = runs;
    row.every_frame = runs_in_frames(row, moves, is_set_as_before);
    return row.every_frame;
  };
  row.every_frame = false;
  EXPECT_FALSE(next(0, true, true)) << "it has not run yet";
  EXPECT_TRUE(next(1, true, true));
  EXPECT_TRUE(next(0, true, true));
  EXPECT_FALSE(next(0, true, false)) << "as it is set now it is in no frame";
  EXPECT_TRUE(next(2, true, false));
  EXPECT_FALSE(next(1, false, true)) << "paused";
  row.result.change().done_by = "build";
  EXPECT_FALSE(next(1, true, true));
}

}  // namespace
}  // namespace warpview::test
