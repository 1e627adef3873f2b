// Views of recordings of chosen blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/step_views/names.h"
#include "app/step_views/tile_states.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t tile_size = 512;  // of a scan, recorded

std::shared_ptr<const Recording> scan_of(std::uint32_t tiles, BlockRanges blocks,
                                         const char* variant = "lookback") {
  return record({.primitive = "scan",
                 .variant = variant,
                 .items = tiles * tile_size,
                 .blocks = std::move(blocks)});
}

TEST(ChosenBlocks, TheFocusIsTheBlockOfTheCurrentStep) {
  for (const BlockRanges& blocks : {BlockRanges{}, BlockRanges{{2, 3}}}) {
    Playback at(scan_of(4, blocks));
    std::uint32_t block = blocks.empty() ? 0 : 2;
    std::set<EventKind> heads;
    for (std::size_t step = 0; step <= at.steps(); ++step) {
      at.seek(step);
      if (step > 0) {
        const RecordedEvent& head = at.last().front();
        heads.insert(head.kind);
        if (head.kind == EventKind::launch)
          block = blocks.empty() ? 0 : 2;
        else if (!is_patch(head.kind))
          block = head.block;
      }
      EXPECT_EQ(focus_of(at).block, block) << step;
    }
    EXPECT_TRUE(heads.contains(EventKind::block_end));
    EXPECT_EQ(heads.contains(EventKind::others), !blocks.empty());
  }
}

// The letters in the row of states, by tile: the uppermost text of a tile's word.
std::string letters_of(const Drawn& drawn, const step_views::TiledLaunch& launch) {
  std::string letters;
  for (std::uint32_t tile = 0; tile < launch.tiles; ++tile)
    letters += drawn.text_of(step_views::word_name(launch.word_of(tile)));
  return letters;
}

TEST(ChosenBlocks, TilesOfOtherBlocksAreNotRecorded) {
  const auto recording = scan_of(8, {{0, 1}});
  const auto launch = step_views::launches_of_tiles(*recording).front();
  const std::set<std::uint32_t> recorded = step_views::tiles_of_blocks(launch);
  ASSERT_EQ(recorded.size(), 2U);
  Drawn drawn("tiles", recording);
  std::set<char> of_others;
  for (std::size_t step = 0; step <= drawn.steps(); ++step) {
    drawn.at(step);
    expect_inside(drawn.drawing(), drawn.surface());
    EXPECT_TRUE(drawn.says("its block is not recorded"));
    const std::string letters = letters_of(drawn, launch);
    ASSERT_EQ(letters.size(), 8U);
    for (std::uint32_t tile = 0; tile < 8; ++tile) {
      if (!recorded.contains(tile)) of_others.insert(letters[tile]);
    }
  }
  EXPECT_FALSE(of_others.contains('X')) << "it may have begun";
  EXPECT_TRUE(of_others.contains('-'));
  EXPECT_TRUE(of_others.contains('P')) << "in memory in the end";
  EXPECT_FALSE(Drawn("tiles", scan_of(8, {})).at(0).says("its block is not recorded"));
}

TEST(ChosenBlocks, TheColumnsOfTheirTilesAreShown) {
  // The blocks of `ahead` have several tiles each.
  for (const auto& [variant, block] : {std::pair{"lookback", 20U}, {"ahead", 2U}}) {
    SCOPED_TRACE(variant);
    const auto recording = scan_of(200, {{block, block + 1}}, variant);
    const auto launch = step_views::launches_of_tiles(*recording).front();
    const std::set<std::uint32_t> recorded = step_views::tiles_of_blocks(launch);
    std::set<std::uint32_t> published;
    for (const step_views::TileBlock& each : launch.blocks)
      for (const step_views::TileAction& action : each.actions)
        if (action.kind == step_views::TileAction::Kind::publish) published.insert(action.tile);
    EXPECT_EQ(recorded, published);
    ASSERT_FALSE(recorded.empty());
    Drawn drawn("tiles", recording);
    for (const std::size_t step : {std::size_t{0}, drawn.steps() / 2, drawn.steps()}) {
      const auto words = drawn.at(step).texts_with("Tiles ");
      ASSERT_EQ(words.size(), 1U);
      unsigned first = 0, last = 0;
      ASSERT_EQ(std::sscanf(words.front().c_str(), "Tiles %u to %u", &first, &last), 2);
      EXPECT_TRUE(std::any_of(recorded.begin(), recorded.end(), [&](std::uint32_t tile) {
        return first <= tile && tile <= last;
      })) << words.front();
    }
  }
}

TEST(Tiles, ValuesDoNotOverlap) {
  std::size_t number = 0;  // of values
  for (const std::uint32_t tiles : {8U, 30U}) {
    const auto recording = record(
        {.primitive = "scan", .variant = "lookback", .items = tiles * tile_size, .small = true});
    for (float width = 332.0F; width < 1400.0F; width += 50.0F) {
      Drawn drawn("tiles", recording, width);
      drawn.at(drawn.steps());
      struct Value {
        float y, left, right;
      };
      std::vector<Value> values;
      for (const PlotShape& shape : drawn.shapes()) {
        if (shape.kind != PlotShape::Kind::text || shape.words.size() < 2 ||
            !shape.name.starts_with("word/"))
          continue;
        const float half = 0.5F * drawn.surface().text_width(shape.words);
        values.push_back(
            {shape.vertices[0].y, shape.vertices[0].x - half, shape.vertices[0].x + half});
      }
      for (const Value& a : values)
        for (const Value& b : values)
          EXPECT_FALSE(&a != &b && a.y == b.y && a.left < b.right && b.left < a.right)
              << tiles << " tiles in " << width << " at " << a.left << ", " << a.y;
      number += values.size();
    }
  }
  EXPECT_GT(number, 200U);
}

TEST(ChosenBlocks, LanesOfOtherBlocksAreNotRecorded) {
  Drawn drawn("lanes", scan_of(4, {{1, 2}}), 900.0F, 3);
  EXPECT_TRUE(drawn.at(drawn.steps()).says("Block 3 is not recorded."));
  Drawn recorded("lanes", scan_of(4, {{1, 2}}), 900.0F, 2);
  EXPECT_TRUE(recorded.at(recorded.steps()).says("Block 2 has ended."));
}

}  // namespace
}  // namespace warpview::test
