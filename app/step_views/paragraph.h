// Words that fit a width, in ems.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// The words, cut off by "..." where they are wider than this.
std::string cut_to(const PlotSurface& surface, std::string words, float ems);
// The words in lines, broken at blanks: no wider than this, unless a word is.
std::vector<std::string> wrapped(const PlotSurface& surface, std::string_view words, float ems);

// Draws the words in lines from `at` to the right edge of the sketch; a word that is wider is cut
// off. Returns the height, which is 0 without words.
float draw_paragraph(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
                     std::string_view words, int ink = plot_ink::text, bool bold = false);

}  // namespace warpview::step_views
