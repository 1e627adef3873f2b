// The key of a view: samples of its shapes and their meanings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

using KeySample = std::function<void(Sketch& sketch, PlotBox box)>;
// A box filled with an ink, and a frame of it.
KeySample filled(int ink, float opacity = 1.0F);
KeySample framed(int ink);

struct KeyEntry {
  std::string words;
  KeySample sample;
};

// Draws samples, each followed by its words, from `at` to the right edge of the sketch, in as many
// lines as they need. Returns the height in ems.
float draw_key(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
               const std::vector<KeyEntry>& entries);

}  // namespace warpview::step_views
