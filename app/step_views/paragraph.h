// Words in lines, and a key of colours, in ems.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// Breaks words at blanks where a line would be wider than the sketch. Returns the height.
float draw_paragraph(Sketch& sketch, const PlotSurface& surface, float y, std::string_view words,
                     int ink = plot_ink::text, bool bold = false);

// What a coloured frame means.
struct Swatch {
  int ink;
  const char* words;
};
// Frames with their words side by side, in as many lines as they need. Returns the height.
float draw_swatches(Sketch& sketch, const PlotSurface& surface, float y,
                    const std::vector<Swatch>& swatches);

}  // namespace warpview::step_views
