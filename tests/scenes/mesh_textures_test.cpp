// Textures that kernels sample: which texels a place mixes, which mipmap a pixel takes, and how
// they lie on surfaces that are ray traced.
#include "scenes/parts/mesh_textures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/operators/texture.h"
#include "gpu/steps/rays_shading.h"
#include "scenes/parts/image_levels.h"
#include "scenes/parts/rays_tables.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/picture_world.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t texel_red = 0xff0000ffU;
constexpr std::uint32_t texel_green = 0xff00ff00U;
constexpr std::uint32_t texel_blue = 0xffff0000U;
constexpr std::uint32_t texel_white = 0xffffffffU;
constexpr std::uint32_t texel_black = 0xff000000U;

Image image_of(std::uint32_t width, std::uint32_t height,
               const std::vector<std::uint32_t>& pixels) {
  Image image{.file = {}, .width = width, .height = height, .rgba = {}};
  for (const std::uint32_t pixel : pixels)
    for (unsigned shift = 0; shift < 32; shift += 8)
      image.rgba.push_back(static_cast<std::uint8_t>(pixel >> shift));
  return image;
}

Image random_image(std::uint32_t width, std::uint32_t height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> pixels(std::size_t{width} * height);
  for (std::uint32_t& pixel : pixels) pixel = static_cast<std::uint32_t>(random()) | 0xff000000U;
  return image_of(width, height, pixels);
}

// A mesh whose first material shows the image.
void cover(Mesh& mesh, Image image, TexturePlacement placement = {}) {
  mesh.textures = {std::move(image)};
  mesh.materials[0].texture = 0;
  mesh.materials[0].placement = placement;
  mesh.materials[0].diffuse = {1.0F, 1.0F, 1.0F};
}

// A square from (-1, -1) to (1, 1) at z = 0, whose texture coordinates go from 0 to `times`.
Mesh textured_square(Image image, float times = 1.0F, TexturePlacement placement = {}) {
  Mesh mesh = sphere(1);
  mesh.triangle_material = {0, 0};
  const auto corner = [times](float x, float y) {
    return Vertex{
        {2.0F * x - 1.0F, 2.0F * y - 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}, {times * x, times * y}};
  };
  const Vertex a = corner(0.0F, 0.0F);
  const Vertex b = corner(1.0F, 0.0F);
  const Vertex c = corner(1.0F, 1.0F);
  const Vertex d = corner(0.0F, 1.0F);
  mesh.corners = {a, b, c, a, c, d};
  cover(mesh, std::move(image), placement);
  return mesh;
}

// The textures of a mesh, ready on the host.
struct Loaded {
  Mesh mesh;
  std::unique_ptr<MeshTextures> textures;

  Loaded(Image image, TexturePlacement placement)
      : mesh(textured_square(std::move(image), 1.0F, placement)) {
    Device& device = *few_devices().front().device;
    textures = std::make_unique<MeshTextures>(device, mesh);
    const auto stream = device.create_stream();
    LoadControl control;
    textures->load(*stream, control);
    EXPECT_EQ(textures->difference(*stream), "");
  }
  const Texture& texture() const { return textures->host()[0]; }
};

// --- which texels

struct Placed {
  const char* name;
  TexturePlacement placement;
};
const Placed placed[] = {{"as it is", {}},
                         {"clamped", {.is_clamped = true}},
                         {"scaled and moved", {.scale = {2.0F, -3.0F}, .offset = {0.25F, 0.6F}}},
                         {"scaled, moved and clamped",
                          {.scale = {1.5F, 0.5F}, .offset = {-0.2F, 0.1F}, .is_clamped = true}}};

// One channel of the place t of a level, mixed of four texels in double precision.
double mixed(const Texture& texture, std::uint32_t level, Vec2 t, unsigned shift,
             const float (&linear)[256]) {
  const std::uint32_t* texels = texture.texels;
  std::int64_t width = texture.width;
  std::int64_t height = texture.height;
  for (; level > 0; --level) {
    texels += width * height;
    width = std::max<std::int64_t>(width / 2, 1);
    height = std::max<std::int64_t>(height / 2, 1);
  }
  const double u = double{t.x} * texture.scale.x + texture.offset.x;
  const double v = double{t.y} * texture.scale.y + texture.offset.y;
  const auto edge = [&](double place) {
    return texture.is_clamped != 0 ? std::clamp(place, 0.0, 1.0) : place - std::floor(place);
  };
  const double x = edge(u) * static_cast<double>(width) - 0.5;
  const double y = edge(1.0 - v) * static_cast<double>(height) - 0.5;
  const auto at = [&](double column, double row) {
    const auto inside = [&](double number, std::int64_t size) {
      const auto whole = static_cast<std::int64_t>(number);
      return texture.is_clamped != 0 ? std::clamp<std::int64_t>(whole, 0, size - 1)
                                     : (whole + size) % size;
    };
    return double{
        linear[texels[inside(row, height) * width + inside(column, width)] >> shift & 255U]};
  };
  const double left = std::floor(x);
  const double top = std::floor(y);
  const double above = std::lerp(at(left, top), at(left + 1, top), x - left);
  const double below = std::lerp(at(left, top + 1), at(left + 1, top + 1), x - left);
  return std::lerp(above, below, y - top);
}

