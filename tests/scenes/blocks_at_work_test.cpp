// What scenes record of their blocks at work, by whichever scheduler.
#include "gpu/primitives/schedule/blocks_at_work.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

// A scene with a scheduled stage, and the facts that tell how many items of its procedures were
// executed: a fact may be the sum of several procedures.
struct Scheduled {
  const char* kind;
  std::vector<std::string> settings;
  std::vector<std::pair<std::string, std::vector<unsigned>>> items;
};
void PrintTo(const Scheduled& of, std::ostream* to) { *to << of.kind; }

const std::vector<Scheduled>& scheduled_scenes() {
  static const std::vector<Scheduled> all = {
      {"reyes",
       {"pixels=3072", "size=8"},
       {{"reyes.checked", {0}},
        {"reyes.splits", {1, 2}},
        {"reyes.grids", {3}},
        {"reyes.blended", {4}}}},
      {"svg",
       {"pixels=3072", "samples=1"},
       {{"svg.coarse_wide", {0}},
        {"svg.coarse_tall", {1}},
        {"svg.coarse_square", {2}},
        {"svg.fine", {3}}}},
      {"ships",
       {"ships=100"},
       {{"ships.bodies", {0}},
        {"ships.wings", {1}},
        {"ships.tops", {2}},
        {"ships.duplicates", {3}}}},
      {"subdivision",
       {"level=2"},
       {{"subdivision.poly", {0}}, {"subdivision.quad", {1}}, {"subdivision.regular", {2}}}}};
  return all;
}

