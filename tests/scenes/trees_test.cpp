// The scene of trees: what its trees promise of each other, and what they cost together with rays.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gpu/primitives/trace/trace.h"
#include "gpu/steps/write.h"
#include "scenes/budget.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

// --- budgets

Contender contender(const char* group, double once_ms, double each_ns) {
  return {.group = group, .name = {}, .once_ms = once_ms, .each_ns = each_ns};
}

double least_of(const std::vector<Contender>& contenders, double units) {
  double least = INFINITY;
  for (const Contender& one : contenders)
    if (one.is_measured()) least = std::min(least, one.milliseconds(units));
  return least;
}

TEST(Budgets, NameTheCheapestForAnyWork) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    std::vector<Contender> contenders;
    // Small whole numbers, so that lines coincide and cross in one place. 0: it is not measured.
    for (int i = 0; i < 5; ++i)
      contenders.push_back(contender("a", random() % 6, static_cast<double>(random() % 6) * 1e3));
    const std::vector<Cheapest> found = cheapest_of(contenders);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double from = found[k].from;
      if (k == 0)
        EXPECT_EQ(from, 0.0);
      else
        EXPECT_GT(from, found[k - 1].from);
      const double to = k + 1 < found.size() ? found[k + 1].from : from + 1e9;
      EXPECT_GE(to, from);
      for (const double units : {from, 0.5 * (from + to), to})
        EXPECT_NEAR(contenders[found[k].contender].milliseconds(units), least_of(contenders, units),
                    1e-9)
            << units;
    }
    EXPECT_EQ(found.empty(), std::isinf(least_of(contenders, 0.0)));
  }
}

TEST(Budgets, AreToldInWords) {
  Budgets budgets{.unit = "rays"};
  EXPECT_EQ(cheapest_in_words(budgets), "");
  budgets.contenders = {contender("a", 1.0, 30.0), contender("b", 2.0, 10.0),
                        contender("c", 9.0, 9.0), contender("d", 3.0, 29.0),
                        contender("e", 0.0, 1.0)};
  EXPECT_EQ(cheapest_in_words(budgets),
            "A up to 50 thousand rays, then B up to 7 million rays, then C");
  budgets.contenders.resize(1);
  EXPECT_EQ(cheapest_in_words(budgets), "A");
}

// --- boxes