TEST(TextureSampling, MixesTheFourTexelsAroundAPlace) {
  const auto tables = rays_tables();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-2.0F, 3.0F);
  for (const auto& [width, height] : {std::pair{1U, 1U}, {2U, 2U}, {7U, 5U}, {16U, 1U}, {3U, 33U}})
    for (const Placed& each : placed) {
      const Loaded loaded(random_image(width, height, 1), each.placement);
      const Texture& texture = loaded.texture();
      const ImageSize size{static_cast<int>(width), static_cast<int>(height)};
      ASSERT_EQ(static_cast<int>(texture.levels), size.levels());
      for (std::uint32_t level = 0; level < texture.levels; ++level)
        for (int i = 0; i < 200; ++i) {
          SCOPED_TRACE(std::string(each.name) + ", level " + std::to_string(level));
          const Vec2 t = i == 0   ? Vec2{0.0F, 0.0F}
                         : i == 1 ? Vec2{1.0F, 1.0F}
                                  : Vec2{place(random), place(random)};
          const Vec3 got = texture_colour(texture, level, t, tables->linear);
          // Rounding moves a place by 2^-22, over at most 33 texels.
          ASSERT_NEAR(got.x, mixed(texture, level, t, 0, tables->linear), 1e-4)
              << t.x << ' ' << t.y;
          ASSERT_NEAR(got.y, mixed(texture, level, t, 8, tables->linear), 1e-4)
              << t.x << ' ' << t.y;
          ASSERT_NEAR(got.z, mixed(texture, level, t, 16, tables->linear), 1e-4)
              << t.x << ' ' << t.y;
        }
    }
}

TEST(TextureSampling, TakesAnyNumber) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  for (const bool is_clamped : {false, true})
    for (const std::uint32_t size : {1U, 2U, 2048U})
      for (const float place : {0.0F, -0.0F, 1.0F, -1.0F, 0x1.fffffep-1F, -0x1p-149F, -0x1p-30F,
                                largest, -largest, infinity, -infinity, std::nanf("")}) {
        const TexturePair pair = texture_pair(place, size, is_clamped);
        EXPECT_LT(pair.first, size) << place;
        EXPECT_LT(pair.second, size) << place;
        EXPECT_GE(pair.weight, 0.0F) << place;
        EXPECT_LE(pair.weight, 1.0F) << place;
      }
}

// --- which level

TEST(TextureSampling, TakesTheLevelOfWhichAPixelCoversOneToFourTexels) {
  Texture texture;
  texture.levels = 5;
  const std::pair<float, std::uint32_t> levels[] = {
      {0.0F, 0},         {1.0F, 0},
      {3.99F, 0},        {4.0F, 1},
      {15.9F, 1},        {16.0F, 2},
      {255.0F, 3},       {256.0F, 4},
      {1e30F, 4},        {std::numeric_limits<float>::infinity(), 4},
      {std::nanf(""), 0}};
  for (const auto& [texels, level] : levels)
    EXPECT_EQ(texture_level_for(texture, texels), level) << texels;
}

