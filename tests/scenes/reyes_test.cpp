// What Reyes draws, by whichever scheduler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "gpu/steps/contact.h"
#include "scenes/description.h"
#include "scenes/files/open_mesh.h"
#include "scenes/files/teapot.h"
#include "scenes/parts/patches.h"
#include "scenes/parts/reyes_reference.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/picture_world.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

const SceneKind& reyes_kind() { return *find_scene_kind("reyes"); }

// From `eye` to `at`, with y up.
FrameView view_from(Vec3 eye, Vec3 at, std::uint32_t width, std::uint32_t height) {
  const Vec3 backward = reyes_unit(eye - at);
  const Vec3 right = reyes_unit(cross({0.0F, 1.0F, 0.0F}, backward));
  const Vec3 up = cross(backward, right);
  constexpr float focal = 3.0F;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  return view_along(eye, right * (focal / aspect), up * focal, backward, width, height);
}
// The teapot as a whole, from a little above.
FrameView usual_view(std::uint32_t width = 80, std::uint32_t height = 60) {
  return view_from({6.0F, 6.0F, 12.0F}, {0.2F, 1.4F, 0.0F}, width, height);
}

// The same from nearer.
FrameView near_view() { return view_from({4.0F, 4.0F, 8.0F}, {0.2F, 1.4F, 0.0F}, 160, 120); }

class ReyesWorld : public PictureWorld {
 public:
  ReyesWorld(Device& device, Mesh mesh, const std::vector<std::string>& settings = {},
             const std::vector<std::string>& wishes = {})
      : PictureWorld(reyes_kind(), device, std::move(mesh), settings, wishes) {}
};

std::uint32_t alpha(std::uint32_t pixel) { return pixel >> 24U; }

// A flat square, seen by a view in which a unit is 30 pixels.
constexpr float half_side = 0.5F;
Mesh square() {
  Mesh mesh = sphere(1);
  BezierPatch patch;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      patch.points[4 * row + column] = {half_side * (-1.0F + 2.0F / 3.0F * float(column)),
                                        half_side * (-1.0F + 2.0F / 3.0F * float(row)), 0.0F};
  mesh.patches = {patch};
  mesh.patch_material = {0};
  return mesh;
}
FrameView square_view() { return view_from({0.0F, 0.0F, 3.0F}, {0.0F, 0.0F, 0.0F}, 80, 60); }

class Reyes : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Reyes, testing::ValuesIn(every_schedule()),
                         [](const auto& one) { return one.param.name; });

// Each scheduler on each device: the picture of the reference, bit by bit, so all the same.
TEST_P(Reyes, EverySchedulerDrawsTheSame) {
  std::vector<std::uint32_t> first;
  for (const Row& row : rows_of(Primitive::schedule)) {
    if (!why_unavailable(row.index, device()).empty()) continue;
    const std::string name = row.index->name;
    SCOPED_TRACE(name);
    ReyesWorld world(device(), make_teapot(), {"size=0.5"}, {"schedule=" + name});
    world.draw(usual_view(56, 42));
    expect_sound(world.scene());
    const std::vector<std::uint32_t> pixels = world.pixels();
    if (first.empty()) first = pixels;
    EXPECT_TRUE(pixels == first);
    EXPECT_GT(count(world.scene(), "reyes.splits"), 20U);
    EXPECT_EQ(count(world.scene(), "reyes.refused"), 0U);
  }
}

class ReyesOnOne : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, ReyesOnOne, testing::ValuesIn(devices_for(SIZE_MAX)),
                         [](const auto& one) { return one.param.name; });

TEST_P(ReyesOnOne, ASquareCoversWhatItShould) {
  ReyesWorld world(device(), square());
  world.draw(square_view());
  const std::vector<std::uint32_t> pixels = world.pixels();
  ASSERT_EQ(pixels.size(), 80U * 60U);
  for (std::size_t y = 0; y < 60; ++y)
    for (std::size_t x = 0; x < 80; ++x) {
      const std::uint32_t pixel = pixels[80 * y + x];
      const bool is_in = x >= 25 && x < 55 && y >= 15 && y < 45;
      const bool is_edge = !is_in && x >= 24 && x < 56 && y >= 14 && y < 46;
      if (!is_edge) {
        ASSERT_EQ(alpha(pixel), is_in ? 255U : 0U) << x << ", " << y;
      }
    }
}

