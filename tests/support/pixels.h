// Single pixels of pictures.
#pragma once

#include <array>
#include <cstddef>

#include "app/render/screenshot.h"

namespace warpview {

// Red, green, blue and alpha; x from the left and y from the top.
inline std::array<int, 4> rgba_at(const Picture& picture, int x, int y) {
  const auto first = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                          static_cast<std::size_t>(x));
  return {picture.rgba[first], picture.rgba[first + 1], picture.rgba[first + 2],
          picture.rgba[first + 3]};
}

}  // namespace warpview
