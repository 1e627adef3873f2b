// The view of rays in a tree, against the events of the recording and a walk of the test's own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "app/step_views/walks.h"
#include "gpu/operators/ray_triangle.h"
#include "gpu/primitives/trace/trace.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::RayPosition;
using step_views::RayWalk;
using step_views::RayWalks;
using step_views::WalkArrays;
namespace view_ink = step_views::ink;

constexpr std::uint32_t ray_count = 256;

constexpr const char* variants_with_a_tree[] = {"stackless",  "short_stack",     "stack",
                                                "persistent", "sorted",          "sorted_ends",
                                                "wide4",      "wide8_compressed"};
constexpr const char* variants_with_a_wide_tree[] = {"wide4", "wide8_compressed"};

// What the run left in an array.
template <class T>
std::vector<T> array_after(const Recording& recording, std::uint32_t array) {
  const std::vector<std::uint8_t> bytes = step_views::contents_after(recording, array);
  std::vector<T> all(bytes.size() / sizeof(T));
  std::memcpy(static_cast<void*>(all.data()), bytes.data(), all.size() * sizeof(T));
  return all;
}

// A recording of rays, and its arrays as the kernels see them.
struct TracedRays {
  std::shared_ptr<const Recording> recording;
  WalkArrays arrays;
  std::vector<BvhNode> nodes;  // none where the run reads a wide tree alone
  std::vector<BoundedRay> rays;
  std::vector<RayHit> hits;
  std::vector<LeafTriangle> leaves;  // none where triangles are read by index
  std::uint32_t root = 0;
  step_views::WalkTree tree;
  RayWalks walks;

  explicit TracedRays(const char* variant, const char* form = "primary",
                      std::uint32_t count = ray_count)
      : recording(record({.primitive = "trace", .variant = variant, .form = form, .items = count})),
        arrays(step_views::walk_arrays(*recording).value()),
        nodes(arrays.is_wide() ? std::vector<BvhNode>()
                               : array_after<BvhNode>(*recording, arrays.nodes.value())),
        rays(array_after<BoundedRay>(*recording, arrays.rays)),
        hits(array_after<RayHit>(*recording, arrays.hits.value())),
        leaves(arrays.leaves ? array_after<LeafTriangle>(*recording, *arrays.leaves)
                             : std::vector<LeafTriangle>()),
        root(arrays.is_wide()
                 ? 0
                 : array_after<std::uint32_t>(*recording, arrays.root.value()).front()),
        tree(*recording, arrays),
        walks(*recording, arrays, tree) {}

  bool is_leaf(std::uint32_t node) const { return node >= arrays.first_leaf(); }
  std::string name(std::uint32_t node) const { return tree.name(node); }
  RayPosition position(const RayWalk& walk, std::size_t executed) const {
    return step_views::position_of(*recording, arrays, tree, walk, executed);
  }
};

// ---- Walks in a recording -----------------------------------------------------------------------

TEST(Walks, AreOneOfEachRayAndEndWithItsAnswer) {
  for (const char* variant : variants_with_a_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    ASSERT_EQ(traced.walks.walks.size(), ray_count);
    std::set<std::uint32_t> rays;
    for (const RayWalk& walk : traced.walks.walks) {
      rays.insert(walk.ray);
      ASSERT_TRUE(walk.end.has_value()) << walk.ray;
      ASSERT_LT(walk.begin, *walk.end);
      EXPECT_EQ(walk.hits, traced.hits[walk.ray].triangle != RayHit::nothing) << walk.ray;
    }
    EXPECT_EQ(rays.size(), ray_count);
  }
}

TEST(Walks, TestTheTriangleThatTheyHit) {
  for (const char* form : {"primary", "indexed"})
    for (const char* variant : variants_with_a_tree) {
      SCOPED_TRACE(std::string(form) + ", " + variant);
      const TracedRays traced(variant, form);
      std::size_t hitting = 0;
      for (const RayWalk& walk : traced.walks.walks) {
        std::set<std::uint32_t> triangles;
        for (const RayWalk::Visit& visit : walk.visits) {
          ASSERT_LT(walk.begin, visit.event);
          if (visit.is_triangle) triangles.insert(traced.tree.triangle(visit.node).triangle);
        }
        if (!walk.hits) continue;
        ++hitting;
        EXPECT_TRUE(triangles.contains(traced.hits[walk.ray].triangle)) << walk.ray;
      }
      EXPECT_GT(hitting, ray_count / 2);
    }
}

