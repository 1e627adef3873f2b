// Every variant of optimise, on trees of any shape and boxes of any size, against the sequential
// reference; and the reference against all that could have been done instead.
#include "gpu/primitives/optimise/optimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/reference/optimised.h"
#include "tests/steps/support.h"
#include "tests/support/devices.h"
#include "tests/support/random_boxes.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t usual_rounds = OptimiseArgs{}.rounds;

reference::Tree tree_of(const HostTree& host, std::uint32_t capacity, std::uint32_t count) {
  return {host.nodes, host.parent, host.root, capacity, count};
}

reference::Tree random_tree(std::uint32_t n, std::uint64_t seed) {
  return tree_of(HostTree(n, n, random_boxes(n, seed)), n, n);
}

// Same leaves at the same places, sound links, exact boxes. Boxes of random_tree() are by leaf.
std::string wrong_as_a_tree(const reference::Tree& tree, const std::vector<Aabb>& boxes) {
  std::vector<std::uint32_t> primitives(tree.count);
  std::iota(primitives.begin(), primitives.end(), 0U);
  const std::string links = reference::check_links(tree, primitives);
  return links.empty() ? reference::check_boxes(tree, boxes) : links;
}

class Optimise : public testing::TestWithParam<Row> {
 protected:
  static reference::Tree optimised(const TestDevice& on, const reference::Tree& tree,
                                   std::uint32_t rounds) {
    const std::unique_ptr<Stream> stream = on.device->create_stream();
    const auto nodes = on_device(*on.device, *stream, tree.nodes);
    const auto parent = on_device(*on.device, *stream, tree.parent);
    const auto root = on_device(*on.device, *stream, tree.root);
    const auto count = on_device(*on.device, *stream, tree.count);
    ScratchMemory scratch(*on.device);
    scratch.run(on.device->table().get<Primitive::optimise>(GetParam().index), *stream,
                OptimiseArgs{.count = count.data(),
                             .bvh = {nodes.data(), parent.data(), root.data(), tree.capacity},
                             .rounds = rounds});
    return {nodes.download(*stream), parent.download(*stream), root.download(*stream).front(),
            tree.capacity, tree.count};
  }
  static reference::Tree expected(const reference::Tree& tree, std::uint32_t rounds) {
    return reference::optimised(GetParam().index->traits, tree, rounds);
  }

  static void is_right(const std::vector<TestDevice>& devices, const reference::Tree& tree,
                       const std::vector<Aabb>& boxes, std::uint32_t rounds = usual_rounds) {
    const reference::Tree want = expected(tree, rounds);
    ASSERT_EQ(wrong_as_a_tree(want, boxes), "");
    for (const TestDevice& on : having(devices, GetParam())) {
      SCOPED_TRACE(on.name + ", " + std::to_string(tree.count) + " boxes");
      const reference::Tree got = optimised(on, tree, rounds);
      ASSERT_EQ(reference::check_same_links(got, want), "");
      ASSERT_EQ(reference::check_boxes(got, boxes), "");
    }
  }
};

TEST_P(Optimise, GivesTheReferencesTree) {
  std::vector<std::uint32_t> counts = {2, 3, 4, 5, 6, 7, 8, 13, 14, 28, 127, 129, 400};
  for (const std::uint32_t n : small_sizes()) counts.push_back(n);
  for (const std::uint32_t n : counts) {
    if (allowed(n) != n) continue;
    const std::vector<Aabb> boxes = random_boxes(n, n);
    const std::uint32_t capacity = n + n / 3;
    is_right(devices_for(n, GetParam()), tree_of(HostTree(capacity, n, boxes), capacity, n), boxes);
  }
}

TEST_P(Optimise, GivesTheReferencesTreeAfterAnyNumberOfRounds) {
  constexpr std::uint32_t n = 150;
  const std::vector<Aabb> boxes = random_boxes(n, 4);
  for (const std::uint32_t rounds : {0U, 1U, 2U, 7U, 40U})
    is_right(few_devices(), tree_of(HostTree(n, n, boxes), n, n), boxes, rounds);
}

// Moves conflict most where subtrees are few: many trees, until nothing moves.
TEST_P(Optimise, KeepsSmallTreesSound) {
  for (std::uint32_t n = 2; n < 24; ++n)
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::vector<Aabb> boxes = random_boxes(n, 100 * n + seed);
      is_right({few_devices().front()}, tree_of(HostTree(n, n, boxes), n, n), boxes, 12);
    }
}

TEST_P(Optimise, TakesTreesOfTheGreatestDepth) {
  const auto n = static_cast<std::uint32_t>(allowed(500));
  for (const bool leaf_is_left : {true, false}) {
    const std::vector<Aabb> boxes = random_boxes(n, 3);
    is_right(few_devices(), tree_of(HostTree::chain(n, boxes, leaf_is_left), n, n), boxes);
  }
}

// Flat and equal boxes, and those whose areas are beyond what floats hold.
TEST_P(Optimise, TakesBoxesOfAnySize) {
  constexpr std::uint32_t n = 90;
  for (std::size_t i = 0; i < hard_placements().size(); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> boxes = random_boxes(n, i, hard_placements()[i]);
    is_right(few_devices(), tree_of(HostTree(n, n, boxes), n, n), boxes);
  }
}

TEST_P(Optimise, IsTheSameTreeInLockstepAndWithLatePublications) {
  const auto n = static_cast<std::uint32_t>(allowed(700));
  const std::vector<Aabb> boxes = random_boxes(n, 9);
  const reference::Tree tree = tree_of(HostTree(n, n, boxes), n, n);
  is_right(devices_in_lockstep(), tree, boxes, 2);
  is_right(devices_with_late_publications(), tree, boxes, 2);
}

