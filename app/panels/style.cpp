#include "app/panels/style.h"

#include <array>
#include <cmath>
#include <string_view>

#include "app/common/plot.h"
#include "app/panels/font_bytes.h"
#include "scenes/files/colour.h"

#if defined(WARPVIEW_HAS_FONTS)
#include "font_file.h"
#endif

namespace warpview {
namespace {

// To the font that was added last.
void add_letters(ImFontAtlas& atlas, const MoreLetters& more, float pixels) {
  ImFontConfig config;
  config.MergeMode = true;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  for (const MoreLetters::Source& source : more.sources) {
    config.FontNo = source.font.face;
    add_font(atlas, *source.file, pixels, config, source.letters.data());
  }
}

// Null where the program was built without fonts. What a cut lacks it has of the regular one.
ImFont* load_font([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] const char* name,
                  [[maybe_unused]] float pixels, [[maybe_unused]] const MoreLetters& more) {
#if defined(WARPVIEW_HAS_FONTS)
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  ImFont* const font = add_font(atlas, font_file(name), pixels, config, more.letters.data());
  constexpr std::string_view regular = "DejaVuSans.ttf";
  if (name != regular) {
    config.MergeMode = true;
    add_font(atlas, font_file(regular), pixels, config, more.letters.data());
  }
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

// Colours of several of ImGui's own widgets.
constexpr Ink title_bar{{0x1b1f25, 0xe9ecf0}};
constexpr Ink grip{{0x363d48, 0xc4cad3}};
constexpr Ink tab{{0x20252c, 0xe6eaef}};
constexpr Ink value{{0x2f5f88, 0xa4c8ea}};
constexpr Ink nothing{{0x000000, 0x000000}, 0.0F};

struct Slot {
  ImGuiCol slot;
  Ink ink;
};
constexpr std::array slots = {
    Slot{ImGuiCol_Text, colour::text},
    Slot{ImGuiCol_TextDisabled, {{0xa6aebb, 0x505763}}},  // key hints, also under the mouse
    Slot{ImGuiCol_WindowBg, {{0x16191e, 0xf6f7f9}}},
    Slot{ImGuiCol_ChildBg, nothing},
    Slot{ImGuiCol_PopupBg, {colour::card.shades, 0.98F}},
    Slot{ImGuiCol_Border, {{0x2d333d, 0xc4cad3}}},
    Slot{ImGuiCol_BorderShadow, nothing},
    Slot{ImGuiCol_FrameBg, {{0x242930, 0xe2e6ec}}},
    Slot{ImGuiCol_FrameBgHovered, {{0x2f3640, 0xd7dde5}}},
    Slot{ImGuiCol_FrameBgActive, {{0x374150, 0xccd5e0}}},
    Slot{ImGuiCol_TitleBg, title_bar},
    Slot{ImGuiCol_TitleBgActive, {{0x20252c, 0xe2e6ec}}},
    Slot{ImGuiCol_TitleBgCollapsed, title_bar},
    Slot{ImGuiCol_MenuBarBg, title_bar},
    Slot{ImGuiCol_ScrollbarBg, nothing},
    Slot{ImGuiCol_ScrollbarGrab, grip},
    Slot{ImGuiCol_ScrollbarGrabHovered, {{0x454e5c, 0xaeb6c1}}},
    Slot{ImGuiCol_ScrollbarGrabActive, {{0x556072, 0x98a2af}}},
    Slot{ImGuiCol_CheckMark, colour::accent},
    Slot{ImGuiCol_SliderGrab, value},  // the value stands on it
    Slot{ImGuiCol_SliderGrabActive, {{0x2f659a, 0x94beea}}},
    Slot{ImGuiCol_Button, {{0x2a3039, 0xdde2e9}}},
    Slot{ImGuiCol_ButtonHovered, {{0x37404d, 0xcfd8e3}}},
    Slot{ImGuiCol_ButtonActive, colour::chosen},
    Slot{ImGuiCol_Header, {{0x25303c, 0xdfe8f2}}},
    Slot{ImGuiCol_HeaderHovered, {{0x2a3542, 0xd9e4f0}}},
    Slot{ImGuiCol_HeaderActive, colour::chosen},
    Slot{ImGuiCol_Tab, tab},
    Slot{ImGuiCol_TabHovered, {{0x306490, 0xa4c8ea}}},
    Slot{ImGuiCol_TabActive, colour::chosen},
    Slot{ImGuiCol_TabUnfocused, tab},
    Slot{ImGuiCol_TabUnfocusedActive, colour::chosen},
    Slot{ImGuiCol_Separator, colour::line},
    Slot{ImGuiCol_SeparatorHovered, {colour::accent.shades, 0.6F}},
    Slot{ImGuiCol_SeparatorActive, colour::accent},
    Slot{ImGuiCol_ResizeGrip, {grip.shades, 0.6F}},
    Slot{ImGuiCol_ResizeGripHovered, {colour::accent.shades, 0.6F}},
    Slot{ImGuiCol_ResizeGripActive, colour::accent},
    Slot{ImGuiCol_PlotHistogram, colour::accent},
    Slot{ImGuiCol_TableHeaderBg, title_bar},
    Slot{ImGuiCol_TableBorderStrong, colour::line},
    Slot{ImGuiCol_TableBorderLight, {{0x23282f, 0xe2e6ec}}},
    Slot{ImGuiCol_TableRowBgAlt, {colour::wash.shades, 0.015F}},
    Slot{ImGuiCol_TextSelectedBg, {value.shades, 0.8F}},
    Slot{ImGuiCol_NavHighlight, colour::accent},
    Slot{ImGuiCol_ModalWindowDimBg, {{0x000000, 0x000000}, 0.45F}},
};

// Theme of the style that was applied last, as ImGui's own.
Theme the_theme = Theme::dark;

ImVec4 channels_of(const Ink& ink) {
  const unsigned hex = ink.shades.of(the_theme);
  const auto channel = [hex](unsigned shift) {
    return static_cast<float>((hex >> shift) & 0xffU) / 255.0F;
  };
  return {channel(16), channel(8), channel(0), ink.alpha};
}

}  // namespace

Theme theme_in_use() { return the_theme; }

Ink::operator ImU32() const { return ImGui::ColorConvertFloat4ToU32(channels_of(*this)); }

ImU32 colour_of_plot(int ink) {
  const PlotColour c = plot_colour(ink, the_theme);
  return IM_COL32(c.red, c.green, c.blue, 255);
}

ImU32 colour_of_part(std::size_t part) {
  return colour_of_plot(plot_ink::first_series + static_cast<int>(part % plot_series_colours));
}

ImU32 paler(ImU32 c) {
  constexpr ImU32 alpha = 40;
  return (c & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

ImU32 text_on(ImU32 ground) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(ground);
  const float luminance = dot({0.2126F, 0.7152F, 0.0722F}, decode_srgb(Vec3{c.x, c.y, c.z}));
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
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;  // which could double the texture
  const auto pixels = [&](float size) { return std::round(size * scale * density); };
  Fonts fonts{.regular = load_font(atlas, "DejaVuSans.ttf", pixels(usual_em), more),
              .bold = load_font(atlas, "DejaVuSans-Bold.ttf", pixels(usual_em), more),
              .small = load_font(atlas, "DejaVuSans.ttf", pixels(12.0F), more),
              .mono = load_font(atlas, "DejaVuSansMono.ttf", pixels(12.0F), more),
              .large = load_font(atlas, "DejaVuSans-Bold.ttf", pixels(22.0F), no_more_letters())};
  if (fonts.regular == nullptr) fonts.regular = load_default_font(atlas, pixels(13.0F), more);
  if (fonts.bold == nullptr) fonts.bold = fonts.regular;
  if (fonts.small == nullptr) fonts.small = fonts.regular;
  if (fonts.large == nullptr) fonts.large = fonts.bold;
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

  the_theme = theme;
  for (const Slot& each : slots) style.Colors[each.slot] = channels_of(each.ink);
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
}

}  // namespace warpview