// Whatever joins corners by their places, as subdivision does, finds no cracks.
TEST(Teapot, CornersThatAreNearlyAtOnePlaceAreAtOne) {
  std::vector<Vec3> places;
  for (const Vertex& corner : make_teapot().corners) {
    const auto is_here = [&corner](const Vec3& place) {
      return std::memcmp(&place, &corner.position, sizeof place) == 0;
    };
    if (std::none_of(places.begin(), places.end(), is_here)) places.push_back(corner.position);
  }
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      ASSERT_GT(length(places[a] - places[b]), 1e-3F) << a << " and " << b;
}

// A ray through the middle of a sample hits what was drawn there, and as far away; only where the
// teapot's edges are one may miss it.
TEST(ReyesReferenceTest, ShowsWhatRaysHit) {
  const Patches patches = patches_of(make_teapot());
  const Vec3 eye{6.0F, 6.0F, 12.0F};
  const FrameView seen = usual_view();
  ReyesView view{};
  std::copy(seen.to_clip.begin(), seen.to_clip.end(), view.to_clip);
  view.eye = eye;
  view.width = seen.width;
  view.height = seen.height;
  view.size = 1.0F;
  view.nearest = 1.0F;
  view.farthest = 20.0F;
  view.right = reyes_unit({seen.to_clip[0], seen.to_clip[4], seen.to_clip[8]});
  view.up = reyes_unit({seen.to_clip[1], seen.to_clip[5], seen.to_clip[9]});
  view.backward = reyes_unit({seen.to_clip[3], seen.to_clip[7], seen.to_clip[11]}) * -1.0F;
  const ReyesReference drawn = reyes_one_by_one(patches.patches, patches.colours, view);
  int hits = 0;
  int beside = 0;
  int far = 0;
  for (std::uint32_t y = 0; y < view.height; ++y)
    for (std::uint32_t x = 0; x < view.width; ++x) {
      const auto to_clip = [](float place, std::uint32_t length) {
        return (place + 0.5F) / static_cast<float>(length) * 2.0F - 1.0F;
      };
      const float right = to_clip(static_cast<float>(x), view.width) * 4.0F / 3.0F / 3.0F;
      const float up = -to_clip(static_cast<float>(y), view.height) / 3.0F;
      const Ray ray{eye, view.right * right + view.up * up - view.backward};
      const auto hit = first_hit(patches, ray);
      const std::uint64_t sample = drawn.samples[y * view.width + x];
      if (hit.has_value() != (sample != empty_sample)) {
        ++beside;
        continue;
      }
      if (!hit) continue;
      ++hits;
      const auto depth = std::bit_cast<float>(static_cast<std::uint32_t>(sample >> 32U));
      // By so much a slope may change it within a sample.
      if (std::abs(depth - hit->t) > 0.25F) ++far;
    }
  EXPECT_GT(hits, 300);
  EXPECT_LT(beside, hits / 15);
  EXPECT_LT(far, hits / 30);
}

// More is covered at a time than there is room for at first: it is told, the queues grow, and the
// picture is whole.
TEST_P(ReyesOnOne, QueuesThatAreFullGrow) {
  for (const std::string scheduler : {"kernel_by_kernel", "run_to_completion"}) {
    SCOPED_TRACE(scheduler);
    ReyesWorld world(device(), make_teapot(), {"size=8", "samples=4", "skip_hidden=off"},
                     {"schedule=" + scheduler});
    world.draw(near_view());
    EXPECT_GT(count(world.scene(), "reyes.repeats"), 0U);
    EXPECT_EQ(count(world.scene(), "reyes.refused"), 0U);
    EXPECT_GT(count(world.scene(), "reyes.blended"), 1U << 16U);
    expect_sound(world.scene());
  }
}

// And where there is no memory for larger ones, it says so, and goes on when it may.
TEST_P(ReyesOnOne, QueuesThatCannotGrowAreToldOf) {
  SmallDevice small(GetParam().device);
  ReyesWorld world(small, make_teapot(), {"size=8", "samples=4", "skip_hidden=off"},
                   {"schedule=kernel_by_kernel"});
  Targets targets(world.scene());
  Frame frame = targets.all();
  frame.view = near_view();
  world.scene().queue(frame);
  world.scene().collect();
  ASSERT_TRUE(world.scene().lacks_room());
  EXPECT_GT(count(world.scene(), "reyes.refused"), 0U);
  small.refuse_beyond(1U << 20U);
  try {
    world.scene().queue(frame);
    FAIL() << "there was memory";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("queues"), std::string::npos) << error.what();
  }
  small.refuse_nothing();
  world.draw(frame.view);
  EXPECT_FALSE(world.scene().lacks_room());
  expect_sound(world.scene());
}

