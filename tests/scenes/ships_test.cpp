// What fleets grow to, by whichever scheduler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "scenes/parts/ships_reference.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

const SceneKind& ships_kind() { return *find_scene_kind("ships"); }

ShipRules rules_of(std::uint32_t seed, std::uint32_t most_boxes, float wings, float tops) {
  ShipRules rules{
      .seed = seed, .most_boxes = most_boxes, .wings = wings, .tops = tops, .classes = {}};
  std::copy(std::begin(ship_table), std::end(ship_table), rules.classes);
  return rules;
}

class Fleet {
 public:
  Fleet(Device& device, const std::vector<std::string>& settings,
        const std::vector<std::string>& wishes = {}, Mesh mesh = sphere(33))
      : scene_(make_scene(ships_kind(), device, std::move(mesh),
                          controls_of(ships_kind(), settings), wishes_of(wishes))),
        targets_(*scene_) {
    load(*scene_);
  }

  Scene& scene() { return *scene_; }
  void draw(double seconds = time_step) { run(*scene_, targets_.all(seconds)); }
  template <class T>
  std::vector<T> stream(const char* name, std::size_t count) const {
    for (std::size_t i = 0; i < scene_->streams().size(); ++i)
      if (scene_->streams()[i].name == name) return targets_.read<T>(i, count);
    ADD_FAILURE() << "no stream " << name;
    return {};
  }
  std::vector<Vertex> vertices() {
    return stream<Vertex>("vertices", box_corners * count(*scene_, "ships.boxes"));
  }

 private:
  std::unique_ptr<Scene> scene_;
  Targets targets_;
};

// --- what a ship is

TEST(ShipsReferenceTest, ShipsHaveTheirParts) {
  const ShipsReference fleet = ships_one_by_one(rules_of(1, 256, 0.55F, 0.5F), 200);
  std::array<std::uint32_t, ship_parts> parts{};
  std::size_t at = 0;
  for (std::uint32_t ship = 0; ship < 200; ++ship) {
    std::uint32_t engines = 0;
    Aabb bounds = Aabb::empty();
    for (std::uint32_t i = 0; i < fleet.counts[ship]; ++i, ++at) {
      const ShipBox& box = fleet.boxes[at];
      ASSERT_EQ(ship_number(box.tag), ship);
      ASSERT_LT(static_cast<std::uint32_t>(ship_part(box.tag)), ship_parts);
      ASSERT_LT(box.box.min.x, box.box.max.x);
      ASSERT_LT(box.box.min.y, box.box.max.y);
      ASSERT_LT(box.box.min.z, box.box.max.z);
      ++parts[static_cast<std::size_t>(ship_part(box.tag))];
      engines += ship_part(box.tag) == ShipPart::engine ? 1 : 0;
      bounds = merge(bounds, box.box);
    }
    EXPECT_EQ(engines, 1U);
    // Both sides are alike, and ships that stand side by side do not meet.
    EXPECT_EQ(bounds.min.x, -bounds.max.x);
    EXPECT_LT(bounds.max.z - bounds.min.z, 24.0F);
  }
  EXPECT_EQ(at, fleet.boxes.size());
  for (const std::uint32_t count : parts) EXPECT_GT(count, 0U);
}

// Each box but the nose touches one that was there before it, or its mirror image does.
TEST(ShipsReferenceTest, ShipsHangTogether) {
  const ShipsReference fleet = ships_one_by_one(rules_of(7, 256, 0.7F, 0.7F), 100);
  std::size_t first = 0;
  for (const std::uint32_t boxes : fleet.counts) {
    for (std::uint32_t i = 1; i < boxes; ++i) {
      const Aabb box = fleet.boxes[first + i].box;
      constexpr float slack = 1e-4F;
      const bool touches = std::any_of(
          fleet.boxes.begin() + static_cast<std::ptrdiff_t>(first),
          fleet.boxes.begin() + static_cast<std::ptrdiff_t>(first + i), [&](const ShipBox& other) {
            const Aabb& before = other.box;
            return box.min.x <= before.max.x + slack && before.min.x <= box.max.x + slack &&
                   box.min.y <= before.max.y + slack && before.min.y <= box.max.y + slack &&
                   box.min.z <= before.max.z + slack && before.min.z <= box.max.z + slack;
          });
      ASSERT_TRUE(touches) << "box " << i << " of " << boxes;
    }
    first += boxes;
  }
}

