// What a cloth does: it falls, hangs and lies as one would.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "scenes/files/open_mesh.h"
#include "scenes/parts/cloth_reference.h"
#include "scenes/parts/cloth_rules.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

const SceneKind& cloth_kind() { return *find_scene_kind("cloth"); }

// A scene, and what is drawn of its cloth.
class ClothWorld {
 public:
  ClothWorld(Device& device, Mesh mesh, const std::vector<std::string>& settings = {},
             VariantWishes wishes = {})
      : scene_(make_scene(cloth_kind(), device, std::move(mesh), with_least(settings),
                          std::move(wishes))),
        drawn_(device, points()) {
    load(*scene_);
  }

  Scene& scene() { return *scene_; }
  std::size_t points() const { return scene_->streams()[0].capacity; }
  double thickness() const {
    return thickness_of(cloth_setting_of(scene_->mesh(), scene_->controls()), scene_->controls());
  }
  std::size_t side() const { return static_cast<std::size_t>(scene_->controls()["side"]); }

  void run(int frames, double seconds = time_step) {
    Frame frame{.seconds = seconds,
                .targets = std::vector<void*>(scene_->streams().size()),
                .timing = Timing::whole};
    frame.targets[0] = drawn_.data();
    for (int i = 0; i < frames; ++i) {
      scene_->queue(frame);
      scene_->collect();
    }
  }
  std::vector<Vertex> vertices() { return drawn_.download(scene_->timeline().stream()); }
  double fact(const std::string& name) {
    for (const Fact& fact : scene_->facts()) {
      if (fact.name != name) continue;
      if (const auto* count = std::get_if<std::uint64_t>(&fact.value))
        return static_cast<double>(*count);
      return std::get<double>(fact.value);
    }
    ADD_FAILURE() << "there is no fact " << name;
    return 0.0;
  }

 private:
  static Controls with_least(const std::vector<std::string>& settings) {
    Controls controls(cloth_kind().controls);
    controls.set("side=24");
    for (const std::string& setting : settings) controls.set(setting);
    return controls;
  }

  std::unique_ptr<Scene> scene_;
  Buffer<Vertex> drawn_;
};

Device& a_device() { return *devices_for(1).front().device; }

// A sphere of radius 1 around the origin, by its triangles.
Mesh ball() { return make_sphere(2000); }

class Cloth : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Cloth, testing::ValuesIn(devices_for(SIZE_MAX)),
                         [](const auto& one) { return one.param.name; });

// In the air it falls as a stone does, and keeps its shape.
TEST_P(Cloth, FallsFreely) {
  ClothWorld world(device(), ball(), {"damping=0", "gravity=0.5"});
  world.run(0);
  world.run(1, 0.0);
  const std::vector<Vertex> before = world.vertices();
  const int frames = 10;
  world.run(frames);
  const std::vector<Vertex> after = world.vertices();
  const double length = double(before.back().position.x) - double(before.front().position.x);
  const double seconds = frames * time_step;
  const double way = 0.5 * 0.5 * length * seconds * seconds;
  double mean = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    mean += double(before[i].position.y - after[i].position.y) / double(after.size());
    EXPECT_NEAR(after[i].position.x, before[i].position.x, 1e-3 * length);
  }
  EXPECT_NEAR(mean, way, 0.02 * way);
  EXPECT_LT(world.fact("cloth.stretch"), 1.0);
}

TEST_P(Cloth, HangsFromItsCorners) {
  ClothWorld world(device(), ball(), {"pinned=two", "obstacle=off"});
  world.run(1, 0.0);
  const std::vector<Vertex> before = world.vertices();
  world.run(20);
  const std::vector<Vertex> after = world.vertices();
  const std::size_t side = world.side();
  for (const std::size_t corner : {std::size_t{0}, side - 1})
    EXPECT_EQ(length(after[corner].position - before[corner].position), 0.0F);
  EXPECT_LT(after.back().position.y, before.back().position.y);
  EXPECT_LT(after[side * side / 2].position.y, before[side * side / 2].position.y);
}

