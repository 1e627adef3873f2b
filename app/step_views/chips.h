// Small parts that several views draw: a lane as a chip, words that fit a width.
#pragma once

#include <string>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// "BLOCK/WARP/LANE".
std::string lane_words(const Recording& recording, std::uint32_t block, std::uint32_t thread);

// The words, or as many of their letters as fit into a width in ems, with ".." behind them.
std::string fitted(const PlotSurface& surface, std::string words, float ems);

// A box with words in it. What the last step did is filled more strongly; a dashed frame is of
// something that rests.
struct Chip {
  std::string words;
  int ink = plot_ink::neutral;
  bool active = false;
  bool dashed = false;
  std::string name{};
};
inline constexpr float chip_height = plot_line_height + 0.2F;
void draw_chip(Sketch& sketch, const PlotSurface& surface, PlotBox ems, const Chip& chip);

// Colours and what they stand for, side by side, in as many lines as they need. Returns the height
// in ems.
struct KeyEntry {
  std::string words;
  int ink = plot_ink::neutral;
  float opacity = 1.0F;
};
float draw_key(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
               const std::vector<KeyEntry>& entries);

// Words in lines, broken at blanks where a line would be wider. Returns the height in ems.
float draw_lines(Sketch& sketch, const PlotSurface& surface, PlotVertex at, std::string_view words,
                 float ems, int ink = plot_ink::text);

}  // namespace warpview::step_views
