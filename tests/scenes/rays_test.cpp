// What the scene of rays shows, by whichever tracer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "gpu/reference/rays.h"
#include "gpu/steps/rays_shading.h"
#include "scenes/parts/rays_look.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/picture_world.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

const SceneKind& rays_kind() { return *find_scene_kind("rays"); }

std::vector<std::string> all_views() {
  for (const Control& control : rays_kind().controls)
    if (control.name == std::string("view"))
      return {control.choices.begin(), control.choices.end()};
  return {};
}

class RaysWorld : public PictureWorld {
 public:
  RaysWorld(Device& device, Mesh mesh, const std::vector<std::string>& settings = {},
            const std::vector<std::string>& wishes = {})
      : PictureWorld(rays_kind(), device, std::move(mesh), settings, wishes) {}
};

// From `distance` in front of the origin, so that what is two units high there fills the picture.
FrameView rays_view(std::uint32_t width, std::uint32_t height, float distance = 3.0F) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  return view_along({0.0F, 0.0F, distance}, {distance / aspect, 0.0F, 0.0F}, {0.0F, distance, 0.0F},
                    {0.0F, 0.0F, 1.0F}, width, height);
}

std::uint32_t alpha_of(std::uint32_t pixel) { return pixel >> 24U; }
std::uint32_t brightness(std::uint32_t pixel) {
  return (pixel & 255U) + (pixel >> 8U & 255U) + (pixel >> 16U & 255U);
}

// Two triangles that cover x from `left` to `right` and y from `low` to `high`, at z.
void add_square(Mesh& mesh, float left, float right, float low, float high, float z) {
  const Vec3 to_eye{0.0F, 0.0F, 1.0F};
  const auto corner = [&](float x, float y) { return Vertex{{x, y, z}, to_eye, {}}; };
  const Vertex a = corner(left, low);
  const Vertex b = corner(right, low);
  const Vertex c = corner(right, high);
  const Vertex d = corner(left, high);
  mesh.corners.insert(mesh.corners.end(), {a, b, c, a, c, d});
  mesh.triangle_material.insert(mesh.triangle_material.end(), 2, 0);
}
Mesh of_squares() {
  Mesh mesh = sphere(1);
  mesh.corners.clear();
  mesh.triangle_material.clear();
  return mesh;
}

class Rays : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Rays, testing::ValuesIn(few_devices()),
                         [](const auto& one) { return one.param.name; });

// Pictures with and without whole tiles and groups, of meshes with and without triangles.
TEST_P(Rays, EveryViewIsVerified) {
  for (const std::uint64_t n : {0U, 1U, 33U, 700U})
    for (const std::string& view : all_views()) {
      RaysWorld world(device(), sphere(n), {"view=" + view});
      for (const auto& [width, height] : {std::pair{50U, 37U}, {8U, 4U}, {3U, 2U}}) {
        SCOPED_TRACE(std::to_string(n) + " triangles, " + view + ", " + std::to_string(width) +
                     " x " + std::to_string(height));
        world.draw(rays_view(width, height));
        ASSERT_EQ(world.width(), width);
        expect_sound(world.scene());
      }
    }
}

TEST_P(Rays, VertexColoursAreShown) {
  Mesh mesh = sphere(200);
  mesh.corner_colours.assign(mesh.corners.size(), 0xff0000ffU);
  RaysWorld world(device(), std::move(mesh));
  world.draw(rays_view(40, 30));
  expect_sound(world.scene());
  const std::uint32_t middle = world.pixel(20, 15);
  EXPECT_GT(middle & 255U, 2 * (middle >> 8U & 255U));
}

// Every tracer, in either order of rays: equal pictures.
TEST_P(Rays, EveryTracerDrawsTheSame) {
  for (const std::string view : {"shaded", "triangles", "depth", "normals", "occlusion"}) {
    std::vector<std::uint32_t> first;
    for (const VariantId variant : variants_of(Primitive::trace)) {
      if ((variant->traits & TraceTrait::own_tree) != 0 ||
          !why_unavailable(variant, device()).empty())
        continue;
      for (const std::string order : {"tiles", "rows"}) {
        const std::string name = variant->name;
        SCOPED_TRACE(view + ", " + name + ", " + order);
        RaysWorld world(device(), sphere(300), {"view=" + view, "order=" + order},
                        {"trace=" + name});
        world.draw(rays_view(45, 31));
        expect_sound(world.scene());
        if (first.empty()) first = world.pixels();
        EXPECT_TRUE(world.pixels() == first);
      }
    }
    EXPECT_GT(std::count_if(first.begin(), first.end(), alpha_of), 300);
  }
}

