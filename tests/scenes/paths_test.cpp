// Path tracing in the scene of rays: the same bits everywhere, and the right amount of light.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/steps/paths_shading.h"
#include "scenes/parts/path_lights.h"
#include "scenes/parts/rays_look.h"
#include "scenes/parts/rays_reference.h"
#include "scenes/parts/rays_tables.h"
#include "scenes/parts/substance.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/picture_world.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

constexpr Vec3 black{0.0F, 0.0F, 0.0F};
constexpr Vec3 white{1.0F, 1.0F, 1.0F};

// What is two units high at the origin fills the picture.
FrameView path_view(std::uint32_t width, std::uint32_t height, float distance = 3.0F) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  return view_along({0.0F, 0.0F, distance}, {distance / aspect, 0.0F, 0.0F}, {0.0F, distance, 0.0F},
                    {0.0F, 0.0F, 1.0F}, width, height);
}

// A sphere of a lamp, glass, a mirror, a mirror by Fresnel, and something half clear.
Mesh sphere_of_all(std::uint64_t n) {
  Mesh mesh = sphere(n);
  mesh.materials[0].emissive = {4.0F, 2.0F, 1.0F};
  mesh.materials[1].optics = {.clear = 1.0F, .filter = {0.9F, 1.0F, 0.9F}, .index = 1.5F};
  mesh.materials[2].optics.mirror = Optics::Mirror::plain;
  mesh.materials[2].specular = {0.9F, 0.8F, 0.6F};
  mesh.materials[3].optics.mirror = Optics::Mirror::fresnel;
  mesh.materials[4].optics.clear = 0.5F;
  return mesh;
}

// --- the scene

class PathWorld : public PictureWorld {
 public:
  PathWorld(Device& device, Mesh mesh, std::vector<std::string> settings,
            const std::vector<std::string>& wishes = {})
      : PictureWorld(*find_scene_kind("rays"), device, std::move(mesh),
                     with_view(std::move(settings)), wishes) {}

 private:
  static std::vector<std::string> with_view(std::vector<std::string> settings) {
    settings.emplace_back("view=paths");
    return settings;
  }
};

class Paths : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Paths, testing::ValuesIn(few_devices()),
                         [](const auto& one) { return one.param.name; });

TEST_P(Paths, EveryLightIsVerified) {
  for (const std::uint64_t n : {0U, 1U, 200U})
    for (const std::string light : {"sky", "room", "white", "dark"}) {
      SCOPED_TRACE(std::to_string(n) + " triangles, " + light);
      PathWorld world(device(), sphere_of_all(n), {"light=" + light});
      for (int frame = 0; frame < 2; ++frame) world.draw(path_view(22, 13));
      expect_sound(world.scene());
    }
}

TEST_P(Paths, EveryTracerDrawsTheSameInEitherOrder) {
  std::vector<std::uint32_t> first;
  for (const VariantId variant : variants_of(Primitive::trace)) {
    if ((variant->traits & TraceTrait::own_tree) != 0 ||
        !why_unavailable(variant, device()).empty())
      continue;
    for (const std::string order : {"tiles", "rows"}) {
      SCOPED_TRACE(std::string(variant->name) + ", " + order);
      PathWorld world(device(), sphere_of_all(200), {"light=room", "order=" + order},
                      {std::string("trace=") + variant->name});
      for (int frame = 0; frame < 2; ++frame) world.draw(path_view(20, 14));
      if (first.empty()) first = world.pixels();
      EXPECT_TRUE(world.pixels() == first);
    }
  }
}

// On every device, with another warp size and another schedule: the picture of this seed and no
// other.
TEST(PathsSeed, DecidesThePicture) {
  const auto picture = [](Device& device, const std::string& seed) {
    PathWorld world(device, sphere_of_all(200), {"light=room", "seed=" + seed});
    for (int frame = 0; frame < 3; ++frame) world.draw(path_view(20, 14));
    return world.pixels();
  };
  const std::vector<std::uint32_t> zero = picture(*few_devices().front().device, "0");
  const std::vector<std::uint32_t> seven = picture(*few_devices().front().device, "7");
  EXPECT_FALSE(zero == seven);
  for (const TestDevice& device : few_devices()) {
    SCOPED_TRACE(device.name);
    EXPECT_TRUE(picture(*device.device, "0") == zero);
    EXPECT_TRUE(picture(*device.device, "7") == seven);
  }
}

