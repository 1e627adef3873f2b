// A box with words in it, as several views draw lanes and locks.
#pragma once

#include <string>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// `active`: the last step did it; filled more strongly. `dotted`: a dotted frame, for back-off.
struct Chip {
  std::string words;
  int ink = plot_ink::neutral;
  bool active = false;
  bool dotted = false;
  std::string name{};
};
inline constexpr float chip_height = plot_line_height + 0.2F;
void draw_chip(Sketch& sketch, const PlotSurface& surface, PlotBox ems, const Chip& chip);

}  // namespace warpview::step_views