// Other links, the same picture: after each choice of a builder, refit or optimiser, and after each
// stage was repeated.
TEST_P(Rays, AnOptimisedTreeDrawsTheSame) {
  RaysWorld plain(device(), sphere(300), {}, {"build=hploc", "refit=atomic"});
  plain.draw(rays_view(32, 24));
  RaysWorld world(device(), sphere(300), {"optimise=3", "overlap=on"},
                  {"build=hploc", "refit=atomic"});
  world.draw(rays_view(32, 24));
  EXPECT_TRUE(world.pixels() == plain.pixels());
  plain.draw(rays_view(32, 24));  // a second sample, as below: a choice takes the first again
  Timeline& timeline = world.scene().timeline();
  const auto cost = [](RaysWorld& of) {
    for (const Fact& fact : of.scene().facts())
      if (fact.name == std::string("bvh.sah_cost")) return std::get<double>(fact.value);
    return 0.0;
  };
  EXPECT_LT(cost(world), 0.99 * cost(plain));
  for (const Primitive primitive :
       {Primitive::morton, Primitive::build, Primitive::refit, Primitive::optimise})
    for (const VariantId variant : variants_of(primitive)) {
      SCOPED_TRACE(variant->name);
      const StageId stage = *timeline.find(to_string(primitive));
      StageVariants choices = timeline.choices();
      choices[index_of(stage)] = variant;
      if (!timeline.why_not(stage, variant).empty()) continue;
      timeline.choose(choices);
      world.scene().compute_after(std::vector{stage});
      world.scene().collect();
      expect_sound(world.scene());
      world.draw(rays_view(32, 24));
      EXPECT_TRUE(world.pixels() == plain.pixels());
    }
  const StageId build = *timeline.find("build");
  const StageId statistics = *timeline.find("statistics");
  for (const char* builder : {"hploc", "karras"}) {
    StageVariants choices = timeline.choices();
    choices[index_of(build)] = find_variant(Primitive::build, builder);
    timeline.choose(choices);
    world.scene().compute_after(std::vector{build});
    world.scene().collect();
    const double optimised = cost(world);
    for (const char* name : {"boxes", "sort", "build", "refit", "optimise"}) {
      SCOPED_TRACE(std::string(builder) + ", " + name);
      world.scene().repeat(*timeline.find(name));
      world.scene().repeat(statistics);
      world.scene().collect();
      expect_sound(world.scene());
      EXPECT_NEAR(cost(world), optimised, 1e-9 * optimised);
    }
  }
}

// Tracers that walk the binary tree alone need no wide one, and the panel shows no time of it.
TEST_P(Rays, AWideTreeThatNoTracerWalksHasNoTime) {
  RaysWorld world(device(), sphere(300));
  world.draw(rays_view(32, 24));
  Timeline& timeline = world.scene().timeline();
  const StageId collapse = *timeline.find("collapse");
  EXPECT_FALSE(timeline.times(collapse).empty());
  StageVariants choices = timeline.choices();
  for (const char* stage : {"trace", "shadow"}) {
    choices[index_of(*timeline.find(stage))] = find_variant(Primitive::trace, "stack");
    timeline.choose(choices);
    world.scene().compute_after(std::vector{*timeline.find(stage)});
    world.scene().collect();
  }
  EXPECT_TRUE(timeline.times(collapse).empty());
  expect_sound(world.scene());
}

// Right is right, and up is up.
TEST_P(Rays, ASquareCoversWhatItShould) {
  Mesh mesh = of_squares();
  add_square(mesh, 0.25F, 0.75F, 0.125F, 0.5F, 0.0F);
  RaysWorld world(device(), std::move(mesh));
  world.draw(rays_view(64, 64));
  for (std::size_t y = 0; y < 64; ++y)
    for (std::size_t x = 0; x < 64; ++x) {
      const bool is_in = x >= 40 && x < 56 && y >= 16 && y < 28;
      ASSERT_EQ(alpha_of(world.pixel(x, y)), is_in ? 255U : 0U) << x << ", " << y;
    }
}

