#include "app/panels/style.h"

#include <array>
#include <cmath>
#include <string_view>

#include "app/common/plot.h"

#if defined(WARPVIEW_HAS_FONTS)
#include "font_file.h"
#endif

namespace warpview {
namespace {

// To the font that was added last.
void add_letters(ImFontAtlas& atlas, const MoreLetters& more, float pixels) {
  for (const MoreLetters::Source& source : more.sources) {
    ImFontConfig config;
    config.MergeMode = true;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    config.FontDataOwnedByAtlas = false;
    config.FontNo = source.font.face;
    atlas.AddFontFromMemoryTTF(const_cast<char*>(source.file->data()),
                               static_cast<int>(source.file->size()), pixels, &config,
                               source.letters.data());
  }
}

// Null where the program was built without fonts.
ImFont* load_font([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] const char* name,
                  [[maybe_unused]] float pixels, [[maybe_unused]] const MoreLetters& more) {
#if defined(WARPVIEW_HAS_FONTS)
  const std::string_view file = font_file(name);
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  config.FontDataOwnedByAtlas = false;  // which only reads it, then
  ImFont* const font = atlas.AddFontFromMemoryTTF(
      const_cast<char*>(file.data()), static_cast<int>(file.size()), pixels, &config,
      more.letters.empty() ? usual_letters.data() : more.letters.data());
  add_letters(atlas, more, pixels);
  return font;
#else
  return nullptr;
#endif
}

// ImGui's own, of equal widths.
ImFont* load_default_font(ImFontAtlas& atlas, float pixels, const MoreLetters& more) {
  ImFontConfig config;
  config.SizePixels = pixels;
  ImFont* const font = atlas.AddFontDefault(&config);
  add_letters(atlas, more, pixels);
  return font;
}

// ---- Colours ------------------------------------------------------------------------------------

// Of each theme, as 0xRRGGBB.
struct Shades {
  unsigned dark, light;
  unsigned of(Theme theme) const { return theme == Theme::dark ? dark : light; }
};

ImVec4 opaque(unsigned hex) {
  const auto channel = [hex](unsigned shift) {
    return static_cast<float>((hex >> shift) & 0xffU) / 255.0F;
  };
  return {channel(16), channel(8), channel(0), 1.0F};
}

// In the order of Ink::Meaning.
constexpr std::array inks = {
    Shades{0x5cacee, 0x005c9e},  // accent
    Shades{0xdee2e8, 0x1c2026},  // text
    Shades{0xa0a8b5, 0x505763},  // dim
    Shades{0x7b8493, 0x6f7784},  // faint
    Shades{0x1ad1b3, 0x046b8a},  // good
    Shades{0xf0d05a, 0x835b57},  // warning
    Shades{0xe99709, 0xaa4601},  // serious
    Shades{0xfd6e71, 0x911036},  // error
    Shades{0x2c313a, 0xe2e6ec},  // track
    Shades{0x2b3039, 0xd3d8e0},  // line
    Shades{0x1b1f25, 0xffffff},  // card
    Shades{0x2f5f88, 0xb4d2ee},  // chosen
    Shades{0x2f6591, 0xa4c8ea},  // chosen_hovered
    Shades{0xffffff, 0x000000},  // wash
    Shades{0xe2707c, 0xcc4026},  // axis_x
    Shades{0x89ca5d, 0x33420b},  // axis_y
    Shades{0x5e95ef, 0x2150c8},  // axis_z
    Shades{0x68707e, 0x7c838e},  // host
    Shades{0x969eaa, 0x565c66},  // host_too
    Shades{0x101317, 0xffffff},  // code_paper
    Shades{0x8fb48a, 0x35692f},  // code_comment
    Shades{0x78b4ec, 0x0a4fa8},  // code_keyword
    Shades{0xdea0cc, 0x8a1c74},  // code_device
    Shades{0xe2b870, 0x7c4a00},  // code_literal
    Shades{0x9aa4b4, 0x545d6b},  // code_directive
};

// ImGui's own: opaque as far as `alpha` says.
struct Slot {
  ImGuiCol slot;
  Shades shades;
  float alpha = 1.0F;
};
constexpr std::array slots = {
    Slot{ImGuiCol_Text, {0xdee2e8, 0x1c2026}},
    Slot{ImGuiCol_TextDisabled, {0xa6aebb, 0x505763}},  // key hints, also under the mouse
    Slot{ImGuiCol_WindowBg, {0x16191e, 0xf6f7f9}},
    Slot{ImGuiCol_ChildBg, {0x000000, 0x000000}, 0.0F},
    Slot{ImGuiCol_PopupBg, {0x1b1f25, 0xffffff}, 0.98F},
    Slot{ImGuiCol_Border, {0x2d333d, 0xc4cad3}},
    Slot{ImGuiCol_BorderShadow, {0x000000, 0x000000}, 0.0F},
    Slot{ImGuiCol_FrameBg, {0x242930, 0xe2e6ec}},
    Slot{ImGuiCol_FrameBgHovered, {0x2f3640, 0xd7dde5}},
    Slot{ImGuiCol_FrameBgActive, {0x374150, 0xccd5e0}},
    Slot{ImGuiCol_TitleBg, {0x1b1f25, 0xe9ecf0}},
    Slot{ImGuiCol_TitleBgActive, {0x20252c, 0xe2e6ec}},
    Slot{ImGuiCol_TitleBgCollapsed, {0x1b1f25, 0xe9ecf0}},
    Slot{ImGuiCol_MenuBarBg, {0x1b1f25, 0xe9ecf0}},
    Slot{ImGuiCol_ScrollbarBg, {0x000000, 0x000000}, 0.0F},
    Slot{ImGuiCol_ScrollbarGrab, {0x363d48, 0xc4cad3}},
    Slot{ImGuiCol_ScrollbarGrabHovered, {0x454e5c, 0xaeb6c1}},
    Slot{ImGuiCol_ScrollbarGrabActive, {0x556072, 0x98a2af}},
    Slot{ImGuiCol_CheckMark, {0x5cacee, 0x005c9e}},
    Slot{ImGuiCol_SliderGrab, {0x2f5f88, 0xa4c8ea}},  // the value stands on it
    Slot{ImGuiCol_SliderGrabActive, {0x2f659a, 0x94beea}},
    Slot{ImGuiCol_Button, {0x2a3039, 0xdde2e9}},
    Slot{ImGuiCol_ButtonHovered, {0x37404d, 0xcfd8e3}},
    Slot{ImGuiCol_ButtonActive, {0x2f5f88, 0xb4d2ee}},
    Slot{ImGuiCol_Header, {0x25303c, 0xdfe8f2}},
    Slot{ImGuiCol_HeaderHovered, {0x2a3542, 0xd9e4f0}},
    Slot{ImGuiCol_HeaderActive, {0x2f5f88, 0xb4d2ee}},
    Slot{ImGuiCol_Tab, {0x20252c, 0xe6eaef}},
    Slot{ImGuiCol_TabHovered, {0x306490, 0xa4c8ea}},
    Slot{ImGuiCol_TabActive, {0x2f5f88, 0xb4d2ee}},
    Slot{ImGuiCol_TabUnfocused, {0x20252c, 0xe6eaef}},
    Slot{ImGuiCol_TabUnfocusedActive, {0x2f5f88, 0xb4d2ee}},
    Slot{ImGuiCol_Separator, {0x2b3039, 0xd3d8e0}},
    Slot{ImGuiCol_SeparatorHovered, {0x5cacee, 0x005c9e}, 0.6F},
    Slot{ImGuiCol_SeparatorActive, {0x5cacee, 0x005c9e}},
    Slot{ImGuiCol_ResizeGrip, {0x363d48, 0xc4cad3}, 0.6F},
    Slot{ImGuiCol_ResizeGripHovered, {0x5cacee, 0x005c9e}, 0.6F},
    Slot{ImGuiCol_ResizeGripActive, {0x5cacee, 0x005c9e}},
    Slot{ImGuiCol_PlotHistogram, {0x5cacee, 0x005c9e}},
    Slot{ImGuiCol_TableHeaderBg, {0x1b1f25, 0xe9ecf0}},
    Slot{ImGuiCol_TableBorderStrong, {0x2b3039, 0xd3d8e0}},
    Slot{ImGuiCol_TableBorderLight, {0x23282f, 0xe2e6ec}},
    Slot{ImGuiCol_TableRowBgAlt, {0xffffff, 0x000000}, 0.015F},
    Slot{ImGuiCol_TextSelectedBg, {0x2f5f88, 0xa4c8ea}, 0.8F},
    Slot{ImGuiCol_NavHighlight, {0x5cacee, 0x005c9e}},
    Slot{ImGuiCol_ModalWindowDimBg, {0x000000, 0x000000}, 0.45F},
};

// Of the style that was applied last, as ImGui's own.
Theme the_theme = Theme::dark;

}  // namespace

Theme theme_in_use() { return the_theme; }

Ink::operator ImU32() const {
  ImVec4 c = opaque(inks[static_cast<std::size_t>(meaning_)].of(the_theme));
  constexpr float thin = 0.07F;
  if (meaning_ == Meaning::wash) c.w = thin;
  return ImGui::ColorConvertFloat4ToU32(c);
}

ImU32 colour_of_part(std::size_t part) {
  const int ink = plot_ink::first_series + static_cast<int>(part % plot_series_colours);
  const PlotColour c = plot_colour(ink, the_theme);
  return IM_COL32(c.red, c.green, c.blue, 255);
}

ImU32 paler(ImU32 c) {
  constexpr ImU32 alpha = 40;
  return (c & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

ImU32 text_on(ImU32 ground) {
  const auto linear = [](float x) {
    return x <= 0.04045F ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
  };
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(ground);
  const float luminance = 0.2126F * linear(c.x) + 0.7152F * linear(c.y) + 0.0722F * linear(c.z);
  // As far from black as from white, as contrast is defined: the root of 0.05 times 1.05, less
  // 0.05.
  constexpr float middle = 0.179F;
  return luminance > middle ? IM_COL32_BLACK : IM_COL32_WHITE;
}

Fonts load_fonts(float scale, float density, const MoreLetters& more) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.FontGlobalScale = 1.0F / density;
  const Fonts fonts = load_fonts(*io.Fonts, scale, density, more);
  io.FontDefault = fonts.regular;
  return fonts;
}

Fonts load_fonts(ImFontAtlas& atlas, float scale, float density, const MoreLetters& more) {
  const auto pixels = [&](float size) { return std::round(size * scale * density); };
  Fonts fonts{.regular = load_font(atlas, "DejaVuSans.ttf", pixels(usual_em), more),
              .bold = load_font(atlas, "DejaVuSans-Bold.ttf", pixels(usual_em), more),
              .small = load_font(atlas, "DejaVuSans.ttf", pixels(12.0F), more),
              .mono = load_font(atlas, "DejaVuSansMono.ttf", pixels(12.0F), more)};
  if (fonts.regular == nullptr) fonts.regular = load_default_font(atlas, pixels(13.0F), more);
  if (fonts.bold == nullptr) fonts.bold = fonts.regular;
  if (fonts.small == nullptr) fonts.small = fonts.regular;
  if (fonts.mono == nullptr) fonts.mono = load_default_font(atlas, pixels(13.0F), more);
  return fonts;
}

void apply_style(float scale, Theme theme) {
  ImGuiStyle style;
  style.WindowPadding = {12.0F, 10.0F};
  style.FramePadding = {8.0F, 3.0F};
  style.CellPadding = {4.0F, 3.0F};
  style.ItemSpacing = {8.0F, 5.0F};
  style.ItemInnerSpacing = {6.0F, 4.0F};
  style.IndentSpacing = 16.0F;
  style.ScrollbarSize = 11.0F;
  style.GrabMinSize = 10.0F;
  style.WindowRounding = 6.0F;
  style.ChildRounding = 4.0F;
  style.FrameRounding = 4.0F;
  style.PopupRounding = 5.0F;
  style.ScrollbarRounding = 6.0F;
  style.GrabRounding = 3.0F;
  style.WindowBorderSize = 1.0F;
  style.PopupBorderSize = 1.0F;
  style.FrameBorderSize = 0.0F;
  style.WindowTitleAlign = {0.0F, 0.5F};
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DisabledAlpha = 0.5F;

  for (const Slot& each : slots) {
    style.Colors[each.slot] = opaque(each.shades.of(theme));
    style.Colors[each.slot].w = each.alpha;
  }
  the_theme = theme;
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
}

}  // namespace warpview
