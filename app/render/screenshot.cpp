#include "app/render/screenshot.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "gpu/runtime/error.h"

namespace warpview {

namespace {

constexpr int channels = 4;

std::string size_of(const Picture& image) {
  return std::to_string(image.width) + " x " + std::to_string(image.height);
}

}  // namespace

void write_png(const std::filesystem::path& file, const Picture& image) {
  if (stbi_write_png(file.c_str(), image.width, image.height, channels, image.rgba.data(),
                     image.width * channels) == 0)
    throw Error("writing the picture " + file.string(), "the file cannot be written",
                "Check that the folder exists and has room");
}

Picture read_png(const std::filesystem::path& file) {
  Picture image;
  int found_channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load(file.c_str(), &image.width, &image.height, &found_channels, channels),
      &stbi_image_free);
  if (!pixels)
    throw Error("reading the picture " + file.string(), stbi_failure_reason(),
                "Give a PNG file that exists");
  const std::size_t bytes =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * channels;
  image.rgba.assign(pixels.get(), pixels.get() + bytes);
  return image;
}

double compare_images(const Picture& a, const Picture& b, int threshold) {
  if (a.width != b.width || a.height != b.height)
    throw Error("comparing two pictures", "one is " + size_of(a) + ", the other " + size_of(b),
                "Render both at the same size");
  if (a.rgba.empty()) return 0.0;
  std::size_t different = 0;
  for (std::size_t pixel = 0; pixel < a.rgba.size(); pixel += channels) {
    bool differs = false;
    for (std::size_t channel = 0; channel < 3; ++channel)
      differs |= std::abs(a.rgba[pixel + channel] - b.rgba[pixel + channel]) > threshold;
    different += differs ? 1 : 0;
  }
  return static_cast<double>(different) / (static_cast<double>(a.rgba.size()) / channels);
}

}  // namespace warpview
