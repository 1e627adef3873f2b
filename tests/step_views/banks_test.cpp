// The view of banks, and the conflicts of Blelloch's scan.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/step_views/names.h"
#include "gpu/recording/instructions.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::word_name;
using enum PlotShape::Kind;

TEST(BanksView, NumbersTheTurnsOfEachBank) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::read, 1, 0, 5, 32);  // words 0, 32, 64, 96, 128: all of bank 0
  run.access(EventKind::read, 1, 0, 8, 1);
  run.access(EventKind::read, 0, 0, 8, 1);
  run.access(EventKind::add, 1, 0, 6, 0);  // all change word 0
  Playback at(run.take());
  at.seek(3);
  for (const float width : {332.0F, 900.0F}) {
    const StepDrawing drawing = drawn("banks", at, 0, width);
    EXPECT_TRUE(says(drawing, "5 turns: bank 0 gets"));
    float x = -1.0F, y = -1.0F;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const auto texts = named(drawing, word_name({1, 32 * i, 0}), text);
      ASSERT_EQ(texts.size(), 2U);
      EXPECT_EQ(texts[0]->words, std::to_string(i + 1));  // the turn
      EXPECT_EQ(texts[1]->words, std::to_string(i));      // the lane
      // One column, a row each.
      if (i > 0) {
        EXPECT_EQ(texts[0]->vertices[0].x, x);
      }
      EXPECT_GT(texts[0]->vertices[0].y, y);
      x = texts[0]->vertices[0].x;
      y = texts[0]->vertices[0].y;
    }
  }
  at.seek(4);
  const StepDrawing drawing = drawn("banks", at);
  EXPECT_TRUE(says(drawing, "1 turn: no bank gets a request for more than one word."));
  EXPECT_EQ(named(drawing, word_name({1, 7, 0}), text)[0]->words, "1");
  at.seek(5);
  EXPECT_TRUE(says(drawn("banks", at), "This step does not access shared memory."));
  at.seek(6);
  EXPECT_TRUE(says(drawn("banks", at), "6 turns: 6 lanes change one word of bank 0."));
  EXPECT_EQ(named(drawn("banks", at), word_name({1, 0, 0}), text)[1]->words, "x6");
}

// A step in which lane i accesses word words[i] of the tile.
void access_words(HandMade& run, EventKind kind, const std::vector<std::uint32_t>& words) {
  run.event({.kind = EventKind::step,
             .value = (std::uint64_t{1} << words.size()) - 1,
             .other = 0xffffffff});
  for (std::uint16_t i = 0; i < words.size(); ++i)
    run.event({.kind = kind, .bytes = 4, .thread = i, .subject = 1, .offset = 4 * words[i]});
}

// Neither the first bank, nor the last, nor the one with the most lanes.
TEST(BanksView, NamesTheWorstBank) {
  HandMade run(1, 32);
  run.begin(0);
  access_words(run, EventKind::read, {1, 33, 5, 37, 69, 9, 41, 3, 3, 3, 3, 3});
  access_words(run, EventKind::add, {1, 33, 7, 7, 7, 7, 9, 9});
  Playback at(run.take());
  at.seek(3);
  EXPECT_TRUE(says(drawn("banks", at), "3 turns: bank 5 gets requests for 3 different words."))
      << texts_of(drawn("banks", at));
  at.seek(4);
  EXPECT_TRUE(says(drawn("banks", at), "4 turns: 4 lanes change one word of bank 7."))
      << texts_of(drawn("banks", at));
}

// The worst degree of conflict between two barriers of block 0.
std::vector<unsigned> degrees_by_phase(const Playback& playback) {
  std::vector<unsigned> degrees(1);
  for (std::size_t i = 0; i < playback.steps(); ++i) {
    const auto events = playback.events_of(i);
    if (events.front().kind == EventKind::barrier)
      degrees.push_back(0);
    else
      degrees.back() =
          std::max(degrees.back(), bank_cost(instructions_of(playback.recording(), events)).degree);
  }
  return degrees;
}

// KAUST CS 380, lecture 19, for 512 leaves; docs/counters.md has the row for 32 banks.
TEST(BanksView, BlellochHasTheConflictsOfTheLecture) {
  const auto up_sweep = [](const char* variant) {
    const Playback playback(record({.primitive = "block_scan", .variant = variant, .items = 512}));
    const std::vector<unsigned> all = degrees_by_phase(playback);
    return all.size() < 10 ? all : std::vector<unsigned>(all.begin() + 1, all.begin() + 10);
  };
  EXPECT_EQ(up_sweep("blelloch_halves"), (std::vector<unsigned>{2, 4, 8, 16, 16, 8, 4, 2, 1}));
  EXPECT_EQ(up_sweep("blelloch_padded"), std::vector<unsigned>(9, 1));
}

TEST(BanksView, SaysTheWorstConflictOfBlelloch) {
  Playback at(record({.primitive = "block_scan", .variant = "blelloch_halves", .items = 512}));
  std::size_t step = 0;
  while (step < at.steps() &&
         bank_cost(instructions_of(at.recording(), at.events_of(step))).degree < 16)
    ++step;
  at.seek(step + 1);
  EXPECT_TRUE(says(drawn("banks", at), "gets requests for 16 different words."));
}

}  // namespace
}  // namespace warpview::test