TEST_P(Paths, LampsAreSeenInTheDark) {
  Mesh mesh = sphere(200);
  PathWorld dark(device(), mesh, {"light=dark"});
  dark.draw(path_view(20, 14));
  for (const std::uint32_t pixel : dark.pixels()) EXPECT_EQ(pixel & 0xffffffU, 0U);
  mesh.materials[2].emissive = white;
  PathWorld lit(device(), mesh, {"light=dark"});
  lit.draw(path_view(20, 14));
  const std::vector<std::uint32_t> pixels = lit.pixels();
  const auto is_lit = [](std::uint32_t pixel) { return (pixel & 0xffffffU) != 0; };
  EXPECT_GT(std::count_if(pixels.begin(), pixels.end(), is_lit), 10);
  EXPECT_GT(fact<double>(lit.scene(), "rays.path"), 1.2);
  EXPECT_LT(fact<double>(lit.scene(), "rays.path"), 2.0);  // a convex mesh
}

// --- light, as the reference computes it; the scene's verification holds the device to that

// A mesh with materials of its own, and the light of its pixels.
class PathScene {
 public:
  explicit PathScene(Mesh mesh)
      : mesh_(std::move(mesh)), indices_(mesh_.corners.size()), tables_(rays_tables()) {
    std::iota(indices_.begin(), indices_.end(), 0U);
    for (const Material& material : mesh_.materials) substances.push_back(substance_of(material));
  }

  std::vector<Substance> substances;  // by material
  RaysLight light = RaysLight::white;
  std::uint32_t bounces = 4;
  std::uint32_t seed = 0;
  bool has_shadow_rays_to_lights = true;  // else paths find them by chance alone

  // The sums of samples from `first` on; sums are those of all earlier ones.
  void add(std::vector<Vec4>& sums, const FrameView& view, std::uint32_t first,
           std::uint32_t count) const {
    RaysLook look = rays_look(view, view.width, view.height, bounds());
    look.view = RaysView::paths;
    look.rounds = bounces;
    look.light = light;
    look.seed = seed;
    look.to_sun = sun_that_stands_still();
    look.room = path_room_around(bounds());
    const PathLightTable table = path_lights(mesh_, substances);
    PathLights lights{};
    if (has_shadow_rays_to_lights)
      lights = {table.lights.data(), static_cast<std::uint32_t>(table.lights.size()), table.power};
    const RaysModel model{.vertices = mesh_.corners,
                          .indices = indices_,
                          .material = mesh_.triangle_material,
                          .colours = {},
                          .substances = substances,
                          .tables = *tables_,
                          .lights = lights};
    sums.resize(std::size_t{view.width} * view.height, Vec4{black, 0.0F});
    for (look.sample = first; look.sample < first + count; ++look.sample) {
      const std::vector<Vec4> sample = trace_one_by_one(model, look, {}, sums.size()).sums;
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] = {sums[i].xyz + sample[i].xyz, sums[i].w + sample[i].w};
    }
  }
  // The mean of all pixels' samples that hit something.
  Vec3 mean(const FrameView& view, std::uint32_t samples) const {
    std::vector<Vec4> sums;
    add(sums, view, 0, samples);
    Vec3 all = black;
    float hits = 0.0F;
    for (const Vec4& sum : sums) {
      all = all + sum.xyz;
      hits += sum.w;
    }
    EXPECT_GT(hits, 0.0F);
    return all * (1.0F / hits);
  }

 private:
  Aabb bounds() const {
    Aabb box = Aabb::empty();
    for (const Vertex& corner : mesh_.corners) box = merge(box, {corner.position, corner.position});
    return box;
  }

  Mesh mesh_;
  std::vector<std::uint32_t> indices_;
  std::unique_ptr<RaysTables> tables_;
};