// Long boxes side by side: all of them may be better places, more than a search looks at.
TEST_P(Optimise, StopsASearchThatWouldSeeEverything) {
  const auto n = static_cast<std::uint32_t>(allowed(1200));
  const std::vector<Aabb> boxes = random_boxes(n, 8, [](Vec3 v) {
    return Vec3{v.x * 0.01F, v.y * 0.01F, v.z * 100.0F};
  });
  is_right(few_devices(), tree_of(HostTree(n, n, boxes), n, n), boxes, 1);
}

// A tiny box fits into each box of a chain, and best into the one that hangs at `deep`: as long as
// the stack has room for that many, the search finds it. Levels around that.
TEST_P(Optimise, GivesUpWhatAFullStackHasNoRoomFor) {
  constexpr std::uint32_t n = 60;
  const auto cube = [](float half) { return Aabb{{-half, -half, -half}, {half, half, half}}; };
  constexpr std::uint32_t room = ReinsertLimits::waiting;
  for (std::uint32_t deep = room - 3; deep <= room + 3; ++deep) {
    SCOPED_TRACE(deep);
    // The leaf i hangs n - i levels below the root. The last but one searches for a place.
    std::vector<Aabb> boxes(n);
    for (std::uint32_t i = 0; i < n; ++i) boxes[i] = cube(10.0F + static_cast<float>(i));
    boxes[n - 2] = cube(1.0F);
    boxes[n - 2 - deep] = cube(2.0F);
    is_right({few_devices().front()}, tree_of(HostTree::chain(n, boxes, false), n, n), boxes, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Optimise, testing::ValuesIn(rows_of(Primitive::optimise)),
                         [](const testing::TestParamInfo<Row>& row) { return name_of(row.param); });

// ---- What the reference's definitions bring -----------------------------------------------------

// The tree with subtree x beside y, done plainly; its boxes fitted.
reference::Tree moved(reference::Tree tree, std::uint32_t x, std::uint32_t y,
                      const std::vector<Aabb>& boxes) {
  const auto replace = [&tree](std::uint32_t parent, std::uint32_t before, std::uint32_t now) {
    BvhNode& node = tree.nodes[parent];
    (node.left == before ? node.left : node.right) = now;
    tree.parent[now] = parent;
  };
  const std::uint32_t parent = tree.parent[x];
  const std::uint32_t sibling =
      tree.nodes[parent].left == x ? tree.nodes[parent].right : tree.nodes[parent].left;
  replace(tree.parent[parent], parent, sibling);
  replace(tree.parent[y], y, parent);
  tree.nodes[parent].left = x;
  tree.nodes[parent].right = y;
  tree.parent[x] = tree.parent[y] = parent;
  reference::refit(tree, boxes);
  return tree;
}

// The least area that a single move gives. Neither the root nor its children move.
double best_after_a_move(const reference::Tree& tree, const std::vector<Aabb>& boxes) {
  double best = reference::area_of_nodes(tree);
  for (std::uint32_t x = 0; x < tree.nodes.size(); ++x) {
    if (x == tree.root || tree.parent[x] == tree.root) continue;
    for (std::uint32_t y = 0; y < tree.nodes.size(); ++y) {
      bool is_allowed = y != tree.parent[x];
      for (std::uint32_t node = y; node != Bvh::no_node; node = tree.parent[node])
        is_allowed = is_allowed && node != x;  // not below itself
      for (std::uint32_t node = x; node != Bvh::no_node; node = tree.parent[node])
        is_allowed = is_allowed && node != y;  // not beside what it is below
      if (is_allowed) best = std::min(best, reference::area_of_nodes(moved(tree, x, y, boxes)));
    }
  }
  return best;
}

TEST(Reinsertion, IsAsGoodAsTheBestSingleMoveAtLeast) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    constexpr std::uint32_t n = 11;
    const std::vector<Aabb> boxes = random_boxes(n, seed);
    const reference::Tree tree = random_tree(n, seed);
    const double before = reference::area_of_nodes(tree);
    const double best = best_after_a_move(tree, boxes);
    ASSERT_LT(best, before) << "seed " << seed;
    EXPECT_LE(reference::area_of_nodes(reference::optimised(0, tree, 1)), best * (1 + 1e-6))
        << "seed " << seed;
  }
}

// The least area of all trees over a set of boxes: every split of every set, without a memory.
double best_tree_over(const std::vector<Aabb>& boxes, unsigned set) {
  Aabb all = Aabb::empty();
  unsigned members = 0;
  for (unsigned i = 0; i < boxes.size(); ++i)
    if ((set >> i & 1U) != 0) {
      all = merge(all, boxes[i]);
      ++members;
    }
  if (members == 1) return all.half_area();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned half = (set - 1) & set; half != 0; half = (half - 1) & set)
    best = std::min(best, best_tree_over(boxes, half) + best_tree_over(boxes, set ^ half));
  return all.half_area() + best;
}

TEST(Treelets, AreTheBestOfAllTrees) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<Aabb> boxes = random_boxes(treelet_leaves, seed);
    const reference::Tree tree = random_tree(treelet_leaves, seed);
    const double best = best_tree_over(boxes, (1U << treelet_leaves) - 1);
    EXPECT_NEAR(reference::area_of_nodes(reference::optimised(OptimiseTrait::treelets, tree, 1)),
                best, 1e-6 * best)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpview::test
