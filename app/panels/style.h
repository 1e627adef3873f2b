// The look of the panels: colours, fonts and spacing.
#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/common/theme.h"
#include "app/panels/letters.h"

namespace warpview {

// What a colour means. Where it is used it becomes the colour that the theme has for it. Those of
// ImGui's own widgets are set by apply_style(), those of series are plot_colour()'s.
struct Ink {
  Shades shades;
  float alpha = 1.0F;
  operator ImU32() const;  // NOLINT(google-explicit-constructor): it is used as a colour
};

namespace colour {
inline constexpr Ink accent{{0x5cacee, 0x005c9e}};
inline constexpr Ink text{{0xdee2e8, 0x1c2026}};
inline constexpr Ink dim{{0xa0a8b5, 0x505763}};    // labels, units
inline constexpr Ink faint{{0x7b8493, 0x6f7784}};  // what is not there
// How good something is; never told by the colour alone.
inline constexpr Ink good{{0x1ad1b3, 0x046b8a}};
inline constexpr Ink warning{{0xf0d05a, 0x835b57}};
inline constexpr Ink serious{{0xe99709, 0xaa4601}};
inline constexpr Ink error{{0xfd6e71, 0x911036}};
inline constexpr Ink track{{0x2c313a, 0xe2e6ec}};   // behind bars and plots
inline constexpr Ink line{{0x2b3039, 0xd3d8e0}};    // between parts
inline constexpr Ink card{{0x1b1f25, 0xffffff}};    // below the status line, messages
inline constexpr Ink chosen{{0x2f5f88, 0xb4d2ee}};  // of several, and what is to be done next
inline constexpr Ink chosen_hovered{{0x2f6591, 0xa4c8ea}};
inline constexpr Ink wash{{0xffffff, 0x000000}, 0.07F};  // over what the mouse is on, translucent
inline constexpr Ink axis_x{{0xe2707c, 0xcc4026}};
inline constexpr Ink axis_y{{0x89ca5d, 0x33420b}};
inline constexpr Ink axis_z{{0x5e95ef, 0x2150c8}};
inline constexpr Ink host{{0x68707e, 0x7c838e}};  // the host's parts of a time, by turns
inline constexpr Ink host_too{{0x969eaa, 0x565c66}};
inline constexpr Ink code_paper{{0x101317, 0xffffff}};
inline constexpr Ink code_comment{{0x8fb48a, 0x35692f}};
inline constexpr Ink code_keyword{{0x78b4ec, 0x0a4fa8}};
inline constexpr Ink code_device{{0xdea0cc, 0x8a1c74}};
inline constexpr Ink code_literal{{0xe2b870, 0x7c4a00}};
inline constexpr Ink code_directive{{0x9aa4b4, 0x545d6b}};
}  // namespace colour

// The colour of an ink of plots (plot_ink).
ImU32 colour_of_plot(int ink);
// One colour for each member of a set, from 0: the palette of all plots, over and over. Neighbours
// are told apart with any colour vision.
ImU32 colour_of_part(std::size_t part);
// A translucent copy of the colour: for the area below a line.
ImU32 paler(ImU32 c);
// Black or white: what is read better on a ground.
ImU32 text_on(ImU32 ground);

// Height of the panels' letters where nothing is scaled, in units.
inline constexpr float usual_em = 14.0F;

// Null fonts stand for ImGui's current one.
struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
  ImFont* mono = nullptr;   // for program text
  ImFont* large = nullptr;  // a panel's one number that is read from afar; bold
};

// Replaces the fonts of the current ImGui context by DejaVu Sans, or by ImGui's own where the
// program was built without that. `scale` enlarges what is shown; `density` is pixels in a unit of
// ImGui's, for sharp letters on displays whose units are not pixels. A backend's font texture must
// be made anew. `more` are their letters, and must stay until the atlas is built.
Fonts load_fonts(float scale, float density, const MoreLetters& more = no_more_letters());
// Loads fonts into any atlas, to whose fonts they are added.
Fonts load_fonts(ImFontAtlas& atlas, float scale, float density,
                 const MoreLetters& more = no_more_letters());

// How opaque the ground of words over the picture is.
inline constexpr float overlay_alpha = 0.85F;

// Colours and spacing of the current ImGui context, and what inks become from now on.
void apply_style(float scale, Theme theme = Theme::dark);
Theme theme_in_use();

}  // namespace warpview