// The sun stands at the upper left, in front: what is before a wall throws its shadow to the lower
// right.
TEST_P(Rays, ShadowsFallAwayFromTheSun) {
  Mesh mesh = of_squares();
  add_square(mesh, -1.0F, 1.0F, -1.0F, 1.0F, -0.4F);
  add_square(mesh, -0.1F, 0.1F, -0.1F, 0.1F, 0.0F);
  RaysWorld world(device(), std::move(mesh));
  world.draw(rays_view(64, 64));
  const std::uint32_t lit = brightness(world.pixel(10, 40));
  EXPECT_GT(lit, brightness(world.pixel(43, 46)) + 100);
  EXPECT_LT(std::abs(static_cast<int>(lit) - static_cast<int>(brightness(world.pixel(20, 20)))),
            40);
}

// Far from the wall that stands on it a plane is open, at the wall's foot half of it is hidden.
TEST_P(Rays, CornersAreHalfOpen) {
  Mesh mesh = of_squares();
  add_square(mesh, -1.0F, 1.0F, -1.0F, 1.0F, 0.0F);
  const Vec3 right{1.0F, 0.0F, 0.0F};
  const auto corner = [&](float y, float z) { return Vertex{{0.0F, y, z}, right, {}}; };
  // At x = 0, from the wall towards the eye.
  const Vertex a = corner(-1.0F, 0.0F);
  const Vertex b = corner(-1.0F, 1.0F);
  const Vertex c = corner(1.0F, 1.0F);
  const Vertex d = corner(1.0F, 0.0F);
  mesh.corners.insert(mesh.corners.end(), {a, b, c, a, c, d});
  mesh.triangle_material.insert(mesh.triangle_material.end(), 2, 0);
  RaysWorld world(device(), std::move(mesh), {"view=occlusion", "occlusion_rays=64", "reach=0.3"});
  for (int frame = 0; frame < 4; ++frame) world.draw(rays_view(64, 64));
  EXPECT_EQ(world.pixel(2, 32) & 255U, 255U);
  // A linear half is 188 in sRGB.
  const std::uint32_t beside = world.pixel(33, 32) & 255U;
  EXPECT_GT(beside, 180U);
  EXPECT_LT(beside, 205U);
  expect_sound(world.scene());
}

// A frame adds a sample as long as nothing changes, and as time passes.
TEST_P(Rays, SamplesAddUp) {
  RaysWorld world(device(), sphere(300), {"samples=9"});
  const auto samples = [&] { return count(world.scene(), "rays.samples"); };
  const auto edges = [&] {
    const auto pixels = world.pixels();
    return std::count_if(pixels.begin(), pixels.end(), [](std::uint32_t pixel) {
      return alpha_of(pixel) > 0 && alpha_of(pixel) < 255;
    });
  };
  const FrameView view = rays_view(48, 36);
  world.draw(view);
  EXPECT_EQ(samples(), 1U);
  EXPECT_EQ(edges(), 0);
  EXPECT_TRUE(world.scene().moving());
  const std::vector<std::uint32_t> first = world.pixels();
  for (std::uint64_t k = 2; k <= 9; ++k) {
    world.draw(view);
    EXPECT_EQ(samples(), k);
  }
  EXPECT_GT(edges(), 20);
  expect_sound(world.scene());
  const std::vector<std::uint32_t> ninth = world.pixels();
  EXPECT_FALSE(world.scene().moving());
  world.draw(view);
  EXPECT_EQ(samples(), 9U);
  EXPECT_TRUE(world.pixels() == ninth);
  // What changes begins it again.
  world.draw(rays_view(48, 36, 3.5F));
  EXPECT_EQ(samples(), 1U);
  world.draw(view);
  EXPECT_TRUE(world.pixels() == first);
  set(world.scene(), "view=depth");
  world.draw(view);
  EXPECT_EQ(samples(), 1U);
}

// The mean of samples that were drawn one by one.
TEST_P(Rays, APictureIsTheMeanOfItsSamples) {
  const Mesh mesh = sphere(100);
  RaysWorld world(device(), mesh, {"view=depth", "samples=4"});
  const FrameView view = rays_view(33, 21);
  for (int frame = 0; frame < 4; ++frame) world.draw(view);
  // Alpha counts the samples that hit: here by casting them on the host.
  const auto pixels = world.pixels();
  std::vector<std::uint32_t> corners(mesh.corners.size());
  std::iota(corners.begin(), corners.end(), 0U);
  const reference::RayTracer tracer(mesh.corners, corners);
  for (std::uint32_t i = 0; i < 33 * 21; ++i) {
    std::uint32_t hits = 0;
    RaysPixel at{};
    for (std::uint32_t sample = 0; sample < 4; ++sample) {
      RaysLook look = rays_look(view, 33, 21, world.scene().bounds());
      look.sample = sample;
      at = rays_pixel(look, i);
      hits += tracer.any(rays_camera_ray(look, i)) ? 1 : 0;
    }
    ASSERT_EQ(alpha_of(pixels[33 * at.y + at.x]), (hits * 255 + 2) / 4) << at.x << ", " << at.y;
  }
}