TEST(ShipsReferenceTest, ProbabilitiesOfZeroAndOneAreKept) {
  const ShipsReference plain = ships_one_by_one(rules_of(3, 256, 0.0F, 0.0F), 50);
  EXPECT_EQ(plain.executed[0], plain.boxes.size());
  const ShipsReference all = ships_one_by_one(rules_of(3, 256, 1.0F, 1.0F), 50);
  EXPECT_EQ(all.executed[0], plain.executed[0]);
  // Each body between nose and engine has a wing and a top.
  EXPECT_GE(all.executed[1], plain.executed[0] - 100);
  EXPECT_GE(all.executed[2], plain.executed[0] - 100);
  EXPECT_GE(all.executed[3], all.executed[1]);
}

TEST(ShipsReferenceTest, ALimitIsReachedAndNotPassed) {
  for (const std::uint32_t most : {1U, 2U, 7U, 12U, 13U, 30U}) {
    const ShipsReference fleet = ships_one_by_one(rules_of(5, most, 1.0F, 1.0F), 60);
    std::uint32_t largest = 0;
    for (const std::uint32_t count : fleet.counts) largest = std::max(largest, count);
    EXPECT_EQ(largest, most);
  }
}

// --- by schedulers

class Ships : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Ships, testing::ValuesIn(every_schedule()),
                         [](const auto& one) { return one.param.name; });

// Each scheduler on each device: the triangles of the first, bit by bit.
TEST_P(Ships, EverySchedulerGrowsTheSame) {
  std::vector<Vertex> first;
  for (const Row& row : rows_of(Primitive::schedule)) {
    if (!why_unavailable(row.index, device()).empty()) continue;
    const std::string name = row.index->name;
    SCOPED_TRACE(name);
    Fleet fleet(device(), {"ships=40", "boxes=64", "seed=11"}, {"schedule=" + name});
    fleet.draw();
    expect_sound(fleet.scene());
    const std::vector<Vertex> vertices = fleet.vertices();
    if (first.empty()) first = vertices;
    ASSERT_EQ(vertices.size(), first.size());
    EXPECT_EQ(std::memcmp(vertices.data(), first.data(), vertices.size() * sizeof(Vertex)), 0);
    EXPECT_GT(count(fleet.scene(), "ships.duplicates"), 40U);
    EXPECT_EQ(count(fleet.scene(), "ships.refused"), 0U);
  }
}

class ShipsOnFew : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, ShipsOnFew, testing::ValuesIn(few_devices()),
                         [](const auto& one) { return one.param.name; });

// Around the boundaries of warps and blocks; of the limits, and of the probabilities.
TEST_P(ShipsOnFew, AreThoseOfTheReference) {
  for (const char* const ships : {"1", "31", "32", "33", "63", "65", "127", "129", "257"}) {
    SCOPED_TRACE(ships);
    Fleet fleet(device(), {std::string("ships=") + ships, "boxes=24"});
    expect_sound(fleet.scene());
  }
  for (const char* const boxes : {"1", "2", "3", "12", "40"}) {
    SCOPED_TRACE(boxes);
    Fleet fleet(device(), {"ships=20", std::string("boxes=") + boxes, "wings=1", "tops=1"});
    expect_sound(fleet.scene());
    EXPECT_LE(count(fleet.scene(), "ships.boxes"), 20U * std::stoul(boxes));
  }
  Fleet fleet(device(), {"ships=20", "boxes=256"});
  for (const char* const wings : {"wings=0", "wings=1"})
    for (const char* const tops : {"tops=0", "tops=1"}) {
      SCOPED_TRACE(std::string(wings) + ", " + tops);
      set(fleet.scene(), wings);
      set(fleet.scene(), tops);
      fleet.draw();
      EXPECT_EQ(count(fleet.scene(), "ships.wings") > 0, wings == std::string("wings=1"));
      EXPECT_EQ(count(fleet.scene(), "ships.tops") > 0, tops == std::string("tops=1"));
      expect_sound(fleet.scene());
    }
}

TEST_P(ShipsOnFew, AnotherSeedIsAnotherFleet) {
  Fleet fleet(device(), {"ships=5"});
  fleet.draw();
  const auto boxes_of = [&] { return count(fleet.scene(), "ships.boxes"); };
  std::set<std::uint64_t> counts = {boxes_of()};
  for (const char* const seed : {"seed=2", "seed=3", "seed=4"}) {
    set(fleet.scene(), seed);
    fleet.draw();
    counts.insert(boxes_of());
    expect_sound(fleet.scene());
  }
  EXPECT_GT(counts.size(), 1U);
}