// Longer times, and through several frames of other lengths.
TEST_P(Cloth, FramesMayTakeDifferentTimes) {
  ClothWorld world(device(), ball());
  for (const double seconds : {1.0 / 30.0, 1.0 / 120.0, 1.0 / 60.0, 0.0, 1.0 / 240.0, 1.0 / 30.0})
    world.run(2, seconds);
  for (const Vertex& vertex : world.vertices()) {
    ASSERT_TRUE(std::isfinite(vertex.position.x + vertex.position.y + vertex.position.z));
    EXPECT_NEAR(length(vertex.normal), 1.0F, 1e-4F);
  }
  EXPECT_LT(world.fact("cloth.stretch"), 20.0);
}

// It lies on the ball: nothing of it is inside by more than it is thick, and the floor holds it.
TEST_P(Cloth, LiesOnTheMeshAfterManySteps) {
  ClothWorld world(device(), ball(), {"pinned=none"});
  world.run(150);
  const double thickness = world.thickness();
  EXPECT_GT(world.fact("cloth.on_mesh"), 10.0);
  for (const Vertex& vertex : world.vertices()) {
    ASSERT_GE(length(vertex.position), 1.0 - thickness);
    ASSERT_GE(vertex.position.y, -1.0 - 1e-4);
  }
}

// 1000 frames are 17 seconds.
TEST(ClothForLong, StaysWholeAfterManySteps) {
  ClothWorld world(a_device(), ball());
  for (int i = 0; i < 10; ++i) {
    world.run(100);
    for (const Vertex& vertex : world.vertices())
      ASSERT_LT(length(vertex.position), 20.0F) << "after " << 100 * (i + 1) << " frames";
    EXPECT_LT(world.fact("cloth.stretch"), 60.0);
  }
  // And it has come to rest.
  const std::vector<Vertex> before = world.vertices();
  world.run(1);
  const std::vector<Vertex> after = world.vertices();
  float farthest = 0.0F;
  for (std::size_t i = 0; i < after.size(); ++i)
    farthest = std::max(farthest, length(after[i].position - before[i].position));
  EXPECT_LT(farthest, 0.05F);
}

// How near two points are to each other that springs do not hold apart.
float nearest_of_others(ClothWorld& world) {
  const std::vector<Vertex> vertices = world.vertices();
  const ClothShape shape{static_cast<std::uint32_t>(world.side())};
  float nearest = 1e30F;
  for (std::uint32_t a = 0; a < vertices.size(); ++a)
    for (std::uint32_t b = 0; b < a; ++b)
      if (!are_held_apart(shape, a, b))
        nearest = std::min(nearest, length(vertices[a].position - vertices[b].position));
  return nearest;
}

// A cloth that is crumpled on a floor does not go through itself.
TEST_P(Cloth, KeepsApartFromItself) {
  struct Seen {
    double touching = 0.0;
    float nearest = 1e30F;
  };
  const auto seen = [&](const char* self) {
    ClothWorld world(device(), ball(), {"gravity=8", "friction=0", "iterations=10", self});
    Seen all;
    for (int i = 0; i < 90; ++i) {
      world.run(1);
      all.touching += world.fact("cloth.touching");
      all.nearest = std::min(all.nearest, nearest_of_others(world));
    }
    return all;
  };
  const Seen with = seen("self=on");
  const Seen without = seen("self=off");
  EXPECT_GT(with.touching, 0.0);
  EXPECT_EQ(without.touching, 0.0);
  EXPECT_GT(with.nearest, without.nearest);
}

