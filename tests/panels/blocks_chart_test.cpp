// The chart of blocks at work: where its shapes lie, and what the Timings panel shows of it.
#include "app/common/blocks_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

PlotSurface surface_of(float width) {
  return {.width = width, .em = 13.0F, .text_width = [](std::string_view words) {
            return 7.0F * static_cast<float>(words.size());
          }};
}

// Three procedures on `places` blocks, one batch after another with a gap now and then.
BlocksAtWork blocks_on(std::uint32_t places, std::uint32_t batches) {
  BlocksAtWork blocks{.title = "Grow", .procedures = {"Body", "Wing", "Duplicate"}};
  blocks.report = {.launches = 3, .synchronisations = 12};
  blocks.report.places[most_procedures] = places;
  for (std::uint32_t block = 0; block < places; ++block) {
    std::uint64_t at = 5'000'000 + block * 3;
    for (std::uint32_t i = 0; i < batches; ++i) {
      const std::uint32_t length = 1000 + (block * 7 + i * 13) % 500;
      blocks.stretches.push_back({.begin = at,
                                  .nanoseconds = length,
                                  .kernel = most_procedures,
                                  .procedure = static_cast<std::uint8_t>((block + i) % 3),
                                  .items = static_cast<std::uint16_t>(1 + i % 128),
                                  .queued = (block * i) % 400,
                                  .block = block});
      at += length + (i % 4 == 3 ? 200 : 0);
    }
  }
  blocks.stretches = in_order(blocks.stretches);
  return blocks;
}

bool is_within(const PlotShape& shape, const PlotSurface& surface, float height) {
  constexpr float slack = 0.01F;
  return std::all_of(shape.vertices.begin(), shape.vertices.end(), [&](const PlotVertex& v) {
    const float end =
        shape.kind == PlotShape::Kind::text ? v.x + surface.text_width(shape.words) : v.x;
    return v.x >= -slack && end <= surface.width + slack && v.y >= -slack && v.y <= height + slack;
  });
}

TEST(BlocksChart, HasABarForEachStretchWithinTheSurface) {
  for (const float width : {300.0F, 1200.0F})
    for (const std::uint32_t places : {1U, 2U, 132U, 1000U}) {
      SCOPED_TRACE(std::to_string(places) + " on " + std::to_string(width));
      const BlocksAtWork blocks = blocks_on(places, 12);
      const PlotSurface surface = surface_of(width);
      const BlocksChart chart = lay_out(blocks, surface);
      EXPECT_EQ(chart.rows, places);
      EXPECT_LE(chart.height, 30.0F * surface.em);
      std::map<std::string, int> bars;
      for (const PlotShape& shape : blocks_shapes(blocks, chart, surface)) {
        EXPECT_TRUE(is_within(shape, surface, chart.height)) << shape.words << shape.name;
        if (shape.name.empty()) continue;
        ++bars[shape.name];
        const BusyStretch& of = blocks.stretches[std::stoul(shape.name.substr(8))];
        EXPECT_EQ(shape.ink, plot_ink::first_series + of.procedure);
      }
      EXPECT_EQ(bars.size(), blocks.stretches.size());
      EXPECT_TRUE(
          std::all_of(bars.begin(), bars.end(), [](const auto& n) { return n.second == 1; }));
      // Bars of a row do not overlap, and lie between its edges.
      std::map<float, float> ends;
      for (const BlocksChart::Bar& bar : chart.bars) {
        auto& end = ends.try_emplace(bar.box.y, -1.0F).first->second;
        EXPECT_GE(bar.box.x, end - 0.01F);
        end = bar.box.right();
        EXPECT_LE(bar.box.bottom(), chart.area.bottom() + 0.01F);
      }
      EXPECT_EQ(ends.size(), places);
      EXPECT_NEAR(chart.bars[0].box.x, 0.0F, 0.01F);
    }
}

TEST(BlocksChart, ABarIsAsLongAsItsStretch) {
  const BlocksAtWork blocks = blocks_on(2, 12);
  const BlocksChart chart = lay_out(blocks, surface_of(1000.0F));
  const double whole = chart.time.high * 1e6;  // nanoseconds
  for (const BlocksChart::Bar& bar : chart.bars) {
    const BusyStretch& of = blocks.stretches[bar.stretch];
    EXPECT_NEAR(bar.box.x, 1000.0 * static_cast<double>(of.begin - 5'000'000) / whole, 0.05);
    EXPECT_NEAR(bar.box.width, 1000.0 * of.nanoseconds / whole, 0.05);
    const auto hit = stretch_at(chart, {bar.box.x + 0.5F * bar.box.width, bar.box.y + 2.0F});
    ASSERT_TRUE(hit);
    EXPECT_EQ(*hit, bar.stretch);
  }
  EXPECT_FALSE(stretch_at(chart, {10.0F, chart.area.y - 3.0F}));
}