Substance diffuse_of(Vec3 colour) {
  return {.base_colour = colour,
          .roughness = 1.0F,
          .emission = black,
          .metallic = 0.0F,
          .filter = white,
          .clear = 0.0F,
          .mirror = black,
          .index = 1.0F,
          .edge = 0.0F};
}

void expect_light(Vec3 found, Vec3 expected, float tolerance) {
  EXPECT_NEAR(found.x, expected.x, tolerance);
  EXPECT_NEAR(found.y, expected.y, tolerance);
  EXPECT_NEAR(found.z, expected.z, tolerance);
}

Mesh no_triangles(std::size_t materials) {
  Mesh mesh = sphere(1);
  mesh.corners.clear();
  mesh.triangle_material.clear();
  mesh.materials.resize(materials);
  return mesh;
}
void add_triangle(Mesh& mesh, Vec3 a, Vec3 b, Vec3 c, std::uint32_t material) {
  const Vec3 normal = rays_unit(cross(b - a, c - a));
  for (const Vec3 place : {a, b, c}) mesh.corners.push_back({place, normal, {}});
  mesh.triangle_material.push_back(material);
}
// Its front is where a, b, c, d are counter-clockwise.
void add_quad(Mesh& mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::uint32_t material) {
  add_triangle(mesh, a, b, c, material);
  add_triangle(mesh, a, c, d, material);
}
// A box around the origin, its fronts outside.
void add_box(Mesh& mesh, Vec3 half, std::uint32_t material) {
  const auto at = [half](float x, float y, float z) {
    return Vec3{x * half.x, y * half.y, z * half.z};
  };
  add_quad(mesh, at(-1, -1, 1), at(1, -1, 1), at(1, 1, 1), at(-1, 1, 1), material);
  add_quad(mesh, at(1, -1, -1), at(-1, -1, -1), at(-1, 1, -1), at(1, 1, -1), material);
  add_quad(mesh, at(1, -1, 1), at(1, -1, -1), at(1, 1, -1), at(1, 1, 1), material);
  add_quad(mesh, at(-1, -1, -1), at(-1, -1, 1), at(-1, 1, 1), at(-1, 1, -1), material);
  add_quad(mesh, at(-1, 1, 1), at(1, 1, 1), at(1, 1, -1), at(-1, 1, -1), material);
  add_quad(mesh, at(-1, -1, -1), at(1, -1, -1), at(1, -1, 1), at(-1, -1, 1), material);
}

// Surfaces that absorb nothing, in the same light from every direction, look like that light: by
// diffuse light, mirrors, glass and all of them. Smooth normals and bumps lose nothing either.
TEST(PathsLight, AWhiteFurnaceKeepsItsEnergy) {
  PathScene scene(sphere(60));
  scene.bounces = 64;
  scene.substances.assign(5, diffuse_of(white));
  scene.substances[1].mirror = {0.7F, 0.5F, 0.2F};
  scene.substances[2].clear = 1.0F;
  scene.substances[2].index = 1.5F;
  scene.substances[3].clear = 0.5F;
  scene.substances[4].edge = 1.0F;
  expect_light(scene.mean(path_view(40, 30), 48), white, 1e-3F);
}

// A furnace with lamps instead of the sky: a box whose walls emit, which shadow rays find, too.
TEST(PathsLight, AFurnaceOfLampsKeepsItsEnergy) {
  Mesh mesh = sphere(60);
  mesh.triangle_material.assign(mesh.triangle_count(), 0);
  add_box(mesh, {4.0F, 4.0F, 4.0F}, 1);
  PathScene scene(mesh);
  scene.light = RaysLight::dark;
  scene.substances.assign(5, diffuse_of(white));
  scene.substances[1] = diffuse_of(black);
  scene.substances[1].emission = white;
  expect_light(scene.mean(path_view(40, 30), 96), white, 1e-3F);
}

