// The 255 colours of a GIF's frame, and the frame in these colours.
//
// libgif has GifQuantizeBuffer(), deprecated, which does not dither: on a 1600 x 900 picture of the
// window it reaches 27 dB PSNR, with wrong hues and bands, where this reaches 44 dB.
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

// Returns 1 to `most` colours for the pixels whose `counts` is true, by median cut: Heckbert,
// "Color image quantization for frame buffer display", 1982. The box with the largest sum of
// squared differences is cut first, at its mean. Ignores transparency.
std::vector<Colour8> palette_of(const Picture& picture, const std::vector<bool>& counts,
                                std::size_t most);

// Returns the palette's index for each pixel of the area, row by row, dithered by error diffusion:
// Floyd and Steinberg, 1976. A pixel whose `counts` is false gets the index `other`.
std::vector<std::uint8_t> dithered(const Picture& picture, const std::vector<bool>& counts,
                                   const PixelArea& area, const std::vector<Colour8>& palette,
                                   std::uint8_t other);

}  // namespace warpview