// A triangle of half a square unit shows half of an image of 64 x 64 texels, a distance of 2 away.
// A pixel is a tenth of a unit wide, one unit from the eye.
TEST(TextureSampling, PixelsCoverMoreTexelsFarAwayAndAskew) {
  Texture texture;
  texture.width = texture.height = 64;
  const Vec2 corners[3] = {{0.0F, 0.0F}, {1.0F, 0.0F}, {0.0F, 1.0F}};
  const auto texels = [&](Vec3 along, Vec3 beside, float t) {
    const BoundedRay ray{{0.0F, 0.0F, 0.0F}, 0.0F, {0.0F, 0.0F, -3.0F}, 100.0F};
    return rays_texels(texture, corners, along, beside, ray, t, 0.01F);
  };
  const float straight = texels({1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 2.0F);
  EXPECT_NEAR(straight, 4096.0F * 0.01F * 4.0F, 1e-2F);
  EXPECT_NEAR(texels({1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 4.0F), 4.0F * straight, 1e-1F);
  EXPECT_NEAR(texels({0.0F, 1.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, 2.0F), straight, 1e-2F)
      << "from behind";
  const float root = std::sqrt(0.75F);  // at 60 degrees to the line of sight
  EXPECT_NEAR(texels({1.0F, 0.0F, 0.0F}, {0.0F, 0.5F, root}, 2.0F), 2.0F * straight, 1e-1F);
  EXPECT_NEAR(texels({2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}, 2.0F), straight / 4.0F, 1e-2F);
  texture.scale = {3.0F, -0.5F};
  EXPECT_NEAR(texels({1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 2.0F), 1.5F * straight, 1e-1F);
  EXPECT_FALSE(texels({0.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 2.0F) < 1e30F) << "without area";
}

// --- on a surface

FrameView textured_view(std::uint32_t side) {
  return view_along({0.0F, 0.0F, 3.0F}, {3.0F, 0.0F, 0.0F}, {0.0F, 3.0F, 0.0F}, {0.0F, 0.0F, 1.0F},
                    side, side);
}

class TexturedRays : public testing::TestWithParam<TestDevice> {
 protected:
  PictureWorld world_of(Mesh mesh, const std::vector<std::string>& settings = {}) const {
    return {*find_scene_kind("rays"), *GetParam().device, std::move(mesh), settings, {}};
  }
};
INSTANTIATE_TEST_SUITE_P(, TexturedRays, testing::ValuesIn(few_devices()),
                         [](const auto& one) { return one.param.name; });

// The brightest of the three channels, as a word.
std::string hue(std::uint32_t pixel) {
  const std::uint32_t red = pixel & 255U;
  const std::uint32_t green = pixel >> 8U & 255U;
  const std::uint32_t blue = pixel >> 16U & 255U;
  const std::uint32_t most = std::max({red, green, blue});
  if (std::min({red, green, blue}) * 5 > most * 4) return "grey";
  return most == red ? "red" : most == green ? "green" : "blue";
}

TEST_P(TexturedRays, TheFirstRowIsUppermost) {
  for (const std::string view : {"shaded", "paths"}) {
    SCOPED_TRACE(view);
    PictureWorld world =
        world_of(textured_square(image_of(2, 2, {texel_red, texel_green, texel_blue, texel_white})),
                 {"view=" + view, "light=white"});
    world.draw(textured_view(64));
    EXPECT_EQ(hue(world.pixel(16, 16)), "red");
    EXPECT_EQ(hue(world.pixel(48, 16)), "green");
    EXPECT_EQ(hue(world.pixel(16, 48)), "blue");
    EXPECT_EQ(hue(world.pixel(48, 48)), "grey");
    expect_sound(world.scene());
  }
}

TEST_P(TexturedRays, PlacementsAreVerified) {
  for (const Placed& each : placed) {
    SCOPED_TRACE(each.name);
    PictureWorld world = world_of(textured_square(random_image(13, 6, 2), 1.7F, each.placement));
    world.draw(textured_view(33));
    expect_sound(world.scene());
  }
}

// Materials without a texture keep their colour beside one that has one.
TEST_P(TexturedRays, OtherMaterialsKeepTheirColours) {
  Mesh mesh = textured_square(image_of(1, 1, {texel_red}));
  mesh.triangle_material = {0, 1};
  mesh.materials[1].diffuse = {0.1F, 0.9F, 0.1F};
  PictureWorld world = world_of(std::move(mesh));
  world.draw(textured_view(32));
  EXPECT_EQ(hue(world.pixel(24, 24)), "red");  // the triangle at the lower right
  EXPECT_EQ(hue(world.pixel(8, 8)), "green");
  expect_sound(world.scene());
}

// There are images of different sizes, one of which no material shows.
TEST_P(TexturedRays, EachMaterialShowsItsOwnTexture) {
  Mesh mesh = textured_square(random_image(5, 3, 1));
  mesh.textures.push_back(image_of(3, 3, std::vector(9, texel_red)));
  mesh.textures.push_back(image_of(2, 1, {texel_blue, texel_blue}));
  mesh.triangle_material = {0, 1};
  for (std::uint32_t material = 0; material < 2; ++material) {
    mesh.materials[material].diffuse = {1.0F, 1.0F, 1.0F};
    mesh.materials[material].texture = material + 1;
  }
  PictureWorld world = world_of(std::move(mesh));
  world.draw(textured_view(32));
  EXPECT_EQ(hue(world.pixel(24, 24)), "red");
  EXPECT_EQ(hue(world.pixel(8, 8)), "blue");
  expect_sound(world.scene());
  EXPECT_TRUE(world.scene().materials().textures.empty()) << "OpenGL would prepare them, too";
}

// A texture takes its share of light: what paths bring back of a white world is its colour.
TEST_P(TexturedRays, PathsReturnTheColourOfTheTexture) {
  const std::uint32_t grey = 0xff808080U;
  PictureWorld world =
      world_of(textured_square(image_of(1, 1, {grey})), {"view=paths", "light=white"});
  PictureWorld plain =
      world_of(textured_square(image_of(1, 1, {texel_white})), {"view=paths", "light=white"});
  world.draw(textured_view(16));
  plain.draw(textured_view(16));
  // As film shows radiance 1 and that of this grey.
  const auto exposed = [](float linear) { return 1.0F - std::exp(-1.1F * linear); };
  const float linear = rays_tables()->linear[0x80];
  const auto byte = [](float x) {
    return std::lround(255.0F * (1.055F * std::pow(x, 1.0F / 2.4F) - 0.055F));
  };
  EXPECT_NEAR(static_cast<int>(plain.pixel(8, 8) & 255U), byte(exposed(1.0F)), 2);
  EXPECT_NEAR(static_cast<int>(world.pixel(8, 8) & 255U), byte(exposed(linear)), 2);
}

// Many texels a pixel: the first sample shows their mean, no texel by chance. Seen from near it
// shows the texels.
TEST_P(TexturedRays, FarTexturesAreSmooth) {
  std::vector<std::uint32_t> pixels;
  for (int i = 0; i < 256 * 256; ++i)
    pixels.push_back((i / 256 + i) % 2 == 0 ? texel_white : texel_black);
  const auto spread = [&](float times) {
    PictureWorld world =
        world_of(textured_square(image_of(256, 256, pixels), times), {"view=paths", "light=white"});
    world.draw(textured_view(32));
    int least = 255;
    int most = 0;
    for (std::size_t y = 2; y < 30; ++y)
      for (std::size_t x = 2; x < 30; ++x) {
        least = std::min(least, static_cast<int>(world.pixel(x, y) & 255U));
        most = std::max(most, static_cast<int>(world.pixel(x, y) & 255U));
      }
    return most - least;
  };
  EXPECT_LT(spread(1.0F), 4);
  EXPECT_LT(spread(7.3F), 4);
  EXPECT_GT(spread(0.01F), 150);
}

// --- memory

// On a device that does not read the host's memory.
TEST(MeshTexturesMemory, HoldsTheTexelsOfTheHost) {
  SmallDevice device(few_devices().front().device);
  ASSERT_FALSE(device.reads_host_memory());
  const Mesh mesh = textured_square(random_image(20, 10, 1));
  MeshTextures textures(device, mesh);
  const auto stream = device.create_stream();
  LoadControl control;
  textures.load(*stream, control);
  EXPECT_EQ(textures.difference(*stream), "");
  if (device.info().backend != Backend::cpu) GTEST_SKIP() << "its memory is not written here";
  const std::uint32_t* const texels = textures.device()[0].texels;
  ASSERT_NE(texels, textures.host()[0].texels);
  const_cast<std::uint32_t*>(texels)[7] ^= 1U;
  EXPECT_EQ(textures.difference(*stream).find("texel 7 is "), 0U);
}

TEST(MeshTexturesMemory, IsThatOfTheLevels) {
  Mesh plain = sphere(10);
  EXPECT_EQ(MeshTextures::bytes_needed(plain), 0U);
  plain.textures = {random_image(64, 32, 1)};
  EXPECT_EQ(MeshTextures::bytes_needed(plain), 0U) << "no material shows it";
  Mesh mesh = textured_square(random_image(64, 32, 1));
  std::uint64_t texels = 0;
  for (const std::uint64_t of_level : {64 * 32, 32 * 16, 16 * 8, 8 * 4, 4 * 2, 2 * 1, 1})
    texels += of_level;
  EXPECT_EQ(MeshTextures::bytes_needed(mesh), 4 * texels + mesh.materials.size() * sizeof(Texture));
}

}  // namespace
}  // namespace warpview::test