// Box by box, from the noses on; at the end as without the animation.
TEST_P(ShipsOnFew, GrowWithTime) {
  Fleet fleet(device(), {"ships=5"});
  fleet.draw();
  const std::uint64_t all = count(fleet.scene(), "ships.boxes");
  set(fleet.scene(), "animation=growing");
  std::uint64_t before = 0;
  for (int frame = 0; frame < 7; ++frame) {
    fleet.draw(frame == 0 ? 0.0 : 1.0);
    const std::uint64_t now = count(fleet.scene(), "ships.boxes");
    EXPECT_GE(now, before);
    if (frame == 0) {
      EXPECT_EQ(now, 5U);
    }
    before = now;
    expect_sound(fleet.scene());
  }
  EXPECT_EQ(before, all);
}

// Each triangle lies on a side of its box, and is seen from outside; all of them cover it.
TEST_P(ShipsOnFew, AreDrawnAsTwelveTrianglesABox) {
  Fleet fleet(device(), {"ships=3", "colour_by=rank"});
  fleet.draw();
  const std::uint64_t boxes = count(fleet.scene(), "ships.boxes");
  EXPECT_EQ(fleet.scene().command_drawn(fleet.scene().outputs()[0].command).count, 36 * boxes);
  const std::vector<Vertex> vertices = fleet.vertices();
  const auto indices = fleet.stream<std::uint32_t>("indices", 36 * boxes);
  const auto material = fleet.stream<std::uint32_t>("material", 12 * boxes);
  const auto values = fleet.stream<float>("values", 12 * boxes);
  std::set<float> ranks;
  for (std::size_t box = 0; box < boxes; ++box) {
    Aabb bounds = Aabb::empty();
    for (std::size_t k = 0; k < box_corners; ++k) {
      const Vec3 at = vertices[box_corners * box + k].position;
      bounds = merge(bounds, {at, at});
    }
    float area = 0.0F;
    for (std::size_t t = 12 * box; t < 12 * box + 12; ++t) {
      EXPECT_EQ(values[t], values[12 * box]);
      EXPECT_EQ(material[t], material[12 * box]);
      std::array<Vertex, 3> corner;
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_EQ(indices[3 * t + k] / box_corners, box);
        corner[k] = vertices[indices[3 * t + k]];
      }
      const Vec3 twice =
          cross(corner[1].position - corner[0].position, corner[2].position - corner[0].position);
      const float size = std::sqrt(dot(twice, twice));
      area += 0.5F * size;
      for (const Vertex& each : corner) {
        EXPECT_NEAR(dot(each.normal, twice), size, 1e-4F * size);
        EXPECT_GT(dot(each.normal, each.position - bounds.centre()), 0.0F);
      }
    }
    EXPECT_NEAR(area, 2.0F * bounds.half_area(), 1e-3F * area);
    ranks.insert(values[12 * box]);
  }
  EXPECT_EQ(ranks.size(), boxes);
  EXPECT_EQ(*ranks.begin(), 0.0F);
  EXPECT_EQ(*ranks.rbegin(), 1.0F);
}

// More is there at a time than there is room for at first: it is told, and the fleet is whole.
TEST_P(ShipsOnFew, QueuesThatAreFullGrow) {
  Fleet fleet(device(), {"ships=2100", "boxes=3"}, {"schedule=kernel_by_kernel"});
  EXPECT_GT(count(fleet.scene(), "ships.repeats"), 0U);
  EXPECT_EQ(count(fleet.scene(), "ships.refused"), 0U);
  expect_sound(fleet.scene());
}

// And where there is no memory for larger ones, it says so, and goes on when it may.
TEST_P(ShipsOnFew, QueuesThatCannotGrowAreToldOf) {
  SmallDevice small(GetParam().device);
  const auto scene = make_scene(ships_kind(), small, sphere(33),
                                controls_of(ships_kind(), {"ships=9000", "boxes=1"}),
                                wishes_of({"schedule=kernel_by_kernel"}));
  const Targets targets(*scene);
  small.refuse_beyond(1U << 12U);
  try {
    load(*scene);
    FAIL() << "there was memory";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("queues"), std::string::npos) << error.what();
  }
  EXPECT_GT(count(*scene, "ships.refused"), 0U);
  small.refuse_nothing();
  run(*scene, targets.all());
  EXPECT_EQ(count(*scene, "ships.refused"), 0U);
  EXPECT_EQ(count(*scene, "ships.boxes"), 9000U);
  expect_sound(*scene);
}