// A box is tested after its parent's, a triangle after its leaf's box.
TEST(Walks, GoDownTheTree) {
  for (const char* variant : variants_with_a_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    for (const RayWalk& walk : traced.walks.walks) {
      std::set<std::uint32_t> boxes;
      for (const RayWalk::Visit& visit : walk.visits) {
        const std::uint32_t above = visit.is_triangle && !traced.tree.is_wide()
                                        ? visit.node
                                        : traced.tree.nodes[visit.node].parent;
        if (visit.node != traced.root) {
          ASSERT_TRUE(boxes.contains(above) || (traced.tree.is_wide() && above == 0))
              << "ray " << walk.ray;
        }
        if (!visit.is_triangle) boxes.insert(visit.node);
      }
    }
  }
}

// ---- Where a ray stands -------------------------------------------------------------------------

// A node whose children are tested, or a leaf whose triangle is, and what the stack then holds, its
// top first.
struct Stop {
  std::uint32_t node;
  std::vector<std::uint32_t> stack;
  bool operator==(const Stop&) const = default;
};

// A walk with a stack of any size, near children first.
std::vector<Stop> stops_of(const TracedRays& traced, std::uint32_t ray) {
  const RaySlabs slabs(traced.rays[ray]);
  const RayShear shear(traced.rays[ray]);
  const auto enter = [&](std::uint32_t i) {
    return slabs.enter(traced.nodes[i].min, traced.nodes[i].max);
  };
  float best = std::numeric_limits<float>::max();
  std::vector<std::uint32_t> stack;
  std::vector<Stop> stops;
  std::uint32_t here = traced.root;
  bool walks = enter(here) <= best;
  while (walks) {
    stops.push_back({here, {stack.rbegin(), stack.rend()}});
    if (traced.is_leaf(here)) {
      TriangleHit hit{};
      const LeafTriangle& t = traced.leaves[here - traced.arrays.first_leaf()];
      if (shear.meets(t.a, t.b, t.c, hit)) best = std::min(best, std::max(hit.t, enter(here)));
    } else {
      std::uint32_t near = traced.nodes[here].left;
      std::uint32_t far = traced.nodes[here].right;
      if (enter(far) < enter(near)) std::swap(near, far);
      if (enter(far) <= best) stack.push_back(far);
      if (enter(near) <= best) stack.push_back(near);
    }
    walks = false;
    while (!stack.empty() && !walks) {
      here = stack.back();
      stack.pop_back();
      walks = enter(here) <= best;
    }
  }
  return stops;
}

// How many of the stops are positions of the recorded walk, in the same order.
std::size_t stops_met(const TracedRays& traced, const RayWalk& walk,
                      const std::vector<Stop>& want) {
  std::size_t next = 0;
  for (std::size_t i = walk.begin; i <= *walk.end && next < want.size(); ++i) {
    if (traced.walks.walk_of[i] == 0 || &traced.walks.walks[traced.walks.walk_of[i] - 1] != &walk)
      continue;
    const RayPosition position = traced.position(walk, i + 1);
    if (position.path.empty()) continue;
    next += want[next] == Stop{position.path.back(), position.pending} ? 1 : 0;
  }
  return next;
}

// Each stop of the test's walk is a position of the recorded one, in the same order.
TEST(RayPositions, AreThoseOfAWalkWithAStack) {
  for (const char* variant : {"stack", "persistent", "sorted"}) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    std::size_t compared = 0, deepest = 0;
    for (const RayWalk& walk : traced.walks.walks) {
      const std::vector<Stop> want = stops_of(traced, walk.ray);
      std::size_t most = 0;
      for (const Stop& stop : want) most = std::max(most, stop.stack.size());
      // The recorded build has room for three nodes, and goes on by links where it is full.
      if (most > 3) continue;
      ASSERT_EQ(stops_met(traced, walk, want), want.size()) << "ray " << walk.ray;
      ++compared;
      deepest = std::max(deepest, most);
    }
    EXPECT_GT(compared, ray_count / 4);
    EXPECT_GE(deepest, 2U);
  }
}

