// The view of lanes, held to runs that are made by hand.
#include <gtest/gtest.h>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"

namespace warpview::test {
namespace {

using step_views::lane_name;
using enum PlotShape::Kind;

// The letter in a lane's square; empty: none.
std::string letter_of(const StepDrawing& drawing, std::uint32_t lane) {
  const auto texts = named(drawing, lane_name(0, lane), text);
  return texts.empty() ? std::string() : texts.front()->words;
}

TEST(LanesView, TellsLanesOfTheStepFromOthers) {
  HandMade run(2, 64);
  run.begin(0);
  run.access(EventKind::write, 1, 0, 32);
  run.access(EventKind::read, 0, 0, 8);
  run.access(EventKind::add, 0, 3, 4);
  Playback at(run.take());
  at.seek(3);
  StepDrawing drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "wave_kernel, block 0 of 2"));
  EXPECT_TRUE(says(drawing, "Block 0, warp 0: 32 lanes write tile."));
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(letter_of(drawing, i), "W") << i;
    EXPECT_EQ(named(drawing, lane_name(0, i), polygon).front()->ink, step_views::ink::write);
  }
  for (std::uint32_t i = 32; i < 64; ++i) {
    EXPECT_EQ(letter_of(drawing, i), "") << i;
    EXPECT_EQ(named(drawing, lane_name(0, i), polygon).front()->ink, plot_ink::grid);
  }
  at.seek(4);
  drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "8 of 32 lanes read out."));
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(letter_of(drawing, i), i < 8 ? "R" : "") << i;
    // Lanes on another branch are framed and crossed out.
    EXPECT_EQ(named(drawing, lane_name(0, i), line).size(), i < 8 ? 0U : 2U) << i;
  }
  at.seek(5);
  drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "lane 3 adds atomically to out."));
  EXPECT_EQ(letter_of(drawing, 3), "A");
}

TEST(LanesView, FoldsWarpsThatDoTheSame) {
  HandMade run(1, 512);
  run.begin(0);
  run.access(EventKind::write, 1, 0, 8, 1, 8);
  run.arrive(0, 512);
  run.event({.kind = EventKind::exit, .thread = 40});
  Playback at(run.take());
  at.seek(3);
  EXPECT_TRUE(says(drawn("lanes", at), "Warps 1 to 15: take no part in this step"));
  at.seek(4);
  EXPECT_TRUE(says(drawn("lanes", at), "Warps 0 to 15: wait at the barrier"));
  at.seek(5);
  const StepDrawing drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "Warp 1\n"));
  EXPECT_TRUE(says(drawing, "Warps 2 to 15: wait at the barrier"));
  EXPECT_EQ(named(drawing, lane_name(0, 40), line).size(), 2U);     // a cross
  EXPECT_EQ(named(drawing, lane_name(0, 41), polygon).size(), 2U);  // a bar
}

TEST(LanesView, ShuffleHasAnArrowFromEachSource) {
  HandMade run(1, 32);
  run.begin(0);
  run.shuffle([](std::uint32_t i) { return i == 0 ? 0U : i - 1; });
  Playback at(run.take());
  at.seek(3);
  const StepDrawing drawing = drawn("lanes", at);
  for (std::uint32_t i = 0; i < 32; ++i) {
    const auto texts = named(drawing, lane_name(0, i), text);
    ASSERT_EQ(texts.size(), 3U) << i;  // its letter, what it brings and what it gets
    EXPECT_EQ(texts[1]->words, std::to_string(10 + i));
    EXPECT_EQ(texts[2]->words, std::to_string(i == 0 ? 10 : 9 + i));
    const auto arrows = named(drawing, lane_name(0, i), line);
    ASSERT_EQ(arrows.size(), 1U);
    const std::uint32_t from = i == 0 ? 0 : i - 1;
    EXPECT_NEAR(arrows.front()->vertices.front().x,
                named(drawing, lane_name(0, from), text)[1]->vertices[0].x, 0.01);
  }
}

TEST(LanesView, SaysWhoVotesAndWhoIsEqual) {
  HandMade run(1, 32);
  run.begin(0);
  run.event({.kind = EventKind::ballot, .value = 0xffffffff});
  for (std::uint16_t i = 0; i < 32; ++i)
    run.event({.kind = EventKind::answer,
               .bytes = 8,
               .thread = i,
               .value = 0xf2,
               .other = 0xf2U >> i & 1U});
  run.event({.kind = EventKind::match, .value = 0xffffffff});
  for (std::uint16_t i = 0; i < 32; ++i)
    run.event({.kind = EventKind::answer,
               .bytes = 8,
               .thread = i,
               .value = i % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU,
               .other = 7U + i % 2});
  Playback at(run.take());
  at.seek(3);
  StepDrawing drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "All lanes get the mask 0xf2: lanes 1, 4 to 7 vote 1."));
  EXPECT_EQ(named(drawing, lane_name(0, 4), text)[1]->words, "1");
  EXPECT_EQ(named(drawing, lane_name(0, 3), text)[1]->words, "0");
  at.seek(4);
  drawing = drawn("lanes", at);
  EXPECT_TRUE(says(drawing, "A: lanes 0, 2, 4"));
  EXPECT_EQ(named(drawing, lane_name(0, 4), text)[1]->words, "A");
  EXPECT_EQ(named(drawing, lane_name(0, 5), text)[1]->words, "B");
}

TEST(LanesView, ShowsWhichBlocksHaveBegunAndEnded) {
  HandMade run(3, 32);
  run.begin(1);
  run.begin(0);
  run.end(1);
  Playback at(run.take());
  at.seek(4);
  const StepDrawing drawing = drawn("lanes", at, 0);
  EXPECT_EQ(named(drawing, "block/0", polygon).front()->ink, plot_ink::neutral);
  EXPECT_EQ(named(drawing, "block/1", line).size(), 2U);  // a tick
  EXPECT_EQ(named(drawing, "block/2", polygon).front()->ink, plot_ink::paper);
  EXPECT_TRUE(says(drawn("lanes", at, 1), "Block 1 has ended."));
  EXPECT_TRUE(says(drawn("lanes", at, 2), "Block 2 has not started."));
}

}  // namespace
}  // namespace warpview::test
