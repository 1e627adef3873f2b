// A plot drawn by ImGui: into the window, and into a picture without one.
#pragma once

#include <imgui.h>

#include <span>

#include "app/common/plot.h"
#include "app/panels/style.h"
#include "app/render/screenshot.h"

namespace warpview {

// Shapes, with their origin at `at`.
void draw_shapes(ImDrawList& list, std::span<const PlotShape> shapes, ImVec2 at, const Fonts& fonts,
                 float em, Theme theme);

// The plot as the window shows it in this theme, of this size in pixels, at least 1 each. Needs
// neither OpenGL nor a context of ImGui, but must not run beside ImGui on another thread.
Picture plot_picture(const Plot& plot, int width, int height, Theme theme);

}  // namespace warpview
