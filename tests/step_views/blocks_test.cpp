// The view of blocks over time.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/step_views/sketch.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

namespace ink = step_views::ink;

constexpr float chart_width = 960.0F;  // 5 units a column

// The whole run of a block, from left to right, and whether it is drawn.
struct Bar {
  float left = 1e9F, right = -1.0F, top = -1.0F;
  bool exists() const { return right >= 0.0F; }
};
Bar bar_of(const Drawn& drawn, const std::string& name, int only_ink = -1) {
  Bar bar;
  for (const PlotShape& shape : drawn.shapes()) {
    if (shape.name != name || shape.kind != PlotShape::Kind::polygon) continue;
    if (only_ink >= 0 && shape.ink != only_ink) continue;
    for (const PlotVertex& v : shape.vertices) {
      bar.left = std::min(bar.left, v.x);
      bar.right = std::max(bar.right, v.x);
    }
    if (bar.top < 0.0F) bar.top = shape.vertices.front().y;
  }
  return bar;
}

// Three blocks of one lane; the third runs where the first has been. 96 events: two columns each.
WrittenRun three_blocks(int accesses_of_first = 20) {
  WrittenRun run("any", 3, 1);
  const std::uint32_t array = run.array("words", "u32", 4, 1);
  const auto accesses = [&](std::uint32_t block, int count) {
    for (int i = 0; i < count; ++i) run.access(EventKind::read, block, 0, array, 0, 0);
  };
  run.begin(0).begin(1);
  accesses(0, accesses_of_first);
  run.event(EventKind::back_off, 1, 0);
  run.event(EventKind::exit, 0, 0).event(EventKind::block_end, 0, 0);
  run.begin(2);
  accesses(2, 10);
  accesses(1, 43 - 10 - accesses_of_first);
  run.event(EventKind::exit, 1, 0).event(EventKind::block_end, 1, 0);
  run.event(EventKind::exit, 2, 0).event(EventKind::block_end, 2, 0);
  return run;
}

TEST(BlocksView, DrawsEachBlockFromItsBeginToItsEnd) {
  const auto recording = three_blocks().done();
  ASSERT_EQ(recording->events.size(), 97U);
  Drawn drawn("blocks", recording, chart_width);
  drawn.at(0);
  EXPECT_TRUE(drawn.says("No kernel has started."));
  drawn.at(drawn.steps());
  const auto column = [&](std::size_t event) {
    const std::size_t number = event * 192 / recording->events.size();
    return 5.0F * static_cast<float>(number);
  };
  // Events: 0 the launch, 1 and 2 begins, 3 to 42 accesses of block 0, 43 the back-off.
  const Bar first = bar_of(drawn, "block/0/0"), second = bar_of(drawn, "block/0/1"),
            third = bar_of(drawn, "block/0/2");
  EXPECT_NEAR(first.left, column(1), 0.1F);
  EXPECT_NEAR(first.right, column(45) + 5.0F, 0.1F);
  EXPECT_NEAR(third.left, column(46), 0.1F);
  EXPECT_NEAR(second.left, column(2), 0.1F);
  EXPECT_EQ(first.top, third.top);  // in one place, one after the other
  EXPECT_NE(first.top, second.top);
  // Block 1 backs off until its first access.
  const Bar waits = bar_of(drawn, "block/0/1", ink::waiting);
  EXPECT_NEAR(waits.left, column(43), 0.1F);
  EXPECT_NEAR(waits.right, column(68) + 5.0F, 0.1F);
  EXPECT_FALSE(bar_of(drawn, "block/0/0", ink::waiting).exists());

  Drawn other("blocks", three_blocks(8).done(), chart_width);
  other.at(0);
  EXPECT_LT(bar_of(other, "block/0/0").right, first.right - 50.0F);
}

TEST(BlocksView, TellsTheMomentInWordsAndAsALine) {
  Drawn drawn("blocks", three_blocks().done(), chart_width);
  drawn.at(3);
  EXPECT_TRUE(drawn.says("2 of 3 blocks are resident, 0 of them in back-off"));
  std::size_t most_waiting = 0;
  float line = -1.0F;
  for (std::size_t step = 0; step <= drawn.steps(); ++step) {
    drawn.at(step);
    most_waiting = std::max(most_waiting, drawn.texts_with("1 of them in back-off").size());
    const auto now = std::find_if(drawn.shapes().begin(), drawn.shapes().end(),
                                  [](const PlotShape& shape) { return shape.name == "now"; });
    ASSERT_NE(now, drawn.shapes().end());
    EXPECT_GT(now->vertices[0].x, line);
    line = now->vertices[0].x;
  }
  EXPECT_NEAR(line, chart_width, 0.1F);
  EXPECT_EQ(most_waiting, 1U);
}

// However wide the view is, and at every step.
TEST(BlocksView, RowsBeginBelowTheWords) {
  for (const float width : {300.0F, 400.0F, 600.0F, 700.0F, chart_width}) {
    Drawn drawn("blocks", three_blocks().done(), width);
    drawn.at(0);
    const float before = bar_of(drawn, "block/0/0").top;
    drawn.at(3);
    const float top = bar_of(drawn, "block/0/0").top;
    EXPECT_EQ(top, before) << "the rows stay in their place";
    float words = 0.0F;
    for (const PlotShape& shape : drawn.shapes())
      if (shape.kind == PlotShape::Kind::text && shape.vertices[0].y < top && shape.name.empty())
        words = std::max(words, shape.vertices[0].y);
    const float em = drawn.surface().em;
    EXPECT_GT(top - words, plot_line_height * em) << width;
    EXPECT_LT(top - words, (plot_line_height + 1.0F) * em) << width;
  }
}

// Blocks that wait for all others at a barrier of the grid back off.
TEST(BlocksView, ShowsWaitingAtAGridBarrier) {
  const auto recording =
      record({.primitive = "persistent", .variant = "grid_barrier", .items = 1024});
  Drawn drawn("blocks", recording);
  drawn.at(0);
  std::size_t waiting = 0;
  for (const std::uint32_t block : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U})
    waiting += bar_of(drawn, "block/0/" + std::to_string(block), ink::waiting).exists() ? 1 : 0;
  EXPECT_GE(waiting, 4U);
  Recording broken = *recording;
  std::erase_if(broken.events,
                [](const RecordedEvent& event) { return event.kind == EventKind::back_off; });
  for (RecordedEvent& event : broken.events)
    if (event.kind == EventKind::arrive) event.kind = EventKind::fence;
  Drawn other("blocks", std::make_shared<const Recording>(broken));
  other.at(0);
  EXPECT_FALSE(bar_of(other, "block/0/1", ink::waiting).exists());
}

TEST(BlocksView, IsForSeveralBlocks) {
  EXPECT_TRUE(view_named("blocks").is_for(*three_blocks().done()));
  WrittenRun one("any", 1, 1);
  one.begin(0).event(EventKind::block_end, 0, 0);
  EXPECT_FALSE(view_named("blocks").is_for(*one.done()));
}

}  // namespace
}  // namespace warpview::test
