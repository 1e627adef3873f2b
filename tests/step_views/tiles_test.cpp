// The view of tiles shows the states that memory holds, and the looks that the recording has.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "app/step_views/tile_states.h"
#include "app/step_views/view.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::TileAction;

constexpr std::uint32_t scan_tile = 512;  // of a scan, recorded
constexpr std::uint32_t tile_count = 8;

std::shared_ptr<const Recording> eight_tiles(const char* variant) {
  return record({.primitive = "scan", .variant = variant, .items = tile_count * scan_tile});
}

// A drawing of the tiles, read as a user reads it.
class ReadTiles {
 public:
  ReadTiles(const StepView& view, const Playback& at, const StepFocus& focus = {})
      : drawing_(view.draw(at, focus, step_surface())) {}

  std::string words_beginning(std::string_view begin) const {
    for (const PlotShape& shape : drawing_.shapes)
      if (shape.words.starts_with(begin)) return shape.words;
    return {};
  }
  // The uppermost text of that name: the letter in the row of states.
  const PlotShape* first_text(const std::string& name) const {
    for (const PlotShape& shape : drawing_.shapes)
      if (shape.kind == PlotShape::Kind::text && shape.name == name) return &shape;
    return nullptr;
  }
  bool has_text(const std::string& words, const std::string& name) const {
    return std::any_of(drawing_.shapes.begin(), drawing_.shapes.end(), [&](const PlotShape& shape) {
      return shape.words == words && shape.name == name;
    });
  }
  // In the row of a block, that is beside a shape of its lane: an arrow that begins in one column
  // and ends in another.
  bool has_arrow(const std::string& lane, float from, float to, const std::string& name) const {
    for (const PlotShape& row : drawing_.shapes) {
      if (row.name != lane || row.kind != PlotShape::Kind::polygon) continue;
      for (const PlotShape& head : drawing_.shapes) {
        if (head.name != name || head.vertices.size() != 3) continue;
        const PlotShape& line = *(&head - 1);
        const auto near = [](float a, float b) { return std::abs(a - b) < 2.0F * 14.0F; };
        if (head.vertices[0].y > row.vertices[0].y && head.vertices[0].y < row.vertices[2].y &&
            line.kind == PlotShape::Kind::line && near(line.vertices[0].x, from) &&
            near(head.vertices[0].x, to))
          return true;
      }
    }
    return false;
  }

 private:
  StepDrawing drawing_;
};

// The recording's own numbers: looks by what they found, until an event.
std::array<unsigned, 3> looks_until(const Recording& recording, std::size_t event) {
  std::array<unsigned, 3> found{};
  for (std::size_t i = 0; i < event; ++i) {
    const RecordedEvent& each = recording.events[i];
    if (each.kind == EventKind::load_relaxed && each.bytes == 8) ++found.at(each.value >> 32U);
  }
  return found;
}

std::string counted_words(const std::array<unsigned, 3>& found) {
  return "Look-backs so far: " + std::to_string(found[0]) + " X, " + std::to_string(found[1]) +
         " A, " + std::to_string(found[2]) + " P";
}

TEST(Tiles, CountsLooksAtEveryStep) {
  const auto recording = eight_tiles("lookback");
  const auto view = view_named("tiles").make(recording);
  Playback at(recording);
  for (std::size_t step = 0; step <= at.steps(); ++step) {
    at.seek(step);
    EXPECT_EQ(ReadTiles(*view, at).words_beginning("Look-backs"),
              counted_words(looks_until(*recording, at.first_event_of(step))))
        << step;
  }
  EXPECT_EQ(ReadTiles(*view, at).words_beginning("Look-backs"),
            "Look-backs so far: 33 X, 11 A, 17 P");
}

