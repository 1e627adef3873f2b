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

using step_views::FinishedTree;
using step_views::RayPosition;
using step_views::RayWalk;
using step_views::RayWalks;
using step_views::WalkArrays;
namespace view_ink = step_views::ink;

constexpr std::uint32_t ray_count = 256;

constexpr const char* variants_with_a_tree[] = {"stackless",  "short_stack", "stack",
                                                "persistent", "sorted",      "sorted_ends"};

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
  std::vector<BvhNode> nodes;
  std::vector<BoundedRay> rays;
  std::vector<RayHit> hits;
  std::vector<LeafTriangle> leaves;  // none where triangles are read by index
  std::uint32_t root;
  RayWalks walks;
  FinishedTree tree;

  explicit TracedRays(const char* variant, const char* form = "primary",
                      std::uint32_t count = ray_count)
      : recording(record({.primitive = "trace", .variant = variant, .form = form, .items = count})),
        arrays(step_views::walk_arrays(*recording).value()),
        nodes(array_after<BvhNode>(*recording, arrays.nodes)),
        rays(array_after<BoundedRay>(*recording, arrays.rays)),
        hits(array_after<RayHit>(*recording, arrays.hits.value())),
        leaves(arrays.leaves ? array_after<LeafTriangle>(*recording, *arrays.leaves)
                             : std::vector<LeafTriangle>()),
        root(array_after<std::uint32_t>(*recording, arrays.root).front()),
        walks(*recording, arrays),
        tree(recording->arrays[arrays.nodes].before, arrays.first_leaf(), root) {}

  bool is_leaf(std::uint32_t node) const { return node >= arrays.first_leaf(); }
  std::string name(std::uint32_t node) const {
    return step_views::word_name({arrays.nodes, node, 0});
  }
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
          if (visit.is_triangle) triangles.insert(traced.nodes[visit.node].left);
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
        const std::uint32_t above =
            visit.is_triangle ? visit.node : traced.tree.nodes[visit.node].parent;
        if (visit.node != traced.root) {
          ASSERT_TRUE(boxes.contains(above)) << "ray " << walk.ray;
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
      std::size_t next = 0;
      for (std::size_t i = walk.begin; i <= *walk.end && next < want.size(); ++i) {
        if (traced.walks.walk_of[i] == 0 ||
            &traced.walks.walks[traced.walks.walk_of[i] - 1] != &walk)
          continue;
        const RayPosition position = traced.position(walk, i + 1);
        if (position.path.empty()) continue;
        next += want[next] == Stop{position.path.back(), position.pending} ? 1 : 0;
      }
      ASSERT_EQ(next, want.size()) << "ray " << walk.ray;
      ++compared;
      deepest = std::max(deepest, most);
    }
    EXPECT_GT(compared, ray_count / 4);
    EXPECT_GE(deepest, 2U);
  }
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