// Where a ray meets a box: where it comes in, or, from within, where it goes out; below 0: nowhere.
float meets(const Ray& ray, const Aabb& box) {
  float first = -1e30F;
  float last = 1e30F;
  const float origin[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
  const float way[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
  const float low[3] = {box.min.x, box.min.y, box.min.z};
  const float high[3] = {box.max.x, box.max.y, box.max.z};
  for (int k = 0; k < 3; ++k) {
    const float a = (low[k] - origin[k]) / way[k];
    const float b = (high[k] - origin[k]) / way[k];
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  return first > last ? -1.0F : first > 0.0F ? first : last;
}

// The tree finds what a look at all boxes finds: from outside, and from within a box.
TEST_P(ShipsOnFew, ARayFindsItsBox) {
  Fleet fleet(device(), {"ships=6"});
  fleet.draw();
  std::vector<Aabb> boxes(count(fleet.scene(), "ships.boxes"), Aabb::empty());
  const std::vector<Vertex> vertices = fleet.vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    boxes[i / box_corners] =
        merge(boxes[i / box_corners], {vertices[i].position, vertices[i].position});
  const Aabb all = fleet.scene().bounds();
  const Vec3 size = all.max - all.min;
  std::vector<Ray> rays;
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k)
      rays.push_back(
          {{all.min.x + size.x * (static_cast<float>(i) + 0.37F) / 12.0F, all.max.y + 3.0F,
            all.min.z + size.z * (static_cast<float>(k) + 0.41F) / 12.0F},
           {0.01F, -1.0F, 0.02F}});
  for (std::size_t i = 0; i < boxes.size(); i += 7)
    rays.push_back({boxes[i].centre(), {0.3F, 0.9F, 0.31F}});
  int hits = 0;
  for (const Ray& ray : rays) {
    std::size_t expected = boxes.size();
    float nearest = 1e30F;
    float second = 1e30F;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const float t = meets(ray, boxes[i]);
      if (t < 0.0F || t >= second) continue;
      if (t < nearest) {
        second = nearest;
        nearest = t;
        expected = i;
      } else {
        second = t;
      }
    }
    if (second - nearest < 1e-4F) continue;  // a side of both
    const std::vector<Fact> found = fleet.scene().pick(ray).facts;
    ASSERT_EQ(found.empty(), expected == boxes.size());
    if (found.empty()) continue;
    ++hits;
    const auto of = [&](const char* name) {
      return std::find_if(found.begin(), found.end(), [&](const Fact& f) { return f.name == name; })
          ->value;
    };
    EXPECT_EQ(std::get<std::uint64_t>(of("pick.box")), expected);
    EXPECT_NEAR(std::get<Vec3>(of("pick.place")).y, ray.origin.y + nearest * ray.direction.y,
                1e-3F);
  }
  EXPECT_GT(hits, 30);
  // What was found last is lit up, until the fleet is another one.
  const Output& path = fleet.scene().outputs()[4];
  ASSERT_STREQ(path.name, "path");
  ASSERT_FALSE(fleet.scene().pick({boxes[0].centre(), {0.0F, 0.0F, 1.0F}}).empty());
  fleet.draw();
  EXPECT_GT(fleet.scene().command_drawn(path.command).instances, 1U);
  set(fleet.scene(), "seed=9");
  fleet.draw();
  EXPECT_EQ(fleet.scene().command_drawn(path.command).instances, 0U);
}

// Over a mesh each ship stands somewhere on it; a mesh of nothing has them in a wedge.
TEST_P(ShipsOnFew, FlyOverAMesh) {
  Fleet wedge(device(), {"ships=30"});
  Fleet over(device(), {"ships=30", "formation=mesh"}, {}, sphere(300));
  Fleet nothing(device(), {"ships=30", "formation=mesh"}, {}, sphere(0));
  for (Fleet* const fleet : {&wedge, &over, &nothing}) expect_sound(fleet->scene());
  EXPECT_EQ(count(wedge.scene(), "ships.boxes"), count(over.scene(), "ships.boxes"));
  const auto height = [](Fleet& fleet) {
    const Aabb bounds = fleet.scene().bounds();
    return bounds.max.y - bounds.min.y;
  };
  EXPECT_GT(height(over), 2.0F * height(wedge));
  EXPECT_EQ(height(nothing), height(wedge));
  Fleet broken(device(), {"ships=9", "formation=mesh"}, {}, with_non_finite(40, 3));
  expect_sound(broken.scene());
}

}  // namespace
}  // namespace warpview::test
