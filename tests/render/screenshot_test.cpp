#include "app/render/screenshot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

Picture gradient(int width, int height) {
  Picture image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const int channel : {x * 5, y * 7, x + y, 255})
        image.rgba.push_back(static_cast<std::uint8_t>(channel));
  return image;
}

TEST(Screenshot, PngRoundTrip) {
  const auto file = std::filesystem::temp_directory_path() / "warpview_screenshot_test.png";
  const Picture written = gradient(31, 17);
  write_png(file, written);
  const Picture read = read_png(file);
  std::filesystem::remove(file);
  EXPECT_EQ(read.width, 31);
  EXPECT_EQ(read.height, 17);
  EXPECT_EQ(read.rgba, written.rgba);
}

TEST(Screenshot, ColoursOfAFileAreNotMultipliedByTheirAlpha) {
  const Picture drawn{
      3, 2, {10, 20, 30, 60, 0, 0, 0, 0, 7, 8, 9, 255, 1, 1, 0, 1, 5, 9, 3, 6, 255, 0, 128, 255}};
  const Picture file = unmultiplied(drawn);
  EXPECT_EQ(file.rgba,
            (std::vector<std::uint8_t>{43,  85,  128, 60, 0,   0,   0,   0, 7,   8, 9,   255,
                                       255, 255, 0,   1,  213, 255, 128, 6, 255, 0, 128, 255}));
}

TEST(Screenshot, ErrorsNameTheFile) {
  const std::filesystem::path nowhere = "/nonexistent/picture.png";
  for (const bool writing : {true, false}) {
    try {
      if (writing)
        write_png(nowhere, gradient(2, 2));
      else
        read_png(nowhere);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(nowhere.string()), std::string::npos);
    }
  }
}

TEST(Screenshot, ComparisonCountsPixelsBeyondTheThreshold) {
  const Picture a = gradient(10, 10);
  Picture b = a;
  EXPECT_EQ(compare_images(a, b), 0.0);
  b.rgba[0] ^= 16;  // at the threshold: the same
  EXPECT_EQ(compare_images(a, b), 0.0);
  b.rgba[4] = static_cast<std::uint8_t>(b.rgba[4] + 17);
  b.rgba[5] = static_cast<std::uint8_t>(b.rgba[5] + 100);  // the same pixel
  b.rgba[4 * 99 + 2] = static_cast<std::uint8_t>(b.rgba[4 * 99 + 2] + 17);
  EXPECT_DOUBLE_EQ(compare_images(a, b), 0.02);
  b.rgba[3] = 0;  // alpha is not looked at
  EXPECT_DOUBLE_EQ(compare_images(a, b), 0.02);
  EXPECT_DOUBLE_EQ(compare_images(a, b, 50), 0.01);
}

TEST(Screenshot, DifferentSizesCannotBeCompared) {
  EXPECT_THROW(compare_images(gradient(10, 10), gradient(10, 11)), Error);
}

}  // namespace
}  // namespace warpview
