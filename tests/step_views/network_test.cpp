// Networks have the numbers and the arrows of the lectures, and show what a recording has: a
// changed write changes them. Data: SIGGRAPH Asia 2023 course, slide 19; GPU Gems 3, chapter 39.
#include "app/step_views/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "app/step_views/view.h"
#include "gpu/catalogue.h"
#include "gpu/lab/experiment.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::Network;
using step_views::NetworkArrow;
using step_views::NetworkRow;
using step_views::networks_of;
using Numbers = std::vector<std::int64_t>;

const Numbers course = {8, 1, 7, 4, 6, 3, 5, 2};
const Numbers course_2 = {7, 2, 5, 8, 1, 3, 4, 6};
const Numbers lecture = {3, 1, 7, 0, 4, 1, 6, 3};

std::shared_ptr<const Recording> recorded(const std::string& primitive, const std::string& variant,
                                          const Numbers& typed, const std::string& form = {}) {
  return record({.primitive = primitive, .variant = variant, .form = form, .typed = typed});
}

// What a network should be: its rows' values, and the columns that a column of a row is made of.
struct Picture {
  std::vector<Numbers> rows;
  std::function<std::vector<std::uint32_t>(std::size_t step, std::uint32_t column)> sources;
};

// How the first network of a recording differs; empty where it does not. Steps count from 1.
std::string difference(const Recording& recording, const Picture& want) {
  const std::vector<Network> networks = networks_of(recording);
  if (networks.empty()) return "there is no network";
  const Network& network = networks.front();
  if (network.rows.size() != want.rows.size()) return fmt::format("{} rows", network.rows.size());
  std::size_t step = 0;
  for (std::size_t row = 0; row < want.rows.size(); ++row) {
    const bool is_step = network.rows[row].kind == NetworkRow::Kind::step;
    if (is_step) ++step;
    for (std::uint32_t column = 0; column < want.rows[row].size(); ++column) {
      const auto* const cell = network.cell(row, column);
      if (cell == nullptr) return fmt::format("row {} lacks column {}", row, column);
      if (static_cast<std::int64_t>(cell->value) != want.rows[row][column])
        return fmt::format("row {} has {} in column {}", row, cell->value, column);
      if (!is_step) continue;
      std::vector<std::uint32_t> from;
      if (network.rows[row].cells.contains(column))
        for (const NetworkArrow& arrow : cell->arrows) from.push_back(arrow.from);
      if (from != want.sources(step, column))
        return fmt::format("step {} makes column {} of {}", step, column, fmt::join(from, ","));
    }
  }
  return {};
}

// Each value that is in the picture, one after the other, is another: the picture differs.
void expect_told(const Recording& recording, const Picture& picture) {
  EXPECT_EQ(difference(recording, picture), "");
  const Network network = networks_of(recording).front();
  const std::size_t items = picture.rows.front().size();
  Recording changed = recording;
  for (RecordedEvent& event : changed.events) {
    const bool is_in_it = network.of_lanes
                              ? event.kind == EventKind::answer && event.thread < items
                              : event.kind == EventKind::write &&
                                    recording.arrays[event.subject].kind == ArrayKind::shared &&
                                    event.offset / 4 < items;
    if (!is_in_it) continue;
    const RecordedEvent before = event;
    event.value += 1000;
    event.other += 1000;
    EXPECT_NE(difference(changed, picture), "")
        << to_string(event.kind) << " by thread " << event.thread << " of " << before.value;
    event = before;
  }
}

std::vector<std::uint32_t> back(std::size_t step, std::uint32_t column) {
  const std::uint32_t stride = 1U << (step - 1);
  if (column < stride) return {column};
  return {column - stride, column};
}

const std::vector<Numbers> doubling = {{8, 1, 7, 4, 6, 3, 5, 2},
                                       {8, 9, 8, 11, 10, 9, 8, 7},
                                       {8, 9, 16, 20, 18, 20, 18, 16},
                                       {8, 9, 16, 20, 26, 29, 34, 36}};

