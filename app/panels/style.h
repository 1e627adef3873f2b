// The look of the panels: colours, fonts and spacing.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>

#include "app/common/theme.h"
#include "app/panels/letters.h"

namespace warpview {

// A colour of meaning: becomes, where it is used, what the theme in use has for it. Those of
// ImGui's own widgets are set by apply_style(), those of series are plot_colour()'s.
class Ink {
 public:
  enum class Meaning : std::uint8_t {
    accent,
    text,
    dim,
    faint,
    good,
    warning,
    serious,
    error,
    track,
    line,
    card,
    chosen,
    chosen_hovered,
    wash,
    axis_x,
    axis_y,
    axis_z,
    host,
    host_too,
    code_paper,
    code_comment,
    code_keyword,
    code_device,
    code_literal,
    code_directive
  };

  explicit constexpr Ink(Meaning meaning) : meaning_(meaning) {}
  operator ImU32() const;  // NOLINT(google-explicit-constructor): it is used as a colour

 private:
  Meaning meaning_;
};

namespace colour {
inline constexpr Ink accent{Ink::Meaning::accent};
inline constexpr Ink text{Ink::Meaning::text};
inline constexpr Ink dim{Ink::Meaning::dim};      // labels, units
inline constexpr Ink faint{Ink::Meaning::faint};  // what is not there
// How good something is; never told by the colour alone.
inline constexpr Ink good{Ink::Meaning::good};
inline constexpr Ink warning{Ink::Meaning::warning};
inline constexpr Ink serious{Ink::Meaning::serious};
inline constexpr Ink error{Ink::Meaning::error};
inline constexpr Ink track{Ink::Meaning::track};    // behind bars and plots
inline constexpr Ink line{Ink::Meaning::line};      // between parts
inline constexpr Ink card{Ink::Meaning::card};      // below the status line, messages
inline constexpr Ink chosen{Ink::Meaning::chosen};  // of several, and what is to be done next
inline constexpr Ink chosen_hovered{Ink::Meaning::chosen_hovered};
inline constexpr Ink wash{Ink::Meaning::wash};  // over what the mouse is on, translucent
inline constexpr Ink axis_x{Ink::Meaning::axis_x};
inline constexpr Ink axis_y{Ink::Meaning::axis_y};
inline constexpr Ink axis_z{Ink::Meaning::axis_z};
inline constexpr Ink host{Ink::Meaning::host};  // the host's parts of a time, by turns
inline constexpr Ink host_too{Ink::Meaning::host_too};
inline constexpr Ink code_paper{Ink::Meaning::code_paper};
inline constexpr Ink code_comment{Ink::Meaning::code_comment};
inline constexpr Ink code_keyword{Ink::Meaning::code_keyword};
inline constexpr Ink code_device{Ink::Meaning::code_device};
inline constexpr Ink code_literal{Ink::Meaning::code_literal};
inline constexpr Ink code_directive{Ink::Meaning::code_directive};
}  // namespace colour

// One colour for each member of a set, from 0: the palette of all plots, over and over. Neighbours
// are told apart with any colour vision.
ImU32 colour_of_part(std::size_t part);
// The same colour, paler: a ground for words in it.
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
  ImFont* mono = nullptr;  // for program text
};

// Replaces the fonts of the current ImGui context by DejaVu Sans, or by ImGui's own where the
// program was built without that. `scale` enlarges what is shown; `density` is pixels in a unit of
// ImGui's, for sharp letters on displays whose units are not pixels. A backend's font texture must
// be made anew. `more` is what they have besides the usual letters.
Fonts load_fonts(float scale, float density, const MoreLetters& more = {});
// The same into any atlas, to whose fonts they are added.
Fonts load_fonts(ImFontAtlas& atlas, float scale, float density, const MoreLetters& more = {});

// How opaque the ground of words over the picture is.
inline constexpr float overlay_alpha = 0.85F;

// Colours and spacing of the current ImGui context, and what inks become from now on.
void apply_style(float scale, Theme theme = Theme::dark);
Theme theme_in_use();

}  // namespace warpview
