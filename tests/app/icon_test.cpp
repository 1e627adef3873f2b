#include "app/window/icon.h"

#include <gtest/gtest.h>

#include <array>

namespace warpview {
namespace {

std::array<int, 4> pixel(const Icon& icon, double x, double y) {
  // In units of the drawing, which is 64 wide.
  const auto at = [&icon](double part) {
    return static_cast<std::size_t>(part / 64.0 * icon.size);
  };
  const std::size_t first = 4 * (at(y) * static_cast<std::size_t>(icon.size) + at(x));
  std::array<int, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = icon.rgba[first + i];
  return out;
}

TEST(WindowIcon, IsTheOneThatIsInstalled) {
  for (const int size : {16, 32, 48, 64, 128}) {
    const Icon icon = draw_icon(size);
    ASSERT_EQ(icon.rgba.size(), static_cast<std::size_t>(4 * size * size));
    EXPECT_EQ(pixel(icon, 0.0, 0.0)[3], 0) << "round corners at " << size;
    EXPECT_EQ(pixel(icon, 32.0, 2.0), (std::array{0x1b, 0x20, 0x29, 255})) << size;
  }
  // The second lane is ahead of the others.
  const Icon icon = draw_icon(64);
  EXPECT_EQ(pixel(icon, 42.0, 22.0), (std::array{0x5a, 0xa9, 0xf0, 255}));
  EXPECT_EQ(pixel(icon, 51.0, 29.0), (std::array{0x2f, 0x8f, 0x86, 255}));
  EXPECT_EQ(pixel(icon, 51.0, 36.0), (std::array{0x1b, 0x20, 0x29, 255}));
  EXPECT_EQ(pixel(icon, 42.0, 36.0), (std::array{0xd0, 0x64, 0x2a, 255}));
  EXPECT_EQ(pixel(icon, 14.0, 49.0), (std::array{0xe3, 0xd6, 0xb5, 255}));
}

}  // namespace
}  // namespace warpview
