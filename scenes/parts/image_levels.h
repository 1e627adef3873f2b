// Images with their mipmaps, made on the host: pictures do not depend on a driver.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "scenes/files/mesh.h"

namespace warpview {

struct ImageSize {  // in pixels, at least 1
  int width = 1;
  int height = 1;

  bool operator==(const ImageSize&) const = default;
  bool operator<(const ImageSize& other) const {
    return width != other.width ? width < other.width : height < other.height;
  }
  std::uint64_t pixels() const {
    return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  }
  std::size_t bytes() const { return 4 * static_cast<std::size_t>(pixels()); }
  // Size of the level below.
  ImageSize halved() const { return {std::max(width / 2, 1), std::max(height / 2, 1)}; }
  // How many levels an image of this size has: the last one is a single pixel.
  int levels() const;
  std::size_t bytes_with_levels() const;
};

// At most Image::longest_side along each axis.
ImageSize size_of(const Image& image);

// All levels of an image, RGBA and sRGB-encoded, one behind the other: first the whole image,
// brought to `size`, last a single pixel. Each is made of the one above it. Calls `each_level`
// after each; what it throws leaves. Error when memory is missing.
std::vector<std::uint8_t> with_levels(const Image& image, ImageSize size,
                                      const std::function<void()>& each_level);

}  // namespace warpview