TEST_P(ReyesOnOne, HiddenSamplesAreSkipped) {
  ReyesWorld world(device(), make_teapot(), {"size=3"}, {"schedule=megakernel"});
  world.draw(usual_view());
  const std::vector<std::uint32_t> skipped = world.pixels();
  const std::uint64_t fewer = count(world.scene(), "reyes.blended");
  set(world.scene(), "skip_hidden=off");
  world.draw(usual_view());
  expect_sound(world.scene());
  EXPECT_TRUE(world.pixels() == skipped);
  EXPECT_LT(fewer, count(world.scene(), "reyes.blended"));
}

// From everywhere: from within the teapot, close to it, away from it, and far away.
TEST_P(ReyesOnOne, IsDrawnFromEverywhere) {
  ReyesWorld world(device(), make_teapot(), {"size=4", "samples=1"});
  const auto seen_from = [&](Vec3 eye, Vec3 at) {
    world.draw(view_from(eye, at, 60, 45));
    expect_sound(world.scene());
    const std::vector<std::uint32_t> pixels = world.pixels();
    return std::count_if(pixels.begin(), pixels.end(),
                         [](std::uint32_t p) { return alpha(p) > 0; });
  };
  EXPECT_EQ(seen_from({0.0F, 1.0F, 0.0F}, {1.0F, 1.0F, 0.3F}), 60 * 45);
  EXPECT_GT(seen_from({0.0F, 2.0F, 2.05F}, {0.3F, 1.0F, 0.0F}), 60 * 45 / 2);
  EXPECT_EQ(seen_from({0.0F, 1.0F, 9.0F}, {0.0F, 1.0F, 20.0F}), 0);
  const auto from_afar = seen_from({0.0F, 1.0F, 150.0F}, {0.0F, 1.0F, 0.0F});
  EXPECT_GT(from_afar, 0);
  EXPECT_LT(from_afar, 9);
}

// A view of more pixels than the picture may have is drawn smaller, in its own shape.
TEST_P(ReyesOnOne, LargeViewsAreDrawnSmaller) {
  ReyesWorld world(device(), square(), {"pixels=4000"});
  for (const auto& [width, height] :
       {std::pair{400U, 100U}, {60U, 60U}, {4000U, 1U}, {3U, 9000U}}) {
    FrameView view = square_view();
    view.width = width;
    view.height = height;
    world.draw(view);
    ASSERT_LE(world.width() * world.height(), 4000U);
    if (width * height <= 4000U) {
      EXPECT_EQ(world.width(), width);
      EXPECT_EQ(world.height(), height);
    } else {
      EXPECT_GT(2 * world.width() * world.height(), 1000U);
    }
    expect_sound(world.scene());
  }
}

TEST_P(ReyesOnOne, WhatCannotBeMeasuredIsLeftOut) {
  Mesh mesh = with_non_finite(40, 3);
  mesh.corners[5].position.x = 1e30F;
  mesh.corners[9].position.y = -3e38F;
  ReyesWorld world(device(), std::move(mesh), {"size=8", "samples=1"});
  world.draw(square_view());
  expect_sound(world.scene());
  EXPECT_LT(count(world.scene(), "reyes.patches"), 40U);
  Mesh huge = square();
  for (Vec3& point : huge.patches[0].points) point = point * 1e30F;
  ReyesWorld other(device(), std::move(huge));
  other.draw(square_view());
  EXPECT_EQ(count(other.scene(), "reyes.checked"), 0U);
  expect_sound(other.scene());
}

// --- patches