// Walks of a wide tree with a stack of any size. A node of four puts its wanted children on the
// stack, the nearest one on top. A node of eight tests its wanted leaves first, in the order of
// their triangles, and puts its inner children aside by their slots, which the ray's direction
// turns around.
class WideStops {
 public:
  WideStops(const TracedRays& traced, std::uint32_t ray)
      : tree_(traced.tree), slabs_(traced.rays[ray]), shear_(traced.rays[ray]) {
    stack_ = {0};
    while (!stack_.empty()) {
      const std::uint32_t here = stack_.back();
      stack_.pop_back();
      if (here > 0 && !tree_.slot(here) && enter(here) > best_) continue;
      if (tree_.is_wide_leaf(here))
        test_leaf(here);
      else
        open_node(here);
    }
  }
  const std::vector<Stop>& stops() const { return stops_; }
  // Are there boxes that the ray enters at the same t? Either may come first.
  bool has_ties() const { return has_ties_; }

 private:
  float enter(std::uint32_t node) const {
    return slabs_.enter(tree_.box(node).min, tree_.box(node).max);
  }
  void stop(std::uint32_t node) { stops_.push_back({node, {stack_.rbegin(), stack_.rend()}}); }
  void test_leaf(std::uint32_t leaf) {
    for (const std::uint32_t node : tree_.children(leaf)) {
      stop(node);
      const LeafTriangle& corners = tree_.triangle(node);
      TriangleHit hit{};
      if (shear_.meets(corners.a, corners.b, corners.c, hit))
        best_ = std::min(best_, std::max(hit.t, enter(node)));
    }
  }
  void open_node(std::uint32_t node) {
    stop(node);
    std::vector<std::uint32_t> wanted;
    for (const std::uint32_t child : tree_.children(node))
      if (enter(child) <= best_) wanted.push_back(child);
    std::sort(wanted.begin(), wanted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return turn(a) > turn(b); });
    for (std::size_t k = 1; k < wanted.size(); ++k)
      has_ties_ |= turn(wanted[k]) == turn(wanted[k - 1]);
    stack_.insert(stack_.end(), wanted.begin(), wanted.end());
  }
  std::pair<int, double> turn(std::uint32_t node) const {
    if (!tree_.slot(node)) return {0, enter(node)};
    if (tree_.is_wide_leaf(node)) return {0, tree_.first_element(node)};
    return {1, *tree_.slot(node) ^ slabs_.downwards()};
  }

  const step_views::WalkTree& tree_;
  RaySlabs slabs_;
  RayShear shear_;
  float best_ = std::numeric_limits<float>::max();
  std::vector<std::uint32_t> stack_;
  std::vector<Stop> stops_;
  bool has_ties_ = false;
};

TEST(RayPositions, OfWideTreesAreThoseOfAWalkWithAStack) {
  for (const char* variant : variants_with_a_wide_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    std::size_t compared = 0, deepest = 0;
    for (const RayWalk& walk : traced.walks.walks) {
      ASSERT_FALSE(walk.leaves_wide_tree.has_value());
      const WideStops walked(traced, walk.ray);
      if (walked.has_ties()) continue;
      ++compared;
      const std::vector<Stop>& want = walked.stops();
      ASSERT_EQ(stops_met(traced, walk, want), want.size()) << "ray " << walk.ray;
      for (const Stop& stop : want) deepest = std::max(deepest, stop.stack.size());
    }
    EXPECT_GT(compared, ray_count / 3);
    EXPECT_GE(deepest, 3U);
  }
}

// Nodes have as many children as there is room for, leaves up to three triangles; boxes hold what
// is below them, and each triangle is there once.
TEST(WideTrees, AreReadWhole) {
  for (const char* variant : variants_with_a_wide_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    const step_views::WalkTree& tree = traced.tree;
    ASSERT_TRUE(tree.is_wide());
    const std::size_t width = traced.arrays.four ? 4 : 8;
    std::size_t full = 0;
    for (const std::uint32_t node : tree.inner) {
      EXPECT_GE(tree.children(node).size(), tree.is_wide_leaf(node) ? 1U : 2U);
      EXPECT_LE(tree.children(node).size(), tree.is_wide_leaf(node) ? 3U : width);
      full += !tree.is_wide_leaf(node) && tree.children(node).size() == width ? 1 : 0;
      for (const std::uint32_t child : tree.children(node)) {
        EXPECT_EQ(tree.nodes[child].parent, node);
        if (node == 0) continue;
        const Aabb all = merge(tree.box(node), tree.box(child));
        // Compressed sides of a node may be finer than those of its parent.
        if (traced.arrays.four || tree.is_wide_leaf(node)) {
          EXPECT_EQ(all.min.x, tree.box(node).min.x);
          EXPECT_EQ(all.max.z, tree.box(node).max.z);
        }
      }
    }
    EXPECT_GE(full, 3U);
    std::set<std::uint32_t> numbers;
    for (const std::uint32_t leaf : tree.leaf_at) numbers.insert(tree.triangle(leaf).triangle);
    EXPECT_EQ(numbers.size(), tree.leaves());
    EXPECT_EQ(*numbers.rbegin() + 1, tree.leaves());
    EXPECT_GE(tree.leaves(), ray_count / 8);
  }
}

