#include "app/window/window_size.h"

#include <algorithm>

namespace warpview {
namespace {

// As GLFW does it.
int scaled(int size, float scaling) { return static_cast<int>(static_cast<float>(size) * scaling); }

int unscaled(int size, float scaling) {
  // The quotient is rounded: begin below it.
  int least = std::max(static_cast<int>(static_cast<float>(size) / scaling) - 1, 0);
  while (scaled(least, scaling) < size) ++least;
  return least;
}

}  // namespace

float scaling_of(WindowSize window, WindowSize pixels, float desktop_scale) {
  if (window.width <= 0 || pixels.width <= 0 || !(desktop_scale > 0.0F)) return 1.0F;
  return desktop_scale * static_cast<float>(window.width) / static_cast<float>(pixels.width);
}

WindowSize scaled(WindowSize size, float scaling) {
  return {scaled(size.width, scaling), scaled(size.height, scaling)};
}

WindowSize unscaled(WindowSize window, float scaling) {
  return {unscaled(window.width, scaling), unscaled(window.height, scaling)};
}

WindowSize fitted(WindowSize size, std::span<const WindowSize> areas) {
  const auto holds_it = [size](WindowSize area) {
    return size.width <= area.width && size.height <= area.height;
  };
  if (areas.empty() || std::any_of(areas.begin(), areas.end(), holds_it)) return size;
  return {std::min(size.width, areas[0].width), std::min(size.height, areas[0].height)};
}

}  // namespace warpview
