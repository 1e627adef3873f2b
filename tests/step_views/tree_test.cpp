// The view of trees: where nodes stand, when they appear, and which lanes climb.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "app/step_views/trees.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

namespace ink = step_views::ink;

constexpr std::uint32_t tree_leaves = 32;
constexpr float tree_width = 896.0F;  // 28 units a leaf

std::vector<std::uint32_t> sorted_codes(const Recording& recording) {
  for (const RecordedArray& array : recording.arrays) {
    if (array.name != "input") continue;
    std::vector<std::uint32_t> codes(array.bytes / 4);
    std::memcpy(codes.data(), array.before.data(), array.bytes);
    return codes;
  }
  return {};
}

// The splits of a binary radix tree, by its definition: where the first bit changes in which the
// keys of a range differ. By Karras' numbers of the nodes.
void find_splits(const std::vector<std::uint32_t>& codes, std::uint32_t first, std::uint32_t last,
                 std::uint32_t node, std::map<std::uint32_t, std::uint32_t>& splits) {
  if (first == last) return;
  const auto key = [&](std::uint32_t i) { return std::uint64_t{codes[i]} << 32U | i; };
  const int bit = 63 - std::countl_zero(key(first) ^ key(last));
  std::uint32_t split = first;
  while ((key(split + 1) >> bit & 1U) == 0) ++split;
  splits[node] = split;
  find_splits(codes, first, split, split, splits);
  find_splits(codes, split + 1, last, split + 1, splits);
}

// In how many nodes the middle of the drawn box is not above the split.
std::size_t misplaced(const Drawn& drawn, const std::map<std::uint32_t, std::uint32_t>& splits) {
  std::size_t wrong = 0;
  for (const auto& [node, split] : splits) {
    const std::string name = step_views::word_name({0, node, 0});
    float middle = -1.0F;
    for (const PlotShape& shape : drawn.shapes())
      if (shape.name == name && shape.kind == PlotShape::Kind::polygon)
        middle = 0.5F * (shape.vertices[0].x + shape.vertices[1].x);
    wrong += std::abs(middle - 28.0F * static_cast<float>(split + 1)) > 0.5F ? 1 : 0;
  }
  return wrong;
}

TEST(TreeView, PutsEachNodeAboveItsSplit) {
  const auto recording = record({.primitive = "build", .variant = "karras", .items = tree_leaves});
  std::map<std::uint32_t, std::uint32_t> splits;
  find_splits(sorted_codes(*recording), 0, tree_leaves - 1, 0, splits);
  ASSERT_EQ(splits.size(), tree_leaves - 1);
  Drawn drawn("tree", recording, tree_width);
  drawn.at(0);
  EXPECT_EQ(misplaced(drawn, splits), splits.size());  // nothing is built
  EXPECT_TRUE(drawn.says("0 of 31 inner nodes are written"));
  drawn.at(drawn.steps());
  EXPECT_EQ(misplaced(drawn, splits), 0U);
  EXPECT_TRUE(drawn.says("31 of 31 inner nodes are written"));

  // A link that is written otherwise.
  Recording broken = *recording;
  for (RecordedEvent& event : broken.events)
    if (event.kind == EventKind::write && event.subject == 0 && event.offset == 12 &&
        event.bytes == 4)
      event.value = tree_leaves;
  Drawn other("tree", std::make_shared<const Recording>(broken), tree_width);
  other.at(other.steps());
  EXPECT_GT(misplaced(other, splits), 0U);
}

// H-PLOC does not keep the order of the codes. Leaves are drawn in the order of the tree, so no
// link crosses another, and a step says which clusters it merges.
TEST(TreeView, ShowsTheClustersThatAreMerged) {
  const auto recording = record({.primitive = "build", .variant = "hploc", .items = tree_leaves});
  const auto arrays = step_views::tree_arrays(*recording).value();
  const step_views::FinishedTree tree(*recording, arrays);
  ASSERT_EQ(tree.leaves(), tree_leaves);
  EXPECT_FALSE(tree.keeps_order());
  EXPECT_EQ(std::set<std::uint32_t>(tree.leaf_at.begin(), tree.leaf_at.end()).size(), tree_leaves);
  for (const std::uint32_t i : tree.inner) {
    const auto& node = tree.nodes[i];
    EXPECT_EQ(tree.nodes[node.left].first, node.first) << i;
    EXPECT_EQ(tree.nodes[node.left].last, node.split) << i;
    EXPECT_EQ(tree.nodes[node.right].first, node.split + 1) << i;
    EXPECT_EQ(tree.nodes[node.right].last, node.last) << i;
  }
  Drawn drawn("tree", recording, tree_width);
  std::size_t merges = 0;
  for (std::size_t step = 1; step <= drawn.steps(); ++step)
    merges += drawn.at(step).says(" merges ") ? 1 : 0;
  EXPECT_GT(merges, 3U);
  EXPECT_TRUE(drawn.says("31 of 31 inner nodes are written."));
  // From left to right.
  std::map<float, std::string> boxes;
  for (const std::uint32_t leaf : tree.leaf_at) {
    const std::string name = step_views::word_name({arrays.nodes, leaf, 0});
    for (const PlotShape* shape : named(drawn.drawing(), name, PlotShape::Kind::polygon))
      boxes[shape->vertices.front().x] = name;
  }
  ASSERT_EQ(boxes.size(), tree_leaves);
  auto drawn_box = boxes.begin();
  for (const std::uint32_t leaf : tree.leaf_at)
    EXPECT_EQ((drawn_box++)->second, step_views::word_name({arrays.nodes, leaf, 0}));
}