// Each pixel has one ray, in whatever order.
TEST(RaysOrder, EveryPixelHasARay) {
  for (const auto& [width, height] :
       {std::pair{64U, 32U}, {1U, 1U}, {7U, 90U}, {90U, 3U}, {33U, 21U}})
    for (const std::uint32_t by_rows : {0U, 1U}) {
      RaysLook look{};
      look.width = width;
      look.height = height;
      look.by_rows = by_rows;
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      for (std::uint32_t i = 0; i < width * height; ++i) {
        const RaysPixel pixel = rays_pixel(look, i);
        ASSERT_LT(pixel.x, width);
        ASSERT_LT(pixel.y, height);
        EXPECT_TRUE(seen.insert({pixel.x, pixel.y}).second) << i;
      }
    }
  // A group of 32 is a tile where there is one.
  RaysLook look{};
  look.width = 64;
  look.height = 32;
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(rays_pixel(look, 32 + i).x / 8, 1U);
    EXPECT_EQ(rays_pixel(look, 32 + i).y / 4, 0U);
  }
}

// The ends of the ramp of depths are those of the mesh.
TEST_P(Rays, DepthsGoFromOneEndToTheOther) {
  Mesh mesh = of_squares();
  add_square(mesh, -0.5F, 0.0F, -0.5F, 0.5F, 0.5F);
  add_square(mesh, 0.0F, 0.5F, -0.5F, 0.5F, -1.0F);
  RaysWorld world(device(), std::move(mesh), {"view=depth"});
  world.draw(rays_view(64, 64));
  const Legend legend = world.scene().legends().at(0);
  EXPECT_NEAR(legend.least, 2.5, 1e-5);
  EXPECT_NEAR(legend.most, 4.0, 1e-5);
  EXPECT_GT(brightness(world.pixel(36, 32)), brightness(world.pixel(28, 32)) + 200);
}

TEST_P(Rays, CountsAreToldOfViewsThatShowThem) {
  RaysWorld world(device(), sphere(2000), {"view=boxes"});
  world.draw(rays_view(40, 30));
  EXPECT_GT(fact<double>(world.scene(), "rays.boxes"), 5.0);
  EXPECT_GT(fact<double>(world.scene(), "rays.tests"), 1.0);
  EXPECT_GT(fact<double>(world.scene(), "rays.hits"), 20.0);
  EXPECT_LT(fact<double>(world.scene(), "rays.hits"), 90.0);
  const Legend legend = world.scene().legends().at(0);
  EXPECT_EQ(legend.most, 160.0);
  EXPECT_TRUE(legend.more);
  set(world.scene(), "view=shaded");
  world.draw(rays_view(40, 30));
  for (const Fact& fact : world.scene().facts()) EXPECT_NE(fact.name, "rays.boxes");
}

// A tracer that tests all triangles takes no picture of millions of pixels.
TEST(RaysVariants, SayWhyTheyTakeNoLargePicture) {
  const auto why_not = [](const std::string& pixels) {
    const auto scene = make_scene(rays_kind(), *devices_for(1).front().device, sphere(33),
                                  controls_of(rays_kind(), {"pixels=" + pixels}));
    return scene->timeline().why_not(*scene->timeline().find("trace"),
                                     find_variant(Primitive::trace, "brute"));
  };
  EXPECT_EQ(why_not("262144"), "");
  EXPECT_NE(why_not("262145").find("262144"), std::string::npos);
}

TEST_P(Rays, APickedTriangleIsTheOneThatIsSeen) {
  Mesh mesh = of_squares();
  add_square(mesh, -1.0F, 1.0F, -1.0F, 1.0F, -0.4F);
  add_square(mesh, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F);
  RaysWorld world(device(), std::move(mesh));
  world.draw(rays_view(32, 32));
  const auto picked = [&](float x, float y) {
    const PickResult result = world.scene().pick({{x, y, 3.0F}, {0.0F, 0.0F, -1.0F}});
    return result.place ? result.place->z : 99.0F;
  };
  EXPECT_FLOAT_EQ(picked(0.5F, 0.25F), 0.0F);
  EXPECT_FLOAT_EQ(picked(-0.5F, 0.25F), -0.4F);
  EXPECT_EQ(picked(2.0F, 0.0F), 99.0F);
}

}  // namespace
}  // namespace warpview::test
