#include "scenes/parts/image_levels.h"

#include <fmt/format.h>
#include <stb_image_resize.h>

#include <bit>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

void resize(const std::uint8_t* from, ImageSize old_size, std::uint8_t* to, ImageSize new_size) {
  constexpr int channels = 4;
  constexpr int alpha_channel = 3;
  if (stbir_resize_uint8_srgb(from, old_size.width, old_size.height, 0, to, new_size.width,
                              new_size.height, 0, channels, alpha_channel, 0) == 0)
    throw Error(
        fmt::format("resizing a texture to {} x {} pixels", new_size.width, new_size.height),
        "there is not enough memory", "Use smaller textures");
}

}  // namespace

int ImageSize::levels() const {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(width, height))));
}

std::size_t ImageSize::bytes_with_levels() const {
  std::size_t sum = 0;
  ImageSize size = *this;
  for (int level = levels(); level > 0; --level, size = size.halved()) sum += size.bytes();
  return sum;
}

ImageSize size_of(const Image& image) {
  const auto side = [](std::uint32_t pixels) {
    return static_cast<int>(std::clamp(pixels, 1U, Image::longest_side));
  };
  return {side(image.width), side(image.height)};
}

std::vector<std::uint8_t> with_levels(const Image& image, ImageSize size,
                                      const std::function<void()>& each_level) {
  std::vector<std::uint8_t> levels(size.bytes_with_levels());
  const ImageSize original = {static_cast<int>(image.width), static_cast<int>(image.height)};
  if (original == size)
    std::copy(image.rgba.begin(), image.rgba.end(), levels.begin());
  else
    resize(image.rgba.data(), original, levels.data(), size);
  each_level();
  std::uint8_t* above = levels.data();
  for (int level = size.levels() - 1; level > 0; --level) {
    std::uint8_t* const below = above + size.bytes();
    resize(above, size, below, size.halved());
    each_level();
    above = below;
    size = size.halved();
  }
  return levels;
}

}  // namespace warpview