// Blocks that begin and end have rows, and what is below those stays.
TEST(Tiles, HistoryStaysWhileBlocksBeginAndEnd) {
  for (const char* variant : {"lookback", "chained", "ahead", "waterfall"})
    for (const float width : {900.0F, 320.0F}) {
      SCOPED_TRACE(std::string(variant) + " in " + std::to_string(width));
      Drawn view("tiles", eight_tiles(variant), width);
      std::map<float, std::size_t> tops, heights;  // and the first step that has them
      for (std::size_t step = 0; step <= view.steps(); ++step) {
        heights.emplace(view.at(step).drawing().height, step);
        for (const PlotShape& shape : view.shapes())
          if (shape.words.starts_with("Time runs down")) tops.emplace(shape.vertices[0].y, step);
      }
      EXPECT_EQ(tops.size(), 1U) << testing::PrintToString(tops);
      EXPECT_EQ(heights.size(), 1U) << testing::PrintToString(heights);
    }
}

TEST(Tiles, ArrowsGoFromTheLookerToTheTileItLooksAt) {
  for (const char* variant : {"lookback", "lookback_lane", "chained"}) {
    SCOPED_TRACE(variant);
    const auto recording = eight_tiles(variant);
    const auto launches = step_views::tiled_launches(*recording);
    ASSERT_EQ(launches.size(), 1U);
    const auto& launch = launches.front();
    const auto view = view_named("tiles").make(recording);
    Playback at(recording);
    unsigned looks = 0;
    for (const auto& block : launch.blocks)
      for (const TileAction& action : block.actions) {
        if (action.kind != TileAction::Kind::look) continue;
        ASSERT_TRUE(block.tile);
        ASSERT_LT(action.tile, *block.tile);
        at.seek(at.step_of(action.event) + 1);
        const ReadTiles tiles(*view, at);
        const std::string looked = step_views::word_name(launch.word_of(action.tile));
        const float from =
            tiles.first_text(step_views::word_name(launch.word_of(*block.tile)))->vertices[0].x;
        const float to = tiles.first_text(looked)->vertices[0].x;
        EXPECT_TRUE(tiles.has_arrow(step_views::lane_name(block.block, 0), from, to, looked))
            << "tile " << *block.tile << " looks at " << action.tile;
        EXPECT_FALSE(tiles.has_arrow(step_views::lane_name(block.block, 0), from, from, looked));
        ++looks;
      }
    EXPECT_GT(looks, 7U);
  }
}

// What is wrong with the states at the end, by the input's sums; empty if nothing is.
std::string wrong_at_the_end(const std::shared_ptr<const Recording>& recording) {
  const auto view = view_named("tiles").make(recording);
  Playback at(recording);
  at.seek(at.steps());
  const ReadTiles tiles(*view, at);
  const auto launch = step_views::tiled_launches(*recording).front();
  const auto input = std::find_if(recording->arrays.begin(), recording->arrays.end(),
                                  [](const RecordedArray& array) { return array.name == "input"; });
  std::uint32_t sum = 0;
  for (std::uint32_t tile = 0; tile < tile_count; ++tile) {
    for (std::uint32_t i = tile * scan_tile; i < (tile + 1) * scan_tile; ++i)
      sum += step_views::number_at<std::uint32_t>(input->before, 4 * std::size_t{i});
    const std::string name = step_views::word_name(launch.word_of(tile));
    const PlotShape* const letter = tiles.first_text(name);
    if (letter == nullptr || letter->words != "P")
      return "tile " + std::to_string(tile) + " shows " + (letter ? letter->words : "nothing");
    if (!tiles.has_text(std::to_string(sum), name))
      return "tile " + std::to_string(tile) + " does not show " + std::to_string(sum);
  }
  return {};
}

TEST(Tiles, EndWithAllPrefixes) {
  for (const char* variant : {"lookback", "lookback_lane", "lookback_shared", "chained"})
    EXPECT_EQ(wrong_at_the_end(eight_tiles(variant)), "") << variant;
}

TEST(Tiles, ShowsAStateThatIsWrong) {
  const auto recording = eight_tiles("lookback");
  const auto launch = step_views::tiled_launches(*recording).front();
  const auto changed = [&](std::uint64_t bits) {
    auto copy = std::make_shared<Recording>(*recording);
    for (const auto& block : launch.blocks)
      for (const TileAction& action : block.actions)
        if (action.kind == TileAction::Kind::publish && action.tile == 3 &&
            action.flag == step_views::TileFlag::prefix)
          copy->events[action.event].value ^= bits;
    return wrong_at_the_end(copy);
  };
  EXPECT_EQ(changed(std::uint64_t{3} << 32U), "tile 3 shows A");
  EXPECT_TRUE(changed(1).starts_with("tile 3 does not show"));
}

