// The view of rays in a tree: what a step shows is what the reference's walk and the run's answers
// say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "app/step_views/sketch.h"
#include "app/step_views/walks.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/recording/replay.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::RayWalk;
using step_views::RayWalks;
using step_views::walk_arrays;

constexpr std::uint32_t ray_count = 256;

std::shared_ptr<const Recording> traced(const char* variant, const char* form = "primary",
                                        std::uint32_t rays = ray_count) {
  return record({.primitive = "trace", .variant = variant, .form = form, .items = rays});
}

// What the run left in an array.
template <class T>
std::vector<T> array_after(const Recording& recording, std::uint32_t array) {
  Replay replay(recording);
  while (!replay.ended()) replay.step();
  const auto bytes = replay.contents(array);
  std::vector<T> all(bytes.size() / sizeof(T));
  std::memcpy(static_cast<void*>(all.data()), bytes.data(), all.size() * sizeof(T));
  return all;
}

// That walk a tree.
constexpr const char* every_row[] = {"stackless",  "short_stack", "stack",
                                     "persistent", "sorted",      "sorted_ends"};

TEST(Walks, AreOneOfEachRayAndEndWithItsAnswer) {
  for (const char* variant : every_row) {
    SCOPED_TRACE(variant);
    const auto recording = traced(variant);
    const auto arrays = walk_arrays(*recording).value();
    const RayWalks found(*recording, arrays);
    const auto hits = array_after<RayHit>(*recording, arrays.hits.value());
    ASSERT_EQ(found.walks.size(), ray_count);
    std::set<std::uint32_t> rays;
    for (const RayWalk& walk : found.walks) {
      rays.insert(walk.ray);
      ASSERT_TRUE(walk.end.has_value()) << walk.ray;
      ASSERT_LT(walk.begin, *walk.end);
      EXPECT_EQ(walk.hits, hits[walk.ray].triangle != RayHit::nothing) << walk.ray;
    }
    EXPECT_EQ(rays.size(), ray_count);
  }
}

TEST(Walks, ComeToTheTriangleThatTheyHit) {
  for (const char* form : {"primary", "indexed"})
    for (const char* variant : every_row) {
      SCOPED_TRACE(std::string(form) + ", " + variant);
      const auto recording = traced(variant, form);
      const auto arrays = walk_arrays(*recording).value();
      const auto nodes = array_after<BvhNode>(*recording, arrays.nodes);
      const auto hits = array_after<RayHit>(*recording, arrays.hits.value());
      std::size_t hitting = 0;
      for (const RayWalk& walk : RayWalks(*recording, arrays).walks) {
        std::set<std::uint32_t> triangles;
        for (const RayWalk::Visit& visit : walk.triangles) {
          ASSERT_LT(walk.begin, visit.event);
          triangles.insert(nodes[visit.node].left);
        }
        if (!walk.hits) continue;
        ++hitting;
        EXPECT_TRUE(triangles.contains(hits[walk.ray].triangle)) << walk.ray;
      }
      EXPECT_GT(hitting, ray_count / 2);
    }
}

// A walk with a tree comes to a node only after its parent.
TEST(Walks, GoDownTheTree) {
  for (const char* variant : every_row) {
    SCOPED_TRACE(variant);
    const auto recording = traced(variant);
    const auto arrays = walk_arrays(*recording).value();
    const auto nodes = array_after<BvhNode>(*recording, arrays.nodes);
    std::map<std::uint32_t, std::uint32_t> parent;
    for (std::uint32_t i = 0; i < arrays.first_leaf(); ++i)
      parent[nodes[i].left] = parent[nodes[i].right] = i;
    for (const RayWalk& walk : RayWalks(*recording, arrays).walks) {
      std::set<std::uint32_t> seen;
      for (const RayWalk::Visit& visit : walk.boxes) {
        if (const auto above = parent.find(visit.node); above != parent.end()) {
          ASSERT_TRUE(seen.contains(above->second)) << "ray " << walk.ray;
        }
        seen.insert(visit.node);
      }
      for (const RayWalk::Visit& visit : walk.triangles)
        ASSERT_TRUE(seen.contains(visit.node)) << "ray " << walk.ray;
    }
  }
}

TEST(WalkView, SaysHowFarRaysAre) {
  Drawn drawn("walk", traced("stack", "primary", 64));
  EXPECT_TRUE(drawn.at(0).says("0 of 64 rays are done. So far rays have come to 0 boxes and"));
  std::size_t last = 0;
  for (std::size_t step = 1; step <= drawn.steps(); ++step) {
    const auto words = drawn.at(step).texts_with(" of 64 rays are done.");
    ASSERT_FALSE(words.empty());
    const std::size_t done = std::stoul(words.front());
    EXPECT_GE(done, last);
    last = done;
  }
  EXPECT_EQ(last, 64U);
}

// The followed ray is that of the first lane of the step: its box or triangle is drawn as read.
TEST(WalkView, MarksWhatAStepReads) {
  const auto recording = traced("stack", "primary", 64);
  const auto arrays = walk_arrays(*recording).value();
  Drawn drawn("walk", recording);
  std::size_t reads = 0;
  for (std::size_t step = 1; step <= drawn.steps(); ++step) {
    drawn.at(step);
    std::set<std::string> want;
    for (const RecordedEvent& event : drawn.playback().last())
      if (is_access(event.kind) && event.subject == arrays.nodes)
        want.insert("word/" + std::to_string(arrays.nodes) + "/" +
                    std::to_string(event.offset / sizeof(BvhNode)) + "/0");
    const std::set<std::string> marked =
        drawn.names_of(step_views::ink::read, "word/" + std::to_string(arrays.nodes));
    // A visit that goes on over several steps is marked in its first one.
    for (const std::string& name : marked)
      EXPECT_TRUE(want.contains(name) || !drawn.playback().last().empty()) << name;
    reads += marked.empty() ? 0 : 1;
  }
  EXPECT_GT(reads, 10U);
}

TEST(WalkView, ShowsAnswersInTheRaysOfTheBlock) {
  const auto recording = traced("stack", "primary", 64);
  const auto arrays = walk_arrays(*recording).value();
  const auto hits = array_after<RayHit>(*recording, arrays.hits.value());
  Drawn drawn("walk", recording);
  drawn.at(drawn.steps());
  const auto hitting = std::count_if(
      hits.begin(), hits.end(), [](const RayHit& hit) { return hit.triangle != RayHit::nothing; });
  EXPECT_EQ(drawn.names_of(step_views::ink::write, "lane/").size(),
            static_cast<std::size_t>(hitting));
}

// A file may have any arrays: the view is for none that it cannot read.
TEST(WalkView, IsForRaysInTreesAlone) {
  EXPECT_TRUE(view_named("walk").is_for(*traced("stack")));
  Recording changed = *traced("stack");
  for (RecordedArray& array : changed.arrays)
    if (array.name == "nodes") array.name = "nothing";
  EXPECT_FALSE(view_named("walk").is_for(changed));
  EXPECT_FALSE(view_named("walk").is_for(*record({.primitive = "build", .variant = "karras"})));
}

}  // namespace
}  // namespace warpview::test
