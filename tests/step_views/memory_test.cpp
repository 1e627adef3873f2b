// The view of memory, held to runs that are made by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"

namespace warpview::test {
namespace {

using step_views::word_name;
using enum PlotShape::Kind;

std::string value_in(const StepDrawing& drawing, const Word& word) {
  const auto texts = named(drawing, word_name(word), text);
  return texts.size() == 1 ? texts.front()->words : "no cell";
}
const PlotShape& box_of(const StepDrawing& drawing, const Word& word) {
  return *named(drawing, word_name(word), polygon).at(0);
}

TEST(MemoryView, MarksWhatTheStepReadsAndWrites) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::write, 1, 0, 8);
  run.access(EventKind::read, 1, 2, 4);
  run.access(EventKind::write, 0, 4, 5);
  Playback at(run.take());
  at.seek(2);
  EXPECT_TRUE(says(drawn("memory", at), "Block 0 has not accessed it."));
  at.seek(3);
  StepDrawing drawing = drawn("memory", at);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(value_in(drawing, {1, i, 0}), std::to_string(100 + i));
    EXPECT_EQ(box_of(drawing, {1, i, 0}).ink, step_views::ink::write);
    EXPECT_EQ(box_of(drawing, {1, i, 0}).opacity, 1.0F);
  }
  EXPECT_EQ(value_in(drawing, {1, 8, 0}), ".");  // nothing has written it
  EXPECT_EQ(value_in(drawing, {0, 0, 0}), "0");
  EXPECT_EQ(box_of(drawing, {0, 0, 0}).ink, plot_ink::grid);
  at.seek(4);
  drawing = drawn("memory", at);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const bool is_read = i == 2 || i == 3;
    EXPECT_EQ(named(drawing, word_name({1, i, 0}), line).size(), is_read ? 1U : 0U) << i;
    // What was written last before stays faint.
    if (!is_read) {
      EXPECT_LT(box_of(drawing, {1, i, 0}).opacity, 0.5F);
    }
  }
  at.seek(5);
  drawing = drawn("memory", at);
  EXPECT_EQ(box_of(drawing, {0, 4, 0}).ink, step_views::ink::write);
  EXPECT_TRUE(says(drawing, "[4]: 0 → 104"));
}

TEST(MemoryView, ShowsAWindowOfALargeArray) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::add, 0, 31, 32, 8);   // element 248
  run.access(EventKind::read, 0, 0, 3, 100);  // elements 0, 100, 200
  Playback at(run.take());
  at.seek(3);
  StepDrawing drawing = drawn("memory", at, 0, 332.0F);
  EXPECT_EQ(value_in(drawing, {0, 248, 0}), "131");
  EXPECT_EQ(box_of(drawing, {0, 248, 0}).ink, step_views::ink::atomic);
  EXPECT_EQ(value_in(drawing, {0, 0, 0}), "no cell");
  at.seek(4);
  drawing = drawn("memory", at, 0, 332.0F);
  for (const std::uint32_t i : {0U, 100U, 200U})
    EXPECT_EQ(named(drawing, word_name({0, i, 0}), line).size(), 1U) << i;
  EXPECT_EQ(value_in(drawing, {0, 48, 0}), "no cell");
}

// A window stays where the array was accessed last, and begins at a multiple of its rows.
TEST(MemoryView, KeepsItsWindowWhereTheArrayWasAccessedLast) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::write, 1, 0, 1);
  run.access(EventKind::write, 0, 25, 26, 8);  // element 200
  run.access(EventKind::write, 1, 0, 1);
  Playback at(run.take());
  const auto shown = [&](std::size_t step) {
    at.seek(step);
    const StepDrawing drawing = drawn("memory", at, 0, 332.0F);
    std::set<std::uint32_t> elements;
    for (std::uint32_t i = 0; i < 256; ++i)
      if (!named(drawing, word_name({0, i, 0}), text).empty()) elements.insert(i);
    return elements;
  };
  const std::set<std::uint32_t> first = shown(3), touched = shown(4), after = shown(5);
  EXPECT_EQ(*first.begin(), 0U);
  EXPECT_TRUE(touched.contains(200) && !touched.contains(0));
  EXPECT_EQ(after, touched);
  EXPECT_EQ(touched.size(), first.size());
  EXPECT_EQ(*touched.begin() % first.size(), 0U) << "windows do not overlap";
}

TEST(MemoryView, ShowsFieldsAndMarksByName) {
  WrittenRun run("refit", 1, 32);
  const std::uint32_t nodes = run.array("nodes", "BvhNode", 32, 1);
  const std::uint32_t parent = run.array("parent", "u32", 4, 2);
  run.begin(0);
  run.access(EventKind::write, 0, 0, nodes, 0, 0x3fc00000);  // 1.5F
  run.access(EventKind::write, 0, 0, nodes, 12, 7);
  run.access(EventKind::write, 0, 0, parent, 4, 0xffffffff);
  const auto recording = run.done();
  Playback at(recording);
  at.seek(at.steps());
  const RecordedArray& array = recording->arrays[nodes];
  const std::string words = step_views::value_of(array, at.contents(nodes));
  EXPECT_TRUE(words.starts_with("1.5 ")) << words;
  EXPECT_NE(words.find(" 7 "), std::string::npos) << words;
  RecordedArray unknown = array;
  unknown.type = "Other";
  EXPECT_TRUE(step_views::value_of(unknown, at.contents(nodes)).starts_with("0x3fc00000 "));
  // A word that nothing has written.
  std::vector<std::uint8_t> spoiled(32, RecordedArray::spoiled);
  EXPECT_EQ(step_views::value_of(array, spoiled), ". . . . . . . .");
  EXPECT_EQ(value_in(drawn("memory", at), {parent, 1, 0}), "0 → 2^32-1");
}

}  // namespace
}  // namespace warpview::test