// All builders make one tree, so they end with the same splits; boxes of nodes of other numbers.
TEST(TreeView, ShowsEveryBuildersNodes) {
  for (const char* variant : {"karras", "apetrei", "treelets", "waterfall"}) {
    SCOPED_TRACE(variant);
    Drawn drawn("tree", record({.primitive = "build", .variant = variant, .items = tree_leaves}));
    std::size_t before = 0;
    for (std::size_t step = 0; step <= drawn.steps(); ++step) {
      drawn.at(step);
      const std::string words = drawn.texts_with("inner nodes are written").at(0);
      const std::size_t done = std::stoul(words);
      EXPECT_GE(done, before);
      before = done;
    }
    EXPECT_EQ(before, tree_leaves - 1);
  }
}

// The second of two arrivals climbs, at each inner node once.
TEST(TreeView, ShowsWhichLanesClimb) {
  const auto arrivals_of = [](std::shared_ptr<const Recording> of) {
    Drawn drawn("tree", std::move(of));
    std::pair<std::size_t, std::size_t> counts;  // arrows of climbs, steps with first arrivals
    for (std::size_t step = 0; step <= drawn.steps(); ++step) {
      drawn.at(step);
      for (const PlotShape& shape : drawn.shapes())
        if (shape.ink == ink::atomic && shape.kind == PlotShape::Kind::line &&
            shape.name.starts_with("lane"))
          ++counts.first;
      counts.second += drawn.says("first: it stops") ? 1 : 0;
    }
    return counts;
  };
  const auto recording = record({.primitive = "refit", .variant = "atomic", .items = tree_leaves});
  const auto [climbs, stops] = arrivals_of(recording);
  EXPECT_EQ(climbs, tree_leaves - 2);  // of all inner nodes but the root
  EXPECT_GT(stops, 0U);
  Recording broken = *recording;
  for (RecordedEvent& event : broken.events)
    if (event.kind == EventKind::add) event.value = 1;
  EXPECT_EQ(arrivals_of(std::make_shared<const Recording>(broken)).first, 0U);
}

// Memory holds what an earlier run left until the host fills the counters.
TEST(TreeView, NoChildHasArrivedBeforeTheRun) {
  const auto recording = record({.primitive = "refit", .variant = "atomic", .items = tree_leaves});
  const auto at_first = [&recording](std::uint8_t left) {
    Recording earlier = *recording;
    for (RecordedArray& array : earlier.arrays)
      if (array.name == "arrived") std::fill(array.before.begin(), array.before.end(), left);
    Drawn drawn("tree", std::make_shared<const Recording>(earlier));
    std::vector<int> inks;
    for (const PlotShape& shape : drawn.at(0).shapes()) inks.push_back(shape.ink);
    return inks;
  };
  EXPECT_EQ(at_first(1), at_first(0));
}

// By word names: the nodes whose words, or whose parents, the step reads.
std::set<std::string> nodes_read(const Playback& at) {
  std::set<std::string> names;
  for (const RecordedEvent& event : at.last()) {
    if (!is_access(event.kind) || !is_read(event.kind)) continue;
    const std::string& array = at.recording().arrays[event.subject].name;
    if (array == "nodes" || array == "parent")
      names.insert(step_views::word_name({0, event.offset / (array == "nodes" ? 32U : 4U), 0}));
  }
  return names;
}

TEST(TreeView, OutlinesWhatAStepReadsAndNamesItsLanes) {
  const auto recording = record({.primitive = "refit", .variant = "atomic", .items = tree_leaves});
  ASSERT_EQ(recording->arrays[0].name, "nodes");
  Drawn drawn("tree", recording, tree_width);
  std::size_t outlined = 0;
  for (std::size_t step = 0; step <= drawn.steps(); ++step) {
    drawn.at(step);
    const auto read = nodes_read(drawn.playback());
    EXPECT_EQ(drawn.names_of(ink::read, "word"), read) << step;
    outlined += read.size();
    if (read.size() == 1) {
      const RecordedEvent& event = drawn.playback().last().back();
      EXPECT_EQ(drawn.text_of(step_views::lane_name(event.block, event.thread)),
                std::to_string(event.thread % 32))
          << step;
    }
  }
  EXPECT_GT(outlined, std::size_t{2 * tree_leaves});
}

// The last node splits before the last leaf, at the edge of the drawing.
TEST(TreeView, DrawsNodesWhollyWithTheirOutlines) {
  for (const std::uint32_t items : {64U, 150U, 190U, 256U, 320U, 400U, 1000U})
    for (const float width : {332.0F, 900.0F}) {
      Drawn drawn("tree", record({.primitive = "refit", .variant = "atomic", .items = items}),
                  width);
      std::size_t nodes = 0;
      for (const std::size_t step : {std::size_t{0}, drawn.steps() / 2})
        for (const PlotShape& shape : drawn.at(step).shapes()) {
          if (shape.kind != PlotShape::Kind::line || shape.vertices.size() != 5) continue;
          for (const PlotVertex& corner : shape.vertices) {
            EXPECT_GE(corner.x - 0.5F * shape.width, 0.0F);
            EXPECT_LE(corner.x + 0.5F * shape.width, width + 0.01F);
          }
          ++nodes;
        }
      EXPECT_GT(nodes, 10U);
    }
}

TEST(TreeView, IsForTrees) {
  const auto recording = record({.primitive = "build", .variant = "karras", .items = 8});
  EXPECT_TRUE(view_named("tree").is_for(*recording));
  Recording other = *recording;
  for (RecordedArray& array : other.arrays)
    if (array.name == "parent") array.bytes -= 4;
  EXPECT_FALSE(view_named("tree").is_for(other));
}

}  // namespace
}  // namespace warpview::test