// Walls that emit a half and reflect a half: after b bounces all but 2^-(b+1) of 1 is there. Paths
// carry less and less, so chance ends most of them.
TEST(PathsLight, ChanceEndsPathsWithoutLoss) {
  Mesh mesh = no_triangles(1);
  add_box(mesh, {2.0F, 2.0F, 4.0F}, 0);
  PathScene scene(mesh);
  scene.light = RaysLight::dark;
  scene.bounces = 14;
  scene.substances = {diffuse_of({0.5F, 0.5F, 0.5F})};
  scene.substances[0].emission = {0.5F, 0.5F, 0.5F};
  expect_light(scene.mean(path_view(16, 12), 512), white, 4e-3F);
}

Vec3 ratio_of(Vec3 a, Vec3 b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

// A lamp above a floor with a block between.
PathScene lamp_and_block() {
  Mesh mesh = no_triangles(3);
  add_quad(mesh, {-2, -1, 2}, {2, -1, 2}, {2, -1, -2}, {-2, -1, -2}, 0);
  add_quad(mesh, {-1, 1, -1}, {1, 1, -1}, {1, 1, 1}, {-1, 1, 1}, 1);
  add_quad(mesh, {-1, 0, 1}, {0, 0, 1}, {0, 0, -1}, {-1, 0, -1}, 2);
  PathScene scene(mesh);
  scene.light = RaysLight::dark;
  scene.bounces = 2;
  scene.substances = {diffuse_of({0.8F, 0.6F, 0.4F}), diffuse_of(black), diffuse_of(white)};
  scene.substances[1].emission = {3.0F, 2.0F, 5.0F};
  return scene;
}

// Whether shadow rays look for the lamp or paths come to it, the light is the same.
TEST(PathsLight, ShadowRaysFindWhatPathsFind) {
  PathScene scene = lamp_and_block();
  const FrameView view = path_view(24, 18, 4.0F);
  const Vec3 both = scene.mean(view, 256);
  scene.has_shadow_rays_to_lights = false;
  scene.seed = 1;
  const Vec3 paths = scene.mean(view, 1024);
  EXPECT_GT(both.x, 0.3F);
  expect_light(ratio_of(paths, both), white, 0.01F);
}

// In the room shadow rays choose between its lamp and the mesh's: light is linear in the latter,
// whose share of the shadow rays is not.
TEST(PathsLight, LampsAddUp) {
  PathScene scene = lamp_and_block();
  scene.light = RaysLight::room;
  const FrameView view = path_view(24, 18, 4.0F);
  const Vec3 once = scene.mean(view, 512);
  scene.substances[1].emission = scene.substances[1].emission * 8.0F;
  const Vec3 eight_times = scene.mean(view, 512);
  scene.substances[1].emission = black;
  const Vec3 none = scene.mean(view, 512);
  EXPECT_GT(once.x, 1.2F * none.x);
  expect_light(ratio_of(eight_times - none, (once - none) * 8.0F), white, 0.02F);
}

// A wall in the room, lit by its lamp alone: the integral over the lamp.
TEST(PathsLight, TheRoomsLampShinesAsStrongAsItShould) {
  Mesh mesh = no_triangles(1);
  add_quad(mesh, {-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}, 0);
  const Aabb room = path_room_around({{-9, -9, 0}, {9, 9, 0}});
  PathScene scene(mesh);
  scene.light = RaysLight::room;
  scene.bounces = 1;
  scene.substances = {diffuse_of({0.5F, 0.5F, 0.5F})};
  const Vec3 found = scene.mean(path_view(8, 6, 100.0F), 1024);
  constexpr int steps = 100;
  double expected = 0.0;
  for (int x = 0; x < steps; ++x)
    for (int y = 0; y < steps; ++y) {
      const PathTarget target = path_on_lamp(room, (static_cast<float>(x) + 0.5F) / steps,
                                             (static_cast<float>(y) + 0.5F) / steps);
      const auto squared = static_cast<double>(dot(target.place, target.place));
      const double before_wall = std::max(static_cast<double>(target.place.z), 0.0);
      expected += before_wall * static_cast<double>(target.place.y) / (squared * squared);
    }
  expected *= 0.5 / 3.14159265 * static_cast<double>(path_lamp_area(room)) / (steps * steps);
  const auto strength = static_cast<float>(expected);
  expect_light(ratio_of(found, path_lamp() * strength), white, 0.02F);
}

// What arrives at a floor from sky and sun: irradiance, cosine and albedo. A lamp behind the eye
// that adds nothing takes half of the shadow rays.
TEST(PathsLight, TheSunShinesAsStrongAsItShould) {
  Mesh mesh = no_triangles(2);
  add_triangle(mesh, {0.0F, 8.0F, 8.0F}, {0.1F, 8.0F, 8.0F}, {0.0F, 8.1F, 8.0F}, 1);
  add_quad(mesh, {-9, -1, 9}, {9, -1, 9}, {9, -1, -9}, {-9, -1, -9}, 0);
  PathScene scene(mesh);
  scene.light = RaysLight::sky;
  scene.bounces = 1;
  scene.substances = {diffuse_of({0.5F, 0.5F, 0.5F}), diffuse_of(black)};
  const Vec3 without_lamp = scene.mean(path_view(12, 9), 256);
  scene.substances[1].emission = {1e-6F, 1e-6F, 1e-6F};
  const Vec3 with_lamp = scene.mean(path_view(12, 9), 256);
  // The sky by itself: the mean over the hemisphere by cosine.
  Vec3 sky = black;
  constexpr int steps = 64;
  for (int x = 0; x < steps; ++x)
    for (int y = 0; y < steps; ++y) {
      const Vec3 d = rays_hemisphere(
          {(static_cast<float>(x) + 0.5F) / steps, (static_cast<float>(y) + 0.5F) / steps});
      sky = sky + rays_surroundings({d.x, d.z, d.y}, 0.0F) * (1.0F / (steps * steps));
    }
  const Vec3 sun = path_sun() * (sun_that_stands_still().y / 3.14159265F);
  expect_light(without_lamp, (sky + sun) * 0.5F, 3e-3F);
  expect_light(with_lamp, (sky + sun) * 0.5F, 8e-3F);
}

// Fresnel's equations where their result is known: along the normal, at Brewster's angle, and from
// within beyond the critical angle.
TEST(PathsLight, GlassMirrorsByFresnel) {
  EXPECT_NEAR(path_border(1.5F, true, 1.0F).mirrored, 0.04F, 1e-6F);
  EXPECT_NEAR(path_border(1.5F, false, 1.0F).mirrored, 0.04F, 1e-6F);
  const float brewster = 1.0F / std::sqrt(1.0F + 1.5F * 1.5F);  // its cosine
  const float perpendicular = (1.5F * 1.5F - 1.0F) / (1.5F * 1.5F + 1.0F);
  EXPECT_NEAR(path_border(1.5F, true, brewster).mirrored, 0.5F * perpendicular * perpendicular,
              1e-6F);
  EXPECT_EQ(path_border(1.5F, false, 0.7F).mirrored, 1.0F);
  EXPECT_LT(path_border(1.5F, false, 0.8F).mirrored, 0.2F);
  EXPECT_NEAR(path_border(1.0F, true, 0.3F).mirrored, 0.0F, 1e-9F);
}

// A pane that filters, seen at right angles before a wall that emits: filter and no more. Where the
// pane is glass, light that it mirrors is lost: of two borders (1 - r) / (1 + r) passes.
TEST(PathsLight, PanesFilterWhatIsBehindThem) {
  Mesh mesh = no_triangles(2);
  add_quad(mesh, {-9, -9, -1}, {9, -9, -1}, {9, 9, -1}, {-9, 9, -1}, 0);
  add_box(mesh, {8.0F, 8.0F, 0.25F}, 1);
  PathScene scene(mesh);
  scene.light = RaysLight::dark;
  scene.bounces = 32;
  scene.substances = {diffuse_of(black), diffuse_of(black)};
  scene.substances[0].emission = {1.0F, 2.0F, 3.0F};
  scene.substances[1].clear = 1.0F;
  scene.substances[1].filter = {0.5F, 0.75F, 1.0F};
  const FrameView view = path_view(8, 6, 100.0F);
  expect_light(scene.mean(view, 4), {0.25F, 1.125F, 3.0F}, 1e-3F);
  scene.substances[1].clear = 0.5F;
  expect_light(scene.mean(view, 2048), {0.0625F, 0.28125F, 0.75F}, 0.02F);
  scene.substances[1].clear = 1.0F;
  scene.substances[1].filter = white;
  scene.substances[1].index = 1.5F;
  const float passes = (1.0F - 0.04F) / (1.0F + 0.04F);
  expect_light(scene.mean(view, 1024), {passes, 2 * passes, 3 * passes}, 0.01F);
  scene.substances[1].clear = 0.5F;
  constexpr float once = 0.5F * 0.96F;
  constexpr float back = 0.5F * 0.04F;
  constexpr float twice = once * once / (1.0F - back * back);
  expect_light(scene.mean(view, 2048), {twice, 2 * twice, 3 * twice}, 0.015F);
}

// However a smooth normal leans, light that does not pass the triangle stays on its side, and light
// that passes goes to the other one. Glass filters what passes, and nothing else.
TEST(PathsLight, DirectionsAreOnTheirSideOfTheTriangle) {
  RaysLook look{};
  look.width = 64;
  look.height = 64;
  std::array<int, 2> passing{};
  for (std::uint32_t i = 0; i < 4096; ++i) {
    const PathNumbers lean = path_numbers(look, i, 0);
    const PathNumbers numbers = path_numbers(look, i, 1);
    RaysPoint point{};
    point.face = {0.0F, 0.0F, 1.0F};
    point.normal = rays_unit({2.0F * lean.a - 1.0F, 2.0F * lean.b - 1.0F, 0.3F});
    point.is_front = i % 2 == 0;
    point.substance = diffuse_of({0.5F, 0.5F, 0.5F});
    point.substance.mirror = {0.3F, 0.3F, 0.3F};
    point.substance.clear = i % 4 < 2 ? 0.5F : 1.0F;
    point.substance.filter = {0.5F, 0.5F, 0.5F};
    point.substance.index = 1.5F;
    const Vec3 towards = rays_unit({1.0F, 0.0F, -0.02F - lean.c});
    const PathScatter scatter = path_scattered(point, towards, numbers);
    ASSERT_EQ(scatter.direction.z <= 0.0F, scatter.passes) << i;
    ASSERT_NEAR(dot(scatter.direction, scatter.direction), 1.0F, 1e-5F) << i;
    if (point.substance.clear == 1.0F) {
      ASSERT_EQ(scatter.weight.x, scatter.passes ? 0.5F : 1.0F) << i;
    }
    ++passing[scatter.passes ? 1 : 0];
  }
  EXPECT_GT(passing[0], 1000);
  EXPECT_GT(passing[1], 500);
}

// Looks at a lamp by a mirror that stands at 45 degrees.
TEST(PathsLight, MirrorsShowTheLamp) {
  Mesh mesh = no_triangles(2);
  add_quad(mesh, {-1, -1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, 1, -1}, 0);
  add_quad(mesh, {-9, 5, -9}, {9, 5, -9}, {9, 5, 9}, {-9, 5, 9}, 1);
  PathScene scene(mesh);
  scene.light = RaysLight::dark;
  scene.bounces = 1;
  scene.substances = {diffuse_of(black), diffuse_of(black)};
  scene.substances[0].mirror = {0.5F, 0.25F, 1.0F};
  scene.substances[1].emission = {2.0F, 2.0F, 8.0F};
  FrameView view = path_view(8, 6, 9.0F);
  view = view_along({0.0F, 0.0F, 9.0F}, {20.0F, 0.0F, 0.0F}, {0.0F, 20.0F, 0.0F},
                    {0.0F, 0.0F, 1.0F}, 8, 6);
  expect_light(scene.mean(view, 4), {1.0F, 0.5F, 8.0F}, 1e-5F);
}

// Errors fall as the square root of the number of samples.
TEST(PathsLight, PicturesConverge) {
  PathScene scene(sphere(24));
  scene.light = RaysLight::room;
  scene.bounces = 2;
  const FrameView view = path_view(24, 16);
  constexpr std::uint32_t most = 1024;
  constexpr std::uint32_t of_reference = 4096;
  std::vector<Vec4> reference;
  scene.seed = 1;
  scene.add(reference, view, 0, of_reference);
  scene.seed = 0;
  std::vector<Vec4> sums;
  std::vector<double> x, y;
  for (std::uint32_t n = 0; n < most;) {
    const std::uint32_t more = std::max(n, 16U);
    scene.add(sums, view, n, more);
    n += more;
    double squared = 0.0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Vec3 off = sums[i].xyz * (1.0F / static_cast<float>(n)) -
                       reference[i].xyz * (1.0F / static_cast<float>(of_reference));
      squared += static_cast<double>(dot(off, off));
    }
    // The reference has an error of its own, which adds to the square.
    const double of_both = 1.0 + static_cast<double>(n) / of_reference;
    x.push_back(std::log(static_cast<double>(n)));
    y.push_back(0.5 * std::log(squared / of_both));
  }
  ASSERT_EQ(x.size(), 7U);
  const auto mean_of = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  };
  double both = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    both += (x[k] - mean_of(x)) * (y[k] - mean_of(y));
    square += (x[k] - mean_of(x)) * (x[k] - mean_of(x));
  }
  EXPECT_NEAR(both / square, -0.5, 0.05);
}