TEST(ReyesPatches, TheTeapotIsWhole) {
  LoadControl control;
  const Mesh teapot = open_mesh(std::string(teapot_mesh), control);
  ASSERT_EQ(teapot.patches.size(), 32U);
  ASSERT_EQ(teapot.patch_material.size(), 32U);
  ASSERT_EQ(teapot.corners.size(), 3 * teapot.triangle_count());
  for (std::size_t i = 0; i < teapot.corners.size(); i += 3) {
    const Vertex* const corner = &teapot.corners[i];
    const Vec3 normal =
        cross(corner[1].position - corner[0].position, corner[2].position - corner[0].position);
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(length(corner[k].normal), 1.0F, 1e-4F);
    const Vec3 mean = corner[0].normal + corner[1].normal + corner[2].normal;
    ASSERT_GT(dot(normal, mean), 0.0F) << "triangle " << i / 3;
  }
  // The body is hit from outside, and faces outwards there.
  const Patches patches = patches_of(teapot);
  for (const Vec3 way : {Vec3{0, 0, 1}, {0, 0, -1}, {0.7F, 0, 0.7F}, {0, -1, 0}, {0, 1, 0}}) {
    const Vec3 middle{0.0F, 1.0F, 0.0F};
    const auto hit = first_hit(patches, {middle + way * 8.0F, way * -1.0F});
    ASSERT_TRUE(hit);
    const ReyesSurface at = reyes_evaluate(patches.patches[hit->patch], hit->u, hit->v);
    EXPECT_LT(length(at.place - (middle + way * (8.0F - hit->t))), 0.02F);
    EXPECT_GT(dot(reyes_normal(patches.patches[hit->patch], at, hit->u, hit->v), way), 0.0F)
        << way.x << ", " << way.y << ", " << way.z << " at " << hit->u << ", " << hit->v;
  }
}

TEST(ReyesPatches, TrianglesCurveToTheirNormals) {
  // An eighth of a sphere: it meets its corners.
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const std::array<Vertex, 3> eighth = {{{x, x, {}}, {y, y, {}}, {z, z, {}}}};
  const BezierPatch ball = curved_triangle(eighth);
  EXPECT_EQ(length(ball.points[0] - x) + length(ball.points[3] - y), 0.0F);
  EXPECT_EQ(length(ball.points[12] - z) + length(ball.points[15] - z), 0.0F);
  // In the middle (all three shares alike) as the triangle's own formula has it.
  EXPECT_LT(length(reyes_evaluate(ball, 0.5F, 1.0F / 3.0F).place - (x + y + z) * (12.0F / 27.0F)),
            1e-6F);
  EXPECT_LT(length(reyes_evaluate(ball, 0.5F, 0.0F).place - (x + y) * 0.625F), 1e-6F);
  // Along each side, the curve that the neighbour has.
  const Vec3 side = reyes_evaluate(ball, 0.0F, 0.5F).place;
  EXPECT_LT(std::abs(side.x - side.z) + std::abs(side.y), 1e-6F);
  // All in one plane where the normals are those of the triangle.
  const Vec3 up{0.0F, 1.0F, 0.0F};
  const std::array<Vertex, 3> triangle = {
      {{{0, 2, 0}, up, {}}, {{3, 2, 0}, up, {}}, {{0, 2, 3}, up, {}}}};
  const BezierPatch patch = curved_triangle(triangle);
  for (const float u : {0.0F, 0.3F, 1.0F})
    for (const float v : {0.0F, 0.6F, 1.0F}) {
      const Vec3 at = reyes_evaluate(patch, u, v).place;
      EXPECT_LT(length(at - Vec3{3.0F * u * (1.0F - v), 2.0F, 3.0F * v}), 1e-5F);
    }
}

// Patches move with their mesh, and several meshes have all of theirs; beside one that has none
// triangles stand for them.
TEST(ReyesPatches, MoveWithTheirMesh) {
  const auto load_of = [](const std::vector<MeshSource>& files) {
    LoadControl control;
    return load_meshes({.files = files}, control);
  };
  const std::string teapot(teapot_mesh);
  Transform up;
  up.m[7] = 5.0F;
  const Mesh two = load_of({{teapot}, {teapot, up}});
  const Mesh one = make_teapot();
  ASSERT_EQ(two.patches.size(), 64U);
  ASSERT_EQ(two.patch_material.size(), 64U);
  for (std::size_t i = 0; i < 32; ++i) {
    ASSERT_EQ(two.materials[two.patch_material[32 + i]].name, "glaze");
    for (std::size_t k = 0; k < 16; ++k) {
      ASSERT_EQ(two.patches[i].points[k].y, one.patches[i].points[k].y);
      ASSERT_EQ(two.patches[32 + i].points[k].y, one.patches[i].points[k].y + 5.0F);
    }
  }
  for (const std::vector<MeshSource>& mixed :
       {std::vector<MeshSource>{{teapot}, {"generated:sphere:40"}},
        std::vector<MeshSource>{{"generated:sphere:40"}, {teapot}}}) {
    const Mesh both = load_of(mixed);
    EXPECT_TRUE(both.patches.empty());
    EXPECT_EQ(patches_of(both).patches.size(), one.triangle_count() + 40);
  }
}

}  // namespace
}  // namespace warpview::test