std::vector<Numbers> with_row(std::vector<Numbers> rows, const Numbers& more) {
  rows.push_back(more);
  return rows;
}

TEST(Network, HillisSteeleAddsWhatIsAPowerOfTwoBefore) {
  for (const char* variant : {"hillis_steele", "ping_pong", "kogge_stone"}) {
    SCOPED_TRACE(variant);
    expect_told(*recorded("block_scan", variant, course),
                {.rows = with_row(doubling, {0, 8, 9, 16, 20, 26, 29, 34}), .sources = back});
    expect_told(*recorded("block_scan", variant, course, "inclusive"),
                {.rows = with_row(doubling, doubling.back()), .sources = back});
  }
}

TEST(Network, KoggeStoneHasBothPrefixesOfTheSecondExample) {
  const auto output = [](const char* form) {
    const Network network =
        networks_of(*recorded("block_scan", "kogge_stone", course_2, form)).front();
    Numbers row;
    for (std::uint32_t column = 0; column < network.items; ++column)
      row.push_back(
          static_cast<std::int64_t>(network.cell(network.rows.size() - 1, column)->value));
    return row;
  };
  EXPECT_EQ(output("inclusive"), (Numbers{7, 9, 14, 22, 23, 26, 30, 36}));
  EXPECT_EQ(output("exclusive"), (Numbers{0, 7, 9, 14, 22, 23, 26, 30}));
}

// Of the tree's step of that stride: the columns that its nodes' left and right children end at.
bool is_right(std::uint32_t column, std::uint32_t stride) {
  return (column + 1) % (2 * stride) == 0;
}
bool is_left(std::uint32_t column, std::uint32_t stride) {
  return (column + 1) % (2 * stride) == stride;
}
std::vector<std::uint32_t> up(std::uint32_t stride, std::uint32_t column) {
  if (!is_right(column, stride)) return {};
  return {column - stride, column};
}

TEST(Network, BlellochSweepsUpAndDown) {
  const Picture picture = {
      .rows = {{3, 1, 7, 0, 4, 1, 6, 3},
               {3, 4, 7, 7, 4, 5, 6, 9},
               {3, 4, 7, 11, 4, 5, 6, 14},
               {3, 4, 7, 11, 4, 5, 6, 25},
               {3, 4, 7, 11, 4, 5, 6, 0},
               {3, 4, 7, 0, 4, 5, 6, 11},
               {3, 0, 7, 4, 4, 11, 6, 16},
               {0, 3, 4, 11, 11, 15, 16, 22},
               {0, 3, 4, 11, 11, 15, 16, 22}},
      .sources = [](std::size_t step, std::uint32_t column) -> std::vector<std::uint32_t> {
        if (step <= 3) return up(1U << (step - 1), column);
        const std::uint32_t stride = 4U >> (step - 4);
        if (is_right(column, stride)) return {column - stride, column};
        if (is_left(column, stride)) return {column + stride};
        return {};
      }};
  for (const char* variant :
       {"blelloch", "blelloch_halves", "blelloch_padded", "blelloch_padded_twice"}) {
    SCOPED_TRACE(variant);
    expect_told(*recorded("block_scan", variant, lecture), picture);
  }
}

TEST(Network, BrentKungCompletesSumsInFewerAdditions) {
  const Picture picture = {
      .rows = {{8, 1, 7, 4, 6, 3, 5, 2},
               {8, 9, 7, 11, 6, 9, 5, 7},
               {8, 9, 7, 20, 6, 9, 5, 16},
               {8, 9, 7, 20, 6, 9, 5, 36},
               {8, 9, 7, 20, 6, 29, 5, 36},
               {8, 9, 16, 20, 26, 29, 34, 36},
               {8, 9, 16, 20, 26, 29, 34, 36}},
      .sources = [](std::size_t step, std::uint32_t column) -> std::vector<std::uint32_t> {
        if (step <= 3) return up(1U << (step - 1), column);
        const std::uint32_t stride = 2U >> (step - 4);
        if (column < stride || !is_left(column, stride)) return {};
        return {column - stride, column};
      }};
  expect_told(*recorded("block_scan", "brent_kung", course, "inclusive"), picture);
}