// A stack of the recorded build is small. Such a ray has no place in the tree that is drawn.
TEST(RayPositions, EndWhereAWalkLeavesTheWideTree) {
  const TracedRays traced("wide8_compressed", "primary", 4096);
  std::size_t leaving = 0;
  for (const RayWalk& walk : traced.walks.walks) {
    if (!walk.leaves_wide_tree) continue;
    ++leaving;
    EXPECT_FALSE(traced.position(walk, *walk.leaves_wide_tree).has_left_wide_tree);
    const RayPosition after = traced.position(walk, *walk.leaves_wide_tree + 1);
    EXPECT_TRUE(after.has_left_wide_tree);
    EXPECT_TRUE(after.path.empty());
    EXPECT_TRUE(after.pending.empty());
  }
  EXPECT_GT(leaving, 0U);
}

TEST(RayPositions, CountEachTestOnceAndLeaveNothingPending) {
  for (const char* variant : variants_with_a_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant);
    for (const RayWalk& walk : traced.walks.walks) {
      std::set<std::uint32_t> boxes, triangles;
      for (const RayWalk::Visit& visit : walk.visits)
        (visit.is_triangle ? triangles : boxes).insert(visit.node);
      const RayPosition end = traced.position(walk, traced.recording->events.size());
      EXPECT_EQ(end.boxes, boxes.size());
      EXPECT_EQ(end.triangles, triangles.size());
      EXPECT_TRUE(end.pending.empty()) << walk.ray;
      // A path leads from parent to child.
      for (std::size_t k = 1; k < end.path.size(); ++k)
        EXPECT_EQ(traced.tree.nodes[end.path[k]].parent, end.path[k - 1]);
    }
  }
}

// ---- The view -----------------------------------------------------------------------------------

// What the events up to a step say, by the lane: with `stack`, each lane has one ray.
struct Tested {
  std::set<std::pair<std::uint32_t, std::uint32_t>> boxes, triangles;
  std::set<std::string> names_now;
};
Tested tested_at(const TracedRays& traced, const Playback& at) {
  Tested tested;
  for (std::size_t i = 0; i < at.executed(); ++i) {
    const RecordedEvent& event = traced.recording->events[i];
    if (!is_access(event.kind)) continue;
    const std::uint32_t lane = (event.block << 16U) + event.thread;
    const auto add = [&](auto& all, std::uint32_t node) {
      all.insert({lane, node});
      if (at.last_did(i)) tested.names_now.insert(traced.name(node));
    };
    if (event.subject == traced.arrays.nodes) add(tested.boxes, event.offset / sizeof(BvhNode));
    if (event.subject == traced.arrays.leaves)
      add(tested.triangles, traced.arrays.first_leaf() + event.offset / sizeof(LeafTriangle));
  }
  return tested;
}

TEST(WalkView, ShowsWhatTheEventsSay) {
  const TracedRays traced("stack", "primary", 128);
  Drawn drawn("walk", traced.recording);
  std::size_t done = 0, marked = 0;
  for (std::size_t step = 0; step <= drawn.steps(); ++step) {
    SCOPED_TRACE(step);
    drawn.at(step);
    const Tested tested = tested_at(traced, drawn.playback());
    EXPECT_EQ(drawn.names_of(view_ink::read, "word/"), tested.names_now);
    marked += tested.names_now.size();
    const auto words = drawn.texts_with(" of 128 rays are done.");
    ASSERT_FALSE(words.empty());
    EXPECT_NE(words.front().find(fmt::format("tested {} box", group_digits(tested.boxes.size()))),
              std::string::npos)
        << words.front();
    EXPECT_NE(words.front().find(fmt::format(" and {} triangle", tested.triangles.size())),
              std::string::npos)
        << words.front();
    EXPECT_GE(std::stoul(words.front()), done);
    done = std::stoul(words.front());
  }
  EXPECT_EQ(done, 128U);
  EXPECT_GT(marked, 100U);
}

