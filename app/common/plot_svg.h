// A plot as SVG.
#pragma once

#include <string>

#include "app/common/plot.h"

namespace warpview {

// A document of this size in pixels: words as text, colours by the reader's choice of light or dark
// (prefers-color-scheme).
std::string plot_as_svg(const Plot& plot, int width, int height);

}  // namespace warpview