TEST(Network, TreesAddUpTo36) {
  const auto recording = recorded("reduce", "xor_tree", course);
  const std::vector<Network> networks = networks_of(*recording);
  ASSERT_EQ(networks.size(), 1U);  // the second launch has one value
  const Network& tree = networks.front();
  EXPECT_EQ(tree.items, 8U);
  for (std::size_t row = 1; row <= 3; ++row) {
    const std::uint32_t bit = 1U << (row - 1);
    EXPECT_EQ(tree.stride(row), bit);
    for (std::uint32_t t = 0; t < 8; ++t) {
      ASSERT_EQ(tree.rows[row].cells.contains(t), (t & bit) == 0) << row << " " << t;
      if ((t & bit) != 0) continue;
      const auto& arrows = tree.rows[row].cells.at(t).arrows;
      ASSERT_EQ(arrows.size(), 2U);
      EXPECT_EQ(arrows[0].from, t);
      EXPECT_EQ(arrows[1].from, t ^ bit);
    }
  }
  EXPECT_EQ(tree.cell(3, 0)->value, 36U);
  for (const char* variant : {"tree", "warp_tail", "shuffle", "last_block", "vectors"}) {
    SCOPED_TRACE(variant);
    const std::vector<Network> all = networks_of(*recorded("reduce", variant, course));
    ASSERT_FALSE(all.empty());
    const Network& network = all.front();
    EXPECT_EQ(network.cell(network.rows.size() - 1, 0)->value, 36U);
    // Its last three steps combine values that are 4, 2 and 1 apart.
    std::vector<std::uint32_t> strides;
    for (std::size_t row = 0; row < network.rows.size(); ++row)
      if (network.rows[row].kind == NetworkRow::Kind::step) strides.push_back(network.stride(row));
    ASSERT_GE(strides.size(), 3U);
    EXPECT_EQ(std::vector(strides.end() - 3, strides.end()), (std::vector<std::uint32_t>{4, 2, 1}));
  }
}

TEST(Network, ReductionsByOtherOperatorsHaveTheirResult) {
  for (const char* variant : {"tree", "shuffle", "last_block"})
    for (const auto& [form, want] : {std::pair{"min_i32", 1U}, {"max_f32", 0x41000000U}}) {
      SCOPED_TRACE(std::string(variant) + " " + form);
      const std::vector<Network> all = networks_of(*recorded("reduce", variant, course, form));
      ASSERT_FALSE(all.empty());
      const Network& network = all.front();
      std::size_t row = network.rows.size() - 1;
      while (network.rows[row].kind != NetworkRow::Kind::step) --row;
      EXPECT_EQ(network.cell(row, 0)->value, want);
    }
}

TEST(Network, ABallotCountsTheBitsBefore) {
  const std::vector<Network> networks =
      networks_of(*recorded("block_scan", "binary", {1, 0, 1, 0, 1, 0, 0, 1}, "bits"));
  ASSERT_EQ(networks.size(), 1U);
  const Network& network = networks.front();
  EXPECT_EQ(network.ballot, 0x95U);
  const Numbers counts = {0, 1, 1, 2, 2, 3, 3, 3};
  for (std::uint32_t lane = 0; lane < 8; ++lane)
    EXPECT_EQ(static_cast<std::int64_t>(network.cell(1, lane)->value), counts[lane]);
}

TEST(Network, OthersHaveNone) {
  EXPECT_TRUE(networks_of(*recorded("reduce", "atomic", course)).empty());
  EXPECT_TRUE(networks_of(*recorded("sort", "resident", course)).empty());
}

// ---- The view
// -------------------------------------------------------------------------------------

std::vector<PlotShape> network_shapes(const Playback& playback, float width) {
  if (!view_named("network").is_for(playback.recording())) return {};
  return drawn("network", playback, 0, width).shapes;
}

std::vector<std::string> network_words(const Playback& playback, float width) {
  std::vector<std::string> words;
  for (const PlotShape& shape : network_shapes(playback, width))
    if (!shape.words.empty()) words.push_back(shape.words);
  return words;
}