TEST(BlocksChart, FillLevelsAreThoseBeforeABatchWasTaken) {
  BlocksAtWork blocks = blocks_on(1, 4);
  for (std::size_t i = 0; i < blocks.stretches.size(); ++i) {
    blocks.stretches[i].procedure = 0;
    blocks.stretches[i].items = 10;
    blocks.stretches[i].queued = i == 2 ? 90 : 40;
  }
  const BlocksChart chart = lay_out(blocks, surface_of(600.0F));
  EXPECT_EQ(chart.most_left, 100U);
  ASSERT_EQ(chart.levels.size(), 1U);
  ASSERT_EQ(chart.levels[0].line.size(), 4U);
  EXPECT_NEAR(chart.levels[0].line[0].y, chart.queues.bottom() - 0.5F * chart.queues.height, 0.01F);
  EXPECT_NEAR(chart.levels[0].line[2].y, chart.queues.y, 0.01F);
  // Where there are no queues there are no levels.
  blocks.has_queues = false;
  const BlocksChart without = lay_out(blocks, surface_of(600.0F));
  EXPECT_TRUE(without.levels.empty());
  EXPECT_LT(without.height, chart.height);
}

TEST(BlocksChart, ShowsNothingOfNothing) {
  const BlocksAtWork none{.title = "Grow"};
  const BlocksChart chart = lay_out(none, surface_of(300.0F));
  EXPECT_TRUE(blocks_shapes(none, chart, surface_of(300.0F)).empty());
  EXPECT_TRUE(use_in_words(none).empty());
  // A single stretch that took no time.
  BlocksAtWork instant = blocks_on(1, 1);
  instant.stretches[0].nanoseconds = 0;
  const BlocksChart of_one = lay_out(instant, surface_of(300.0F));
  for (const PlotShape& shape : blocks_shapes(instant, of_one, surface_of(300.0F)))
    EXPECT_TRUE(is_within(shape, surface_of(300.0F), of_one.height));
}

// ---- The panel ----------------------------------------------------------------------------------

class BlocksSection : public PanelTest {
 protected:
  BlocksSection() {
    model_ = loaded_model();
    set_size(1280, 1500);
  }
};

TEST_F(BlocksSection, IsThereWhereBlocksAreRecorded) {
  frames(3);
  EXPECT_FALSE(can_read("Blocks"));
  model_.results.change().blocks = blocks_on(132, 12);
  frames(3);
  EXPECT_TRUE(can_read("Blocks"));
  EXPECT_TRUE(can_read("of 132 places busy"));
  EXPECT_TRUE(can_read("Host syncs 12, launches 3"));
  EXPECT_TRUE(can_read("Duplicate"));
  EXPECT_FALSE(can_read("are shown"));
  // Live: another run is another chart.
  BlocksAtWork next = blocks_on(64, 12);
  next.left_out = 100;
  model_.results.change().blocks = next;
  frames(2);
  EXPECT_TRUE(can_read("of 64 places busy"));
  EXPECT_TRUE(can_read("Only the first 768 of 868 stretches are shown."));
  model_.results.change().blocks = BlocksAtWork{.title = "Grow"};
  frames(2);
  EXPECT_TRUE(can_read("No block has executed anything yet."));
}

// What the user has turned on is seen. Later runs leave the panel where it is.
TEST_F(BlocksSection, ScrollsIntoViewOnce) {
  set_size(1280, 500);
  frames(3);
  ImGuiWindow* const timings = window("Timings");
  ASSERT_EQ(timings->Scroll.y, 0.0F);
  model_.results.change().blocks = blocks_on(132, 12);
  frames(3);
  EXPECT_GT(timings->Scroll.y, 0.0F);
  ImGui::SetScrollY(timings, 0.0F);
  model_.results.change().blocks = blocks_on(64, 12);
  frames(3);
  EXPECT_EQ(timings->Scroll.y, 0.0F);
  // Where it fits nothing moves.
  model_.results.change().blocks.reset();
  set_size(1280, 1500);
  frames(3);
  model_.results.change().blocks = blocks_on(132, 12);
  frames(3);
  EXPECT_EQ(timings->Scroll.y, 0.0F);
}

TEST_F(BlocksSection, TellsOfTheBarUnderTheMouse) {
  model_.results.change().blocks = blocks_on(2, 12);
  frames(3);
  // From the top of the panel down, until the mouse is on a bar.
  const ImRect area = window("Timings")->Rect();
  ImGui::GetIO().MousePos = {area.Min.x + 0.3F * area.GetWidth(), area.Min.y};
  for (; ImGui::GetIO().MousePos.y < area.Max.y && !can_read("Begins after ");
       ImGui::GetIO().MousePos.y += 5.0F)
    frames(2);
  ASSERT_TRUE(can_read("Begins after "));
  const bool is_one =
      std::any_of(model_.results->blocks->stretches.begin(),
                  model_.results->blocks->stretches.end(), [this](const BusyStretch& of) {
                    return can_read(model_.results->blocks->procedures[of.procedure] + "Begins") &&
                           can_read("Block " + std::to_string(of.block) + " of its launch") &&
                           can_read(std::to_string(of.queued) + " left in the queue");
                  });
  EXPECT_TRUE(is_one);
}

}  // namespace
}  // namespace warpview