// The turn goes through the tiles in order, and a block that looks before its turn waits.
TEST(Tiles, WaterfallPassesTheTurnOn) {
  const auto recording = eight_tiles("waterfall");
  const auto launch = step_views::tiled_launches(*recording).front();
  const auto view = view_named("tiles").make(recording);
  Playback at(recording);
  std::map<std::uint32_t, std::size_t> passed;
  for (const auto& block : launch.blocks)
    for (const TileAction& action : block.actions) {
      if (action.kind != TileAction::Kind::look && action.kind != TileAction::Kind::publish)
        continue;
      at.seek(at.step_of(action.event) + 1);
      const ReadTiles tiles(*view, at);
      const std::uint32_t turn = action.tile + (action.kind == TileAction::Kind::publish ? 1 : 0);
      const std::string next =
          turn < tile_count ? "tile " + std::to_string(turn) : "all tiles done";
      EXPECT_TRUE(tiles.words_beginning("Turn").starts_with("Turn: " + next + "."))
          << tiles.words_beginning("Turn");
      if (action.kind == TileAction::Kind::publish) passed[action.tile] = action.event;
    }
  ASSERT_EQ(passed.size(), tile_count);
  for (std::uint32_t tile = 1; tile < tile_count; ++tile) EXPECT_LT(passed[tile - 1], passed[tile]);
}

// All that publish states of several tiles have the view; others do not.
TEST(Tiles, AreOfOnePassScans) {
  struct Case {
    const char *primitive, *variant;
    std::uint32_t items;
    std::size_t launches;
    bool has_view = true;
  };
  for (const Case& each :
       {Case{"scan", "ahead", 20000, 1}, Case{"select", "one_pass", 2048, 1},
        Case{"partition", "one_pass", 2048, 1}, Case{"run_length", "one_pass", 2048, 1},
        Case{"reduce_by_key", "one_pass", 2048, 1}, Case{"expand", "one_pass", 1024, 1},
        Case{"flags", "fence", 4096, 1}, Case{"select", "three_kernels", 2048, 1},
        Case{"sort", "onesweep", 5000, 6}, Case{"scan", "lookback", 64, 1, false},
        Case{"scan", "hierarchical", 4096, 0, false}, Case{"enqueue", "ballot", 64, 0, false}}) {
    const auto recording =
        record({.primitive = each.primitive, .variant = each.variant, .items = each.items});
    const auto launches = step_views::tiled_launches(*recording);
    EXPECT_EQ(launches.size(), each.launches) << each.primitive << " " << each.variant;
    EXPECT_EQ(view_named("tiles").is_for(*recording), each.has_view)
        << each.primitive << " " << each.variant;
    if (!each.has_view) continue;
    // All tiles have a prefix at the end.
    Playback at(recording);
    at.seek(at.steps());
    for (const auto& launch : launches)
      for (std::uint32_t tile = 0; tile < launch.tiles; ++tile)
        EXPECT_EQ(step_views::tile_at(launch, at, tile).flag, step_views::TileFlag::prefix)
            << each.primitive << " " << each.variant << " tile " << tile;
    const auto view = view_named("tiles").make(recording);
    for (std::size_t step = 0; step <= at.steps(); step += at.steps() / 40 + 1) {
      at.seek(step);
      const StepDrawing drawing = view->draw(at, {}, step_surface());
      for (const PlotShape& shape : drawing.shapes)
        for (const PlotVertex& v : shape.vertices) {
          ASSERT_TRUE(v.x >= -0.5F && v.x <= 900.5F && v.y >= -0.5F && v.y <= drawing.height + 0.5F)
              << each.primitive << " " << each.variant << " " << shape.name << shape.words;
        }
    }
  }
}

}  // namespace
}  // namespace warpview::test