// All variants in all their forms: words and lines are within the surface.
TEST(Network, DrawsEveryFormInsideItsSurface) {
  for (const Primitive primitive : {Primitive::block_scan, Primitive::reduce})
    for (const VariantId variant : variants_of(primitive))
      for (const lab::Form& form : lab::experiment(primitive).forms) {
        SCOPED_TRACE(std::string(variant->name) + " " + form.name);
        std::shared_ptr<const Recording> recording;
        try {
          recording = record({.primitive = std::string(to_string(primitive)),
                              .variant = variant->name,
                              .form = form.name,
                              .items = 100});
        } catch (const Error&) {
          continue;  // not this variant, or not here
        }
        Playback playback(recording);
        for (const std::size_t part : {2, 1}) {
          playback.seek(playback.steps() / part);
          for (const float width : {332.0F, 900.0F})
            for (const PlotShape& shape : network_shapes(playback, width))
              for (const PlotVertex& v : shape.vertices) {
                const float words = step_surface(width).text_width(shape.words);
                const float before = shape.align == PlotShape::Align::middle ? 0.5F * words : 0.0F;
                ASSERT_GE(v.x - before, -0.5F) << shape.words;
                ASSERT_LE(v.x - before + words, width + 0.5F) << shape.words;
              }
        }
      }
}

TEST(Network, ShowsValuesWhenTheyAreThereAndSaysWhatIsLeftOut) {
  Playback playback(recorded("reduce", "xor_tree", course));
  const auto has = [&](const std::string& what) {
    const auto words = network_words(playback, 332.0F);
    return std::ranges::count(words, what) > 0;
  };
  EXPECT_TRUE(has("Level 1"));
  EXPECT_FALSE(has("36"));
  playback.seek(playback.steps());
  EXPECT_TRUE(has("36"));
  EXPECT_TRUE(has("stride 4"));
  EXPECT_TRUE(has("Levels 4-6"));
  EXPECT_TRUE(has("Not shown: words 8-63 (no item)."));
}

// Each node of a sweep over 8 words is a sum; each one of the down-sweep is a copy as well.
TEST(Network, TellsCopiesFromSums) {
  Playback playback(recorded("block_scan", "blelloch", course));
  playback.seek(playback.steps());
  std::size_t sums = 0, thin = 0, thick = 0;
  for (const PlotShape& shape : network_shapes(playback, 900.0F)) {
    sums += shape.words == "+" ? 1 : 0;
    if (shape.kind == PlotShape::Kind::line && shape.name.starts_with("lane"))
      ++(shape.width < 1.0F ? thin : thick);
  }
  EXPECT_EQ(sums, 14U);
  EXPECT_EQ(thin, 7U);
  EXPECT_EQ(thick, 28U);
}

TEST(Network, ShowsAsManyColumnsAsHaveRoom) {
  Numbers many(32);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i % 7);
  Playback playback(recorded("block_scan", "hillis_steele", many));
  playback.seek(playback.steps());
  const auto wide = network_words(playback, 1200.0F);
  EXPECT_EQ(std::ranges::count_if(wide, [](const auto& w) { return w.ends_with("room here."); }),
            0);
  const auto narrow = network_words(playback, 332.0F);
  EXPECT_EQ(std::ranges::count_if(narrow, [](const auto& w) { return w.ends_with("room here."); }),
            1);
}

// Levels that change none of the words shown, with the row that sets the total to 0 between them.
TEST(Network, NumbersFoldedLevels) {
  Playback playback(recorded("block_scan", "blelloch", Numbers(64, 1)));
  playback.seek(playback.steps());
  const auto words = network_words(playback, 332.0F);
  std::vector<std::string> folded;
  std::ranges::copy_if(words, std::back_inserter(folded),
                       [](const auto& each) { return each.starts_with("Levels"); });
  EXPECT_EQ(folded, (std::vector<std::string>{"Levels 4-6", "Levels 7-8"}));
}

}  // namespace
}  // namespace warpview::test
