// The window's size from one start to the next, on desktops that are scaled and monitors that
// change.
#pragma once

#include <span>

namespace warpview {

// In the units of the window system.
struct WindowSize {
  int width = 0;
  int height = 0;
  bool operator==(const WindowSize&) const = default;
};

// What GLFW multiplies the size by that a window is created with (GLFW_SCALE_TO_MONITOR): the
// desktop's scale where a unit is a pixel, as on X11; 1 where units are larger on scaled desktops,
// as on Wayland. `window` and `pixels` are the size of one window in units and in pixels.
float scaling_of(WindowSize window, WindowSize pixels, float desktop_scale);

// What GLFW makes of the size.
WindowSize scaled(WindowSize size, float scaling);
// The least size that GLFW makes a window of at least this one of. So a window that is created anew
// and anew with the size that it had keeps it, whatever rounding does.
WindowSize unscaled(WindowSize window, float scaling);

// The size itself where it fits one of the areas or there is none, else as much as fits the first.
WindowSize fitted(WindowSize size, std::span<const WindowSize> areas);

}  // namespace warpview
