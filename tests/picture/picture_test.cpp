// Backends must agree on the picture: the default scene, rendered by the CPU device and Mesa's
// software rasteriser, beside a kept picture by an NVIDIA GPU and beside the GPU that is here.
#include <gtest/gtest.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/backends.h"

namespace warpview::test {
namespace {

constexpr int side = 512;  // pixels

// Bytes of RGB, row by row; empty where the file is no picture of the wanted size.
std::vector<unsigned char> read_picture(const std::string& file) {
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(file.c_str(), &width, &height, &channels, 3), stbi_image_free);
  if (!pixels || width != side || height != side) return {};
  return {pixels.get(), pixels.get() + std::size_t{3} * side * side};
}

struct Rendering {
  std::string file;
  int exit_code;
};
// Renders the default scene without panels into a file of this test.
Rendering render(const std::string& name, const std::string& options) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string file = std::filesystem::absolute(test + "_" + name + ".png").string();
  std::filesystem::remove(file);
  const std::string command =
      "'" WARPVIEW_PROGRAM "' --headless --size 512x512 --screenshot '" + file + "' " + options;
  return {file, WEXITSTATUS(std::system(command.c_str()))};
}
std::string render_by(const std::string& backend) {
  const Rendering rendering = render(backend, "--backend " + backend);
  EXPECT_EQ(rendering.exit_code, 0) << backend;
  return rendering.file;
}
// By Mesa's software rasteriser or, where that is not installed, by the OpenGL that is.
std::string render_by_cpu() {
  constexpr int unavailable = 4;
  const Rendering rendering = render("cpu_software", "--backend cpu --software");
  if (rendering.exit_code == unavailable) return render_by("cpu");
  EXPECT_EQ(rendering.exit_code, 0);
  return rendering.file;
}

// Edges may fall on the next pixel: one in a hundred may differ visibly.
void expect_alike(const std::string& one, const std::string& other) {
  const auto a = read_picture(one);
  const auto b = read_picture(other);
  ASSERT_FALSE(a.empty()) << one << " is no picture of 512 x 512 pixels";
  ASSERT_FALSE(b.empty()) << other << " is no picture of 512 x 512 pixels";
  int different = 0;
  for (std::size_t pixel = 0; pixel < a.size(); pixel += 3) {
    bool visible = false;
    for (std::size_t channel = pixel; channel < pixel + 3; ++channel)
      visible |= std::abs(a[channel] - b[channel]) > 16;
    if (visible) ++different;
  }
  EXPECT_LE(different, side * side / 100) << "pixels differ between " << one << " and " << other;
  testing::Test::RecordProperty("different_pixels", different);
}

// A picture of one colour would be like any other broken one.
TEST(Picture, ShowsTheScene) {
  const auto pixels = read_picture(render_by_cpu());
  ASSERT_FALSE(pixels.empty());
  std::vector<bool> seen(256);
  for (const unsigned char value : pixels) seen[value] = true;
  EXPECT_GT(std::count(seen.begin(), seen.end(), true), 100);
}

TEST(Picture, OfTheCpuIsLikeTheKeptOne) { expect_alike(render_by_cpu(), WARPVIEW_KEPT_PICTURE); }

TEST(Picture, OfEveryGpuIsLikeThatOfTheCpu) {
  bool any = false;
  const std::string by_cpu = render_by_cpu();
  for (const BackendStatus& status : list_backends()) {
    if (status.backend == Backend::cpu || !status.usable) continue;
    any = true;
    expect_alike(by_cpu, render_by(to_string(status.backend)));
  }
  if (!any) GTEST_SKIP() << "no GPU backend works here";
}

}  // namespace
}  // namespace warpview::test