// One read brings the boxes of all children.
TEST(WalkView, ShowsTheChildrenOfAWideNode) {
  for (const char* variant : variants_with_a_wide_tree) {
    SCOPED_TRACE(variant);
    const TracedRays traced(variant, "primary", 128);
    Drawn drawn("walk", traced.recording);
    std::size_t most = 0;
    for (std::size_t step = 0; step <= drawn.steps(); ++step) {
      drawn.at(step);
      std::set<std::string> names;
      for (std::size_t i = drawn.playback().last_begin(); i < drawn.playback().executed(); ++i) {
        const RecordedEvent& event = traced.recording->events[i];
        if (!is_access(event.kind)) continue;
        const auto at = event.offset / traced.recording->arrays[event.subject].element_bytes;
        if (event.subject == traced.arrays.walked()) {
          for (const std::uint32_t child : traced.tree.children(*traced.tree.node_of_element(at)))
            names.insert(traced.name(child));
        } else if (event.subject == traced.arrays.triangles) {
          names.insert(traced.name(*traced.tree.node_of_triangle(at)));
        }
      }
      ASSERT_EQ(drawn.names_of(view_ink::read, "word/"), names) << step;
      most = std::max(most, names.size());
    }
    EXPECT_GT(most, 4U);
  }
}

// It follows the ray of the first lane of a step: with `stack`, the ray of that number.
TEST(WalkView, FollowsARay) {
  const TracedRays traced("stack", "primary", 128);
  Drawn drawn("walk", traced.recording);
  std::size_t pending = 0, skipped = 0;
  for (std::size_t step = 1; step <= drawn.steps(); ++step) {
    SCOPED_TRACE(step);
    drawn.at(step);
    const auto events = drawn.playback().last();
    const std::size_t begin = drawn.playback().last_begin();
    std::size_t first = begin;
    while (first < begin + events.size() && traced.walks.walk_of[first] == 0) ++first;
    if (first == begin + events.size()) continue;
    const RayWalk& walk = traced.walks.walks[traced.walks.walk_of[first] - 1];
    const RayPosition want = traced.position(walk, drawn.playback().executed());
    EXPECT_TRUE(drawn.says(fmt::format("traces ray {}:", walk.ray)));
    std::set<std::string> names;
    for (const std::uint32_t node : want.pending) names.insert(traced.name(node));
    EXPECT_EQ(drawn.names_of(view_ink::waiting, "word/"), names);
    EXPECT_EQ(drawn.says("Pending, next first:"), !names.empty());
    std::set<std::string> dotted;
    std::size_t on_path = 0;
    for (const PlotShape& shape : drawn.shapes()) {
      if (shape.line == PlotLine::dotted && shape.name.starts_with("word/"))
        dotted.insert(shape.name);
      on_path += shape.kind == PlotShape::Kind::line && shape.ink == view_ink::read ? 1 : 0;
    }
    EXPECT_EQ(dotted.size(), want.skipped.size());
    EXPECT_EQ(on_path, want.path.empty() ? 0 : want.path.size() - 1);
    pending += names.size();
    skipped += dotted.size();
  }
  EXPECT_GT(pending, 20U);
  EXPECT_GT(skipped, 20U);
}

TEST(WalkView, ShowsAnswersInTheRaysOfTheBlock) {
  const TracedRays traced("stack", "primary", 64);
  Drawn drawn("walk", traced.recording);
  drawn.at(drawn.steps());
  const auto hitting = std::count_if(traced.hits.begin(), traced.hits.end(), [](const RayHit& hit) {
    return hit.triangle != RayHit::nothing;
  });
  EXPECT_EQ(drawn.names_of(view_ink::write, "lane/").size(), static_cast<std::size_t>(hitting));
}

// A file may have any arrays: the view is for none that it cannot read.
TEST(WalkView, IsForRaysInTreesAlone) {
  Recording changed = *TracedRays("stack").recording;
  EXPECT_TRUE(view_named("walk").is_for(changed));
  for (RecordedArray& array : changed.arrays)
    if (array.name == "nodes") array.name = "nothing";
  EXPECT_FALSE(view_named("walk").is_for(changed));
  EXPECT_FALSE(view_named("walk").is_for(*record({.primitive = "build", .variant = "karras"})));
}

}  // namespace
}  // namespace warpview::test
