#include "app/step_views/chips.h"

#include "app/step_views/paragraph.h"

namespace warpview::step_views {

void draw_chip(Sketch& sketch, const PlotSurface& surface, PlotBox ems, const Chip& chip) {
  sketch.box(ems, chip.ink, chip.active ? 0.45F : 0.15F, chip.name);
  sketch.frame(ems, chip.ink, chip.active ? 0.14F : 0.07F, chip.name).line =
      chip.dotted ? PlotLine::dotted : PlotLine::solid;
  PlotShape& text = sketch.text(
      {ems.x + 0.5F * ems.width, ems.y + 0.5F * (ems.height - plot_line_height)},
      cut_to(surface, chip.words, ems.width - 0.2F), plot_ink::text, PlotShape::Align::middle);
  text.name = chip.name;
}

}  // namespace warpview::step_views
