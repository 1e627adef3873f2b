// Colours of a GIF's frame: as few as its format has, and the picture in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/render/screenshot.h"

namespace warpview {

struct Colour8 {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Colour8&) const = default;
};

// A part of a picture, in pixels from the upper left.
struct PixelArea {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// At most `most` colours for the pixels of which `counts` is true, by median cut: Heckbert, "Color
// image quantization for frame buffer display", 1982. Boxes with the largest sum of squared
// differences are cut first, at their mean. Never empty. Transparency is not read.
std::vector<Colour8> palette_of(const Picture& picture, const std::vector<bool>& counts,
                                std::size_t most);

// The area in these colours, by index: the errors go to the neighbours to come (Floyd and
// Steinberg, 1976), but for pixels of which `counts` is false. These have the index `other`.
std::vector<std::uint8_t> dithered(const Picture& picture, const std::vector<bool>& counts,
                                   const PixelArea& area, const std::vector<Colour8>& palette,
                                   std::uint8_t other);

}  // namespace warpview