TEST(ChildrenOverlap, IsTheSharedShareOfTheSurface) {
  const auto inner = [](const Aabb& box) { return BvhNode{box.min, 1, box.max, 2}; };
  const auto leaf = [](const Aabb& box) {
    return BvhNode{box.min, 0, box.max, BvhNode::leaf_mark};
  };
  const auto overlap_of = [&](const Aabb& left, const Aabb& right) {
    const std::vector<BvhNode> nodes = {inner(merge(left, right)), leaf(left), leaf(right)};
    EXPECT_EQ(children_overlap(nodes.data(), nodes[1]), 0.0F);
    return children_overlap(nodes.data(), nodes[0]);
  };
  const Aabb one{{0.0F, 0.0F, 0.0F}, {3.0F, 2.0F, 2.0F}};
  EXPECT_FLOAT_EQ(overlap_of(one, {{2.0F, 0.0F, 0.0F}, {4.0F, 2.0F, 2.0F}}), 8.0F / 20.0F);
  EXPECT_FLOAT_EQ(overlap_of(one, {{3.0F, 0.0F, 0.0F}, {4.0F, 2.0F, 2.0F}}), 4.0F / 20.0F);
  EXPECT_EQ(overlap_of(one, {{3.1F, 0.0F, 0.0F}, {4.0F, 2.0F, 2.0F}}), 0.0F);
  EXPECT_EQ(overlap_of(one, one), 1.0F);
  const Aabb point{{1.0F, 1.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};
  EXPECT_EQ(overlap_of(point, point), 0.0F);
}

// --- the scene

const SceneKind& trees_kind() { return *find_scene_kind("trees"); }

class Trees : public testing::TestWithParam<TestDevice> {
 protected:
  std::unique_ptr<Scene> loaded(const std::vector<std::string>& settings,
                                const std::vector<std::string>& wishes = {}) const {
    std::vector<std::string> all = {"rays=2048", "speed=2"};
    all.insert(all.end(), settings.begin(), settings.end());
    auto scene = make_scene(trees_kind(), *GetParam().device, make_sphere(400),
                            controls_of(trees_kind(), all), wishes_of(wishes));
    load(*scene);
    return scene;
  }
  static void run(Scene& scene, int frames) {
    const Targets targets(scene);
    for (int i = 0; i < frames; ++i) {
      scene.queue(targets.all());
      scene.collect();
    }
  }
  static double cost(const Scene& scene, char tree) {
    return fact<double>(scene, std::string(1, tree) + ".sah_cost");
  }
};

// At rest both trees of one builder cost the same. Twisted, the refitted one costs more, until the
// mesh is back.
TEST_P(Trees, ARefittedTreeAgesUntilTheMeshIsBack) {
  const auto scene = loaded({"strength=1"});
  const auto expect_same = [&scene] {
    EXPECT_NEAR(cost(*scene, 'a'), cost(*scene, 'b'), 1e-3 * cost(*scene, 'b'));
  };
  expect_same();
  EXPECT_NEAR(fact<double>(*scene, "a.boxes"), fact<double>(*scene, "b.boxes"), 0.1);
  EXPECT_GT(fact<double>(*scene, "d.tests"), 0.1) << "the rays of the last copy hit it, too";
  run(*scene, 7);  // a quarter of a period
  EXPECT_GT(cost(*scene, 'a'), 1.1 * cost(*scene, 'b'));
  EXPECT_GT(fact<double>(*scene, "a.boxes"), fact<double>(*scene, "b.boxes"));
  expect_sound(*scene);
  run(*scene, 23);
  expect_same();
}

TEST_P(Trees, StandAsideOfEachOther) {
  const auto scene = loaded({"shape=none"});
  run(*scene, 1);
  // The sphere at rest, four times; each pick hits another tree.
  std::set<std::string> names;
  const Aabb all = scene->bounds();
  for (int i = 0; i < 4; ++i) {
    const float column = i % 2 == 0 ? 0.25F : 0.75F;
    const float row = i / 2 == 0 ? 0.75F : 0.25F;
    const Vec3 way = all.max - all.min;
    const Ray ray{{all.min.x + column * way.x, all.min.y + row * way.y, all.max.z + 1.0F},
                  {0.0F, 0.0F, -1.0F}};
    for (const Fact& each : scene->pick(ray).facts)
      if (each.name == "pick.tree") names.insert(std::get<std::string>(each.value).substr(0, 1));
  }
  EXPECT_EQ(names, (std::set<std::string>{"A", "B", "C", "D"}));
}

// A mesh that stands still is measured in some frames, and then left alone.
TEST_P(Trees, OfAMeshThatStandsStillAreMeasuredAndThenRest) {
  const auto scene = loaded({"shape=none"});
  int frames = 0;
  for (; scene->moving() && frames < 100; ++frames) run(*scene, 1);
  EXPECT_GT(frames, 1);
  EXPECT_LT(frames, 100);
  const std::uint64_t taken =
      scene->timeline().times(scene->timeline().find("b.build").value()).taken();
  run(*scene, 3);
  EXPECT_EQ(scene->timeline().times(scene->timeline().find("b.build").value()).taken(), taken);
  const Budgets budgets = scene->budgets().value();
  ASSERT_EQ(budgets.contenders.size(), 4U);
  for (const Contender& one : budgets.contenders) EXPECT_TRUE(one.is_measured()) << one.name;
}

// What a refit leaves out does not count, and neither do statistics and counting.
TEST_P(Trees, CostWhatTheirUpdatesTake) {
  const auto scene = loaded({"d_optimise=1"}, {"trace=wide4"});
  run(*scene, 4);
  const auto sum_of = [&](char tree, std::initializer_list<const char*> stages) {
    const Timeline& timeline = scene->timeline();
    double sum = 0.0;
    for (const char* stage : stages)
      sum += timeline.times(timeline.find(std::string(1, tree) + "." + stage).value()).median();
    return sum;
  };
  const std::vector<Contender> found = scene->budgets()->contenders;
  EXPECT_NEAR(found[0].once_ms, sum_of('a', {"boxes", "refit", "leaves", "collapse"}), 1e-9);
  EXPECT_NEAR(
      found[1].once_ms,
      sum_of('b', {"boxes", "bounds", "morton", "sort", "build", "refit", "leaves", "collapse"}),
      1e-9);
  EXPECT_NEAR(
      found[3].once_ms,
      sum_of('d', {"boxes", "bounds", "morton", "sort", "build", "optimise", "leaves", "collapse"}),
      1e-9);
  EXPECT_NEAR(found[1].each_ns, 1e6 * sum_of('b', {"trace"}) / 2048.0, 1e-9);
}

// A mesh that is seen from within is traced from there.
TEST_P(Trees, TraceRaysFromWhereTheMeshIsSeen) {
  Mesh mesh = make_sphere(400);
  mesh.first_view = Viewpoint{.eye = {0.0F, 0.0F, 0.0F}, .target = {1.0F, 0.2F, 0.1F}};
  const auto scene = make_scene(trees_kind(), *GetParam().device, std::move(mesh),
                                controls_of(trees_kind(), {"rays=2048", "shape=none"}));
  load(*scene);
  EXPECT_GE(fact<double>(*scene, "c.tests"), 0.99) << "each ray hits the sphere around it";
  EXPECT_FALSE(scene->first_view()) << "the copies stand elsewhere";
}

TEST_P(Trees, AreAsManyAsAreWanted) {
  for (const std::uint32_t count : {2U, 3U}) {
    const auto scene = loaded({"trees=" + std::to_string(count), "overlap=on", "ray_kind=random",
                               "b_frame=refit", "b_optimise=3"});
    run(*scene, 3);
    ASSERT_EQ(scene->budgets()->contenders.size(), count);
    EXPECT_EQ(scene->budgets()->contenders[1].name, "B: Karras, all at once + 3, refitted");
    EXPECT_GT(fact<double>(*scene, "a.overlap"), 0.0);
    expect_sound(*scene);
  }
}

// While the mesh is twisted a choice builds the chosen tree of the mesh at rest, and none of the
// others takes a time.
TEST_P(Trees, AChoiceForOneLeavesTheOthers) {
  const auto scene = loaded({"strength=1"});
  run(*scene, 5);
  Timeline& timeline = scene->timeline();
  const auto taken = [&](const char* stage) {
    return timeline.times(timeline.find(stage).value()).taken();
  };
  StageVariants variants = timeline.choices();
  const StageId build = timeline.find("c.build").value();
  variants[index_of(build)] = find_variant(Primitive::build, "ploc");
  timeline.choose(variants);
  const std::uint64_t of_b = taken("b.build");
  const std::uint64_t of_c = taken("c.build");
  scene->compute_after(std::vector<StageId>{build});
  scene->collect();
  EXPECT_EQ(taken("b.build"), of_b);
  EXPECT_EQ(taken("c.build"), of_c + 1);
  EXPECT_NEAR(cost(*scene, 'a'), cost(*scene, 'b'), 1e-3 * cost(*scene, 'b'));
  expect_sound(*scene);
  run(*scene, 2);
  EXPECT_GT(cost(*scene, 'a'), 1.1 * cost(*scene, 'b'));
  expect_sound(*scene);
}

// The tree that a tracer walks is made when that tracer is chosen.
TEST_P(Trees, AChosenTracerFindsItsWideTree) {
  const auto scene = loaded({"shape=none"}, {"trace=stack"});
  run(*scene, 2);
  Timeline& timeline = scene->timeline();
  const StageId trace = timeline.find("b.trace").value();
  for (const char* tracer : {"wide8_compressed", "wide4"}) {
    StageVariants variants = timeline.choices();
    variants[index_of(trace)] = find_variant(Primitive::trace, tracer);
    timeline.choose(variants);
    scene->compute_after(std::vector<StageId>{trace});
    scene->collect();
    expect_sound(*scene);
  }
}

TEST_P(Trees, TraceByAnyTracer) {
  for (const VariantId tracer : variants_of(Primitive::trace)) {
    SCOPED_TRACE(tracer->name);
    if ((tracer->traits & TraceTrait::own_tree) != 0 ||
        !why_unavailable(tracer, *GetParam().device).empty())
      continue;
    const auto scene = loaded({"trees=2"}, {std::string("trace=") + tracer->name});
    run(*scene, 2);
    expect_sound(*scene);
  }
}

INSTANTIATE_TEST_SUITE_P(OnFew, Trees, testing::ValuesIn(few_devices()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace warpview::test
