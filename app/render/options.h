// How a picture is drawn.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "app/common/theme.h"

namespace warpview {

struct RenderOptions {
  bool shadows = true;        // of the key light; draws the bodies a second time
  bool ground = true;         // below the scene, with the bodies' shadow; see Renderer::draw()
  bool horizon = true;        // the background is a sky over a floor; else the same on all sides
  bool occlusion = true;      // less light in creases and where bodies are close to each other
  bool dims_surfaces = true;  // surfaces step back behind the lines over them
  Theme theme = Theme::dark;  // of the background, and of lines before it
  float pixel_scale = 1.0F;   // pixels in a unit of the display's: widths grow with it
  bool transparent = false;   // no background: see Renderer::draw()
  bool antialiased = true;    // four samples a pixel; else it is coarse: Drawing::coarse

  bool operator==(const RenderOptions&) const = default;
};

// What the user switches on and off in all scenes. A row is a box of the Scene panel, an item of
// the View menu, an option --NAME of the command line, a line of the settings and a step to undo.
struct LookSwitch {
  const char* name;
  const char* title;
  const char* about;
  const char* without;  // what --no-NAME does
  bool RenderOptions::*value;
};
inline constexpr std::array look_switches = {
    LookSwitch{"shadows", "Shadows",
               "Surfaces and spheres cast shadows on each other and on the ground.",
               "Draw no shadows", &RenderOptions::shadows},
    LookSwitch{
        "ground", "Ground",
        "The scene stands on a plane, which fades out around it. It is not drawn from below. "
        "Pictures without a background have none.",
        "Draw no ground under the scene", &RenderOptions::ground},
    LookSwitch{"horizon", "Horizon",
               "The background is a sky over a floor and turns with the camera. Off: an even "
               "backdrop.",
               "Draw an even backdrop instead of a sky over a floor", &RenderOptions::horizon},
    LookSwitch{"occlusion", "Occlusion",
               "Ambient occlusion: darkens creases, and places that other bodies are close to. "
               "Pictures that are "
               "coarse while something moves have none.",
               "Darken no creases", &RenderOptions::occlusion},
    LookSwitch{"dimming", "Dim under overlays",
               "Dims surfaces under boxes, curves and points, to make these readable.",
               "Do not dim surfaces under boxes, curves and points", &RenderOptions::dims_surfaces},
};

// By row; none: as usual.
using LookChoice = std::array<std::optional<bool>, look_switches.size()>;

// All that the table switches, as `from` has it.
inline void take_look(RenderOptions& options, const RenderOptions& from) {
  for (const LookSwitch& each : look_switches) options.*each.value = from.*each.value;
}

inline void choose_look(RenderOptions& options, const LookChoice& choice) {
  for (std::size_t i = 0; i < look_switches.size(); ++i)
    if (choice[i]) options.*look_switches[i].value = *choice[i];
}

}  // namespace warpview
