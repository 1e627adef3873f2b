#include "app/render/textures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr std::uint64_t much = ~std::uint64_t{0};
const auto quiet = [](float) {};

// Without pixels: these are for plans.
std::vector<Image> sized(std::size_t count, std::uint32_t width, std::uint32_t height) {
  return std::vector<Image>(count, {.file = {}, .width = width, .height = height, .rgba = {}});
}

std::vector<Image> operator+(std::vector<Image> a, const std::vector<Image>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Image filled(std::uint32_t width, std::uint32_t height, std::uint8_t grey) {
  Image image{.file = {}, .width = width, .height = height, .rgba = {}};
  for (std::uint32_t i = 0; i < width * height; ++i)
    image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
  return image;
}

// Each image in one array that is as large as it is; none more arrays or layers than there may be.
void expect_proper(const TexturePlan& plan, const std::vector<Image>& images) {
  EXPECT_LE(plan.arrays.size(), most_texture_arrays);
  std::vector<int> times(images.size());
  for (const TexturePlan::Array& array : plan.arrays) {
    EXPECT_LE(array.images.size(), most_texture_layers);
    for (const std::size_t i : array.images) {
      ++times.at(i);
      EXPECT_GE(array.width, static_cast<int>(std::min(images[i].width, Image::longest_side)));
      EXPECT_GE(array.height, static_cast<int>(std::min(images[i].height, Image::longest_side)));
    }
  }
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
}

TEST(TexturePlan, ALargeOneDoesNotMakeOthersLarge) {
  const std::vector<Image> images = sized(1, 2048, 2048) + sized(40, 1, 1);
  const TexturePlan plan = plan_textures(images);
  expect_proper(plan, images);
  EXPECT_EQ(plan.arrays.size(), 2U);
  EXPECT_LT(plan.memory(), 23'000'000U);  // 16 MiB and a third of that
}

TEST(TexturePlan, LikeSizesShareAnArray) {
  EXPECT_EQ(plan_textures(sized(3, 512, 256)).arrays.size(), 1U);
  const std::vector<Image> images = sized(20, 512, 512) + sized(1, 480, 500) + sized(2, 500, 512);
  const TexturePlan plan = plan_textures(images);
  expect_proper(plan, images);
  EXPECT_EQ(plan.arrays.size(), 1U);
  EXPECT_TRUE(plan_textures({}).arrays.empty());
}

// Of two thousand sizes each takes about its own.
TEST(TexturePlan, ManySizesFitIntoFewArrays) {
  std::vector<Image> images;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 1; i <= 2000; ++i) {
    images = std::move(images) + sized(1, i, 1 + (i * 7919) % 2000);
    bytes += 4 * std::uint64_t{images.back().width} * images.back().height;
  }
  const TexturePlan plan = plan_textures(images);
  expect_proper(plan, images);
  EXPECT_LT(plan.memory(), 6 * bytes);
}

TEST(TexturePlan, MoreThanOneArrayHoldsGoIntoSeveral) {
  const std::vector<Image> images = sized(2100, 4, 4) + sized(5, 64, 64);
  const TexturePlan plan = plan_textures(images);
  expect_proper(plan, images);
  EXPECT_EQ(plan.arrays.size(), 3U);
  const std::vector<Image> mixed = sized(8000, 1, 1) + sized(8000, 2, 9) + sized(384, 16, 3);
  expect_proper(plan_textures(mixed), mixed);
  EXPECT_THROW(plan_textures(sized(most_texture_arrays * most_texture_layers + 1, 1, 1)), Error);
}

TEST(Textures, EachLevelIsHalfOfTheOneAbove) {
  const std::vector<Image> images = {filled(5, 2, 77), filled(4, 2, 200)};
  const TextureArrays made = make_textures(images, much, quiet);
  ASSERT_EQ(made.arrays.size(), 1U);
  const TextureArray& array = made.arrays[0];
  EXPECT_EQ(array.width, 5);
  EXPECT_EQ(array.height, 2);
  EXPECT_EQ(array.levels(), 3);
  ASSERT_EQ(array.layers.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<std::uint8_t>& levels =
        array.layers[static_cast<std::size_t>(made.places[i].layer)];
    ASSERT_EQ(levels.size(), 4U * (5 * 2 + 2 * 1 + 1 * 1));
    for (std::size_t byte = 0; byte < levels.size(); byte += 4)
      EXPECT_NEAR(levels[byte], i == 0 ? 77 : 200, 1) << byte;
  }
}

// What is below a level is what that level alone would have below it.
TEST(Textures, EachLevelIsMadeOfTheOneAbove) {
  Image image = filled(37, 24, 0);
  std::uint32_t noise = 1;
  for (std::uint8_t& byte : image.rgba) byte = static_cast<std::uint8_t>((noise *= 69069U) >> 24U);
  const auto levels_of = [](const Image& of) {
    return make_textures({&of, 1}, much, quiet).arrays.at(0).layers.at(0);
  };
  const std::vector<std::uint8_t> levels = levels_of(image);
  Image second{.file = {}, .width = 18, .height = 12, .rgba = {}};
  const auto begin = levels.begin() + static_cast<std::ptrdiff_t>(image.rgba.size());
  second.rgba.assign(begin, begin + 4 * 18 * 12);
  EXPECT_EQ(std::vector<std::uint8_t>(begin, levels.end()), levels_of(second));
}

// Half black, half white: the last level is grey, as bright as the whole.
TEST(Textures, LevelsKeepTheLight) {
  Image image = filled(64, 64, 0);
  for (std::size_t byte = 0; byte < image.rgba.size() / 2; ++byte) image.rgba[byte] = 255;
  const TextureArrays made = make_textures({&image, 1}, much, quiet);
  const std::vector<std::uint8_t>& levels = made.arrays.at(0).layers.at(0);
  EXPECT_TRUE(std::equal(image.rgba.begin(), image.rgba.end(), levels.begin()));
  const std::uint8_t last = levels[levels.size() - 4];
  EXPECT_NEAR(last, 188, 4);  // half the light, in sRGB
}

TEST(Textures, CanBeStoppedBetweenLevels) {
  const std::vector<Image> images = {filled(256, 256, 9)};
  int calls = 0;
  EXPECT_THROW(make_textures(images, much,
                             [&calls](float done) {
                               EXPECT_LE(done, 1.0F);
                               if (++calls == 3) throw std::runtime_error("enough");
                             }),
               std::runtime_error);
  EXPECT_EQ(calls, 3);
}

TEST(Textures, TakeNoMoreMemoryThanThereIs) {
  const std::vector<Image> images = {filled(256, 256, 9)};
  EXPECT_NO_THROW(make_textures(images, 400'000, quiet));
  try {
    make_textures(images, 300'000, quiet);
    FAIL() << "they were made";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("1 texture"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("0.3 MiB are free"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace warpview