// Each pair of a pixel and a sample draws numbers of its own, uniform from 0 to 1.
TEST(PathsLight, NumbersAreUniform) {
  RaysLook look{};
  look.width = 64;
  look.height = 64;
  std::array<double, 3> sums{};
  std::array<int, 16> bins{};
  for (look.sample = 0; look.sample < 16; ++look.sample)
    for (std::uint32_t i = 0; i < 64 * 64; ++i) {
      const PathNumbers numbers = path_numbers(look, i, 1, PathDraw::light);
      sums[0] += static_cast<double>(numbers.a);
      sums[1] += static_cast<double>(numbers.b);
      sums[2] += static_cast<double>(numbers.c);
      ++bins[numbers.bits >> 28U];
    }
  constexpr double draws = 16.0 * 64 * 64;
  for (const double sum : sums) EXPECT_NEAR(sum / draws, 0.5, 4 * std::sqrt(1.0 / 12 / draws));
  for (const int bin : bins) EXPECT_NEAR(bin, draws / 16, 4.5 * std::sqrt(draws / 16));
}

// Lights are picked by area and luminance; what has no area or does not emit is none.
TEST(PathsLight, LampsAreInTheTable) {
  Mesh mesh = no_triangles(3);
  add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 1);
  add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0);
  add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, 1);
  add_triangle(mesh, {0, 0, 0}, {std::nanf(""), 0, 0}, {0, 1, 0}, 1);
  add_triangle(mesh, {0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 2);
  std::vector<Substance> substances(3, diffuse_of(white));
  substances[1].emission = white;
  substances[2].emission = {0.5F, 0.5F, 0.5F};
  const PathLightTable table = path_lights(mesh, substances);
  ASSERT_EQ(table.lights.size(), 2U);
  EXPECT_FLOAT_EQ(table.power, 1.0F);
  EXPECT_NEAR(table.lights[0].end, 0x1p31, 2.0);
  EXPECT_EQ(table.lights[1].end, 0xffffffffU);
  const PathLights lights{table.lights.data(), 2, table.power};
  EXPECT_EQ(path_on_light(lights, 0, 0.2F, 0.2F).emission.x, 1.0F);
  EXPECT_EQ(path_on_light(lights, 0x90000000U, 0.2F, 0.2F).emission.x, 0.5F);
  EXPECT_EQ(path_on_light(lights, 0xffffffffU, 0.2F, 0.2F).emission.x, 0.5F);
}

}  // namespace
}  // namespace warpview::test
