// How a picture is drawn.
#pragma once

#include "app/common/theme.h"

namespace warpview {

struct RenderOptions {
  bool shadows = true;        // of the key light; draws the bodies a second time
  bool dims_surfaces = true;  // surfaces step back behind the lines over them
  Theme theme = Theme::dark;  // of the background, and of lines before it
  float pixel_scale = 1.0F;   // pixels in a unit of the display's: widths grow with it
  bool transparent = false;   // no background: see Renderer::draw()
  bool antialiased = true;    // four samples a pixel; a rasteriser on the CPU pays for each

  bool operator==(const RenderOptions&) const = default;
};

}  // namespace warpview
