// The look of the panels: colours, fonts and spacing.
#pragma once

#include <imgui.h>

namespace warpview {

// Colours of meaning; those of ImGui's own widgets are set by apply_style().
namespace colour {
inline constexpr ImU32 accent = IM_COL32(92, 172, 238, 255);
inline constexpr ImU32 text = IM_COL32(222, 226, 232, 255);
inline constexpr ImU32 dim = IM_COL32(139, 147, 160, 255);  // labels, units
inline constexpr ImU32 faint = IM_COL32(88, 95, 107, 255);  // what is not there
inline constexpr ImU32 good = IM_COL32(98, 196, 142, 255);
inline constexpr ImU32 warning = IM_COL32(228, 180, 88, 255);
inline constexpr ImU32 error = IM_COL32(236, 112, 110, 255);
inline constexpr ImU32 track = IM_COL32(44, 49, 58, 255);  // behind bars and plots
inline constexpr ImU32 line = IM_COL32(43, 48, 57, 255);   // between parts
}  // namespace colour

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
// be made anew.
Fonts load_fonts(float scale, float density);
// The same into any atlas, to whose fonts they are added.
Fonts load_fonts(ImFontAtlas& atlas, float scale, float density);

// Colours and spacing of the current ImGui context.
void apply_style(float scale);

}  // namespace warpview
