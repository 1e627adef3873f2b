#include "app/render/screenshot.h"

#include <fmt/format.h>

#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gpu/runtime/error.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

constexpr int channels = 4;

// libpng's description of a picture that it reads or writes, with what it holds meanwhile.
class PngImage {
 public:
  PngImage() { image_.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image_); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  png_image* get() { return &image_; }
  png_image* operator->() { return &image_; }
  png_image& operator*() { return image_; }

 private:
  png_image image_{};
};

std::string size_of(const Picture& image) {
  return std::to_string(image.width) + " x " + std::to_string(image.height);
}

}  // namespace

void write_png(const std::filesystem::path& file, const Picture& image) {
  PngImage png;
  png->width = static_cast<png_uint_32>(image.width);
  png->height = static_cast<png_uint_32>(image.height);
  png->format = PNG_FORMAT_RGBA;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(*png);
  std::string encoded(bytes, '\0');
  constexpr int as_it_is = 0;
  if (png_image_write_to_memory(png.get(), encoded.data(), &bytes, as_it_is, image.rgba.data(),
                                image.width * channels, nullptr) == 0)
    throw Error("writing the picture " + file.string(), png->message,
                "Use a picture of at least one pixel");
  write_whole_file(file, std::string_view(encoded).substr(0, bytes));
}

Picture read_png(const std::filesystem::path& file) {
  PngImage png;
  const auto require = [&](int succeeded) {
    if (succeeded == 0)
      throw Error("reading the picture " + file.string(), png->message,
                  "Name an existing PNG file");
  };
  require(png_image_begin_read_from_file(png.get(), file.c_str()));
  png->format = PNG_FORMAT_RGBA;
  Picture image{static_cast<int>(png->width), static_cast<int>(png->height), {}};
  image.rgba.resize(PNG_IMAGE_SIZE(*png));
  require(png_image_finish_read(png.get(), nullptr, image.rgba.data(), image.width * channels,
                                nullptr));
  return image;
}

Picture unmultiplied(Picture image) {
  for (std::size_t pixel = 0; pixel < image.rgba.size(); pixel += channels) {
    const unsigned alpha = image.rgba[pixel + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      std::uint8_t& value = image.rgba[pixel + channel];
      value = static_cast<std::uint8_t>(std::min((value * 255U + alpha / 2) / alpha, 255U));
    }
  }
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

std::string difference_in_words(const PictureDifference& difference) {
  if (difference.largest == 0) return "No pixel differs";
  const double percent = 100.0 * difference.share;
  const std::string share = percent < 0.01 ? "Less than 0.01" : fmt::format("{:.2f}", percent);
  return fmt::format("{} % of the pixels differ, by {} of 255 at most", share, difference.largest);
}

Picture side_by_side(const std::vector<Picture>& pictures) {
  Picture all;
  for (const Picture& each : pictures) {
    all.width += each.width;
    all.height = each.height;
  }
  for (int row = 0; row < all.height; ++row)
    for (const Picture& each : pictures) {
      const std::ptrdiff_t stride = std::ptrdiff_t{channels} * each.width;
      const auto begin = each.rgba.begin() + row * stride;
      all.rgba.insert(all.rgba.end(), begin, begin + stride);
    }
  return all;
}

}  // namespace warpview