TEST_P(Cloth, IsTheSameHoweverItIsLaunched) {
  ClothWorld graph(device(), ball());
  ClothWorld stream(device(), ball(), {"launch=stream"});
  graph.run(5);
  stream.run(5);
  const std::vector<Vertex> a = graph.vertices();
  const std::vector<Vertex> b = stream.vertices();
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(length(a[i].position - b[i].position), 0.0F) << i;
  EXPECT_FALSE(stream.scene().timeline().replays());
  EXPECT_GT(graph.fact("frame.graph"), 0.0);
  EXPECT_EQ(graph.fact("frame.stream"), 0.0);
  EXPECT_GT(stream.fact("frame.stream"), 0.0);
  set(graph.scene(), "launch=stream");
  graph.run(3);
  EXPECT_GT(graph.fact("frame.stream"), 0.0);
  graph.fact("frame.saved");
}

// Any number of iterations, and as many of them in a launch: the arrays go around, and points come
// to lie where they do by one iteration after the other, to the bit.
TEST_P(Cloth, IsSoundWithAnyNumberOfIterations) {
  for (const char* iterations : {"iterations=1", "iterations=2", "iterations=31"}) {
    std::vector<Vertex> one_by_one;
    for (const char* together : {"together=1", "together=2", "together=3"}) {
      SCOPED_TRACE(std::string(iterations) + ", " + together);
      ClothWorld world(device(), ball(), {iterations, together, "pinned=two"});
      world.run(4);
      expect_sound(world.scene());
      world.run(1);
      expect_sound(world.scene());
      const std::vector<Vertex> vertices = world.vertices();
      if (one_by_one.empty()) one_by_one = vertices;
      ASSERT_EQ(vertices.size(), one_by_one.size());
      for (std::size_t i = 0; i < vertices.size(); ++i)
        ASSERT_EQ(std::memcmp(&vertices[i].position, &one_by_one[i].position, sizeof(Vec3)), 0)
            << i;
    }
  }
}

// Where there is something to verify: on the mesh, and touching itself.
TEST_P(Cloth, IsSoundWhereItTouches) {
  ClothWorld world(device(), ball(), {"gravity=8"});
  world.run(45);
  expect_sound(world.scene());
  EXPECT_GT(world.fact("cloth.on_mesh"), 0.0);
}

TEST(ClothSprings, OfTheReferenceKeepTheirLengths) {
  // Two points of a row that are pulled apart come together by half of the difference each.
  const ClothShape shape{2};
  ClothRules rules{.gravity = {},
                   .dt = 0.01F,
                   .longer = 1.0F,
                   .onward = 0.0F,
                   .spacing = 1.0F,
                   .structural = 1.0F,
                   .shear = 0.0F,
                   .bend = 0.0F,
                   .thickness = 0.0F,
                   .floor = -10.0F,
                   .friction = 0.0F};
  std::vector<Vec4> points = {
      {{0, 0, 0}, 1.0F}, {{2, 0, 0}, 1.0F}, {{0, 0, 1}, 1.0F}, {{2, 0, 1}, 1.0F}};
  const ClothState after = cloth_iterated({points, points}, std::vector<Vec4>(4), shape, rules, 1);
  EXPECT_NEAR(after.here[0].xyz.x, 0.25F, 1e-6F) << "the mean of that and of a spring at rest";
  EXPECT_NEAR(after.here[1].xyz.x, 1.75F, 1e-6F);
  // A pinned end leaves all of it to the other.
  points[0].w = 0.0F;
  const ClothState pinned = cloth_iterated({points, points}, std::vector<Vec4>(4), shape, rules, 1);
  EXPECT_EQ(pinned.here[0].xyz.x, 0.0F);
  EXPECT_NEAR(pinned.here[1].xyz.x, 1.5F, 1e-6F);
}

TEST(ClothSetting, AFarAwayMeshIsRefused) {
  Mesh far = ball();
  for (Vertex& corner : far.corners) corner.position.x += 1e7F;
  EXPECT_THROW(
      make_scene(cloth_kind(), a_device(), std::move(far), controls_of(cloth_kind(), {"side=512"})),
      Error);
}

}  // namespace
}  // namespace warpview::test
