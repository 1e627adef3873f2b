// What the lanes of a warp bring to a collective, and what each gets.
#pragma once

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// Draws the collective that was executed last, if it was one, below y; returns its lower edge.
// Lane i lies at left + i * side.
float draw_collective(Sketch& sketch, const PlotSurface& surface, float y, float left, float side,
                      const Playback& at);

}  // namespace warpview::step_views