class ScheduledScene : public testing::TestWithParam<Scheduled> {
 protected:
  const SceneKind& kind() const { return *find_scene_kind(GetParam().kind); }
  std::unique_ptr<Scene> scene(Device& device, const std::string& scheduler,
                               const char* timeline) const {
    std::vector<std::string> settings = GetParam().settings;
    settings.push_back(std::string("timeline=") + timeline);
    auto scene = make_scene(kind(), device, sphere(33), controls_of(kind(), settings),
                            wishes_of({"schedule=" + scheduler}));
    load(*scene);
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(, ScheduledScene, testing::ValuesIn(scheduled_scenes()),
                         [](const auto& of) { return std::string(of.param.kind); });

// Each batch is in one stretch, with its procedure.
TEST_P(ScheduledScene, RecordsEachBatch) {
  for (const TestDevice& on : few_devices())
    for (const Row& row : rows_of(Primitive::schedule)) {
      if (!why_unavailable(row.index, *on.device).empty()) continue;
      const std::string name = row.index->name;
      SCOPED_TRACE(name + ", " + on.name);
      const auto scene = this->scene(*on.device, name, "on");
      const Targets targets(*scene);
      run(*scene, targets.all());
      const std::optional<BlocksAtWork> blocks = scene->blocks_at_work();
      ASSERT_TRUE(blocks);
      EXPECT_EQ(blocks->left_out, 0U);
      EXPECT_EQ(blocks->has_queues, name != "run_to_completion");
      ASSERT_FALSE(blocks->stretches.empty());
      std::array<std::uint64_t, most_procedures + 1> items{};
      std::uint64_t before = 0;
      for (const BusyStretch& stretch : blocks->stretches) {
        EXPECT_GE(stretch.begin, before);
        before = stretch.begin;
        ASSERT_TRUE(stretch.procedure < blocks->procedures.size() ||
                    (stretch.procedure == most_procedures && !blocks->has_queues));
        ASSERT_LE(stretch.kernel, most_procedures);
        EXPECT_GT(blocks->report.places[stretch.kernel], 0U);
        EXPECT_TRUE(stretch.kernel == most_procedures || stretch.kernel == stretch.procedure);
        EXPECT_GE(stretch.items, 1U);
        EXPECT_TRUE(blocks->has_queues || stretch.queued == 0);
        items[stretch.procedure] += stretch.items;
      }
      for (const auto& [fact, procedures] : GetParam().items) {
        std::uint64_t sum = 0;
        for (const unsigned procedure : procedures) sum += items[procedure];
        EXPECT_EQ(sum, count(*scene, fact)) << fact;
      }
    }
}

TEST_P(ScheduledScene, ComesToTheSameWhereItRecords) {
  for (const TestDevice& on : few_devices())
    for (const char* const name : {"megakernel", "kernel_by_kernel"}) {
      SCOPED_TRACE(std::string(name) + ", " + on.name);
      const auto without = scene(*on.device, name, "off");
      const auto with = scene(*on.device, name, "on");
      const Targets targets_without(*without);
      const Targets targets_with(*with);
      run(*without, targets_without.all());
      run(*with, targets_with.all());
      expect_alike(*without, targets_without, *with, targets_with);
      EXPECT_FALSE(without->blocks_at_work());
    }
}

// The next frame records, though nothing else of it has changed; and no more once it is off.
TEST_P(ScheduledScene, BeginsAndEndsWithTheNextFrame) {
  for (const TestDevice& on : few_devices()) {
    SCOPED_TRACE(on.name);
    const auto scene = this->scene(*on.device, "megakernel", "off");
    const Targets targets(*scene);
    run(*scene, targets.all());
    set(*scene, "timeline=on");
    run(*scene, targets.all());
    const auto first = scene->blocks_at_work();
    ASSERT_TRUE(first);
    ASSERT_FALSE(first->stretches.empty());
    // A replayed graph records, too, where each frame does the work.
    for (int i = 0; i < 2; ++i) run(*scene, targets.all());
    const auto later = scene->blocks_at_work();
    ASSERT_TRUE(later);
    const bool works = kind().name == std::string("reyes") || kind().name == std::string("svg");
    EXPECT_EQ(later->stretches[0].begin > first->stretches.back().begin, works);
    EXPECT_EQ(later->left_out, 0U);
    set(*scene, "timeline=off");
    run(*scene, targets.all());
    EXPECT_FALSE(scene->blocks_at_work());
  }
}

// ---- Rows ---------------------------------------------------------------------------------------

BusyStretch stretch(std::uint64_t begin, std::uint32_t nanoseconds, std::uint32_t block) {
  return {.begin = begin,
          .nanoseconds = nanoseconds,
          .kernel = most_procedures,
          .procedure = 0,
          .items = 1,
          .queued = 0,
          .block = block};
}

TEST(BlocksAtWork, RowsAreFewAndDoNotOverlap) {
  std::vector<BusyStretch> all;
  std::uint32_t word = 1;
  for (int i = 0; i < 500; ++i) {
    word = word * 1664525U + 1013904223U;
    all.push_back(stretch(word >> 20U, (word >> 8U) % 300U, word % 7U));
  }
  all = in_order(all);
  const std::vector<std::uint32_t> rows = rows_of(all);
  ASSERT_EQ(rows.size(), all.size());
  std::map<std::uint32_t, std::uint64_t> ends;
  std::size_t most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_LE(ends[rows[i]], all[i].begin) << i;
    ends[rows[i]] = all[i].begin + all[i].nanoseconds;
    std::size_t busy = 0;  // that have begun, and end later
    for (std::size_t k = 0; k < i; ++k) busy += all[k].begin + all[k].nanoseconds > all[i].begin;
    most = std::max(most, busy + 1);
  }
  EXPECT_EQ(ends.size(), most);
}

TEST(BlocksAtWork, ABlockStaysInItsRow) {
  // Block 1 goes on though row 0 is free.
  const std::vector<BusyStretch> all = {stretch(0, 10, 0), stretch(5, 10, 1), stretch(15, 10, 1),
                                        stretch(16, 10, 0)};
  EXPECT_EQ(rows_of(all), (std::vector<std::uint32_t>{0, 1, 1, 0}));
}

TEST(BlocksAtWork, TheirUseIsOfTheirPlaces) {
  BlocksAtWork blocks;
  EXPECT_EQ(use_of(blocks).milliseconds, 0.0);
  blocks.report.places[most_procedures] = 4;
  // Two of four places over the first and the last quarter, and none in between.
  blocks.stretches = {stretch(1'000'000, 250'000, 0), stretch(1'000'000, 250'000, 1),
                      stretch(1'750'000, 250'000, 0), stretch(1'750'000, 250'000, 1)};
  const BlockUse use = use_of(blocks);
  EXPECT_NEAR(use.milliseconds, 1.0, 1e-9);
  EXPECT_NEAR(use.idle_ms, 0.5, 1e-9);
  EXPECT_NEAR(use.share, 0.25, 1e-6);
  EXPECT_EQ(use.places, 4U);
}

}  // namespace
}  // namespace warpview::test
