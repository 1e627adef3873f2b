// A plot drawn by ImGui: into the window, and into a picture without one.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

#include "app/common/plot.h"
#include "app/panels/style.h"
#include "app/render/screenshot.h"

namespace warpview {

// Width of words in a font of this size.
float width_of(const ImFont& font, float size, std::string_view words);

// Shapes, with their origin at `at`.
void draw_shapes(ImDrawList& list, std::span<const PlotShape> shapes, ImVec2 at, const Fonts& fonts,
                 float em, Theme theme);

// The plot as the window shows it in this theme, of this size in pixels, at least 1 each. Needs
// neither OpenGL nor a context of ImGui, but must not run beside ImGui on another thread.
Picture plot_picture(const Plot& plot, int width, int height, Theme theme);

}  // namespace warpview
