#include "app/panels/style.h"

#include <cmath>
#include <string_view>

#if defined(WARPVIEW_HAS_FONTS)
#include "font_file.h"
#endif

namespace warpview {
namespace {

// Latin, Greek and Cyrillic, for names of files; punctuation, arrows, signs and shapes.
constexpr ImWchar letters[] = {0x0020, 0x017f, 0x0370, 0x052f, 0x2010, 0x2044, 0x2190,
                               0x2199, 0x2200, 0x2265, 0x25a0, 0x25d7, 0};

ImFont* load_font([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] const char* name,
                  [[maybe_unused]] float pixels) {
#if defined(WARPVIEW_HAS_FONTS)
  const std::string_view file = font_file(name);
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  config.FontDataOwnedByAtlas = false;  // which only reads it, then
  return atlas.AddFontFromMemoryTTF(const_cast<char*>(file.data()), static_cast<int>(file.size()),
                                    pixels, &config, letters);
#else
  return nullptr;
#endif
}

ImVec4 rgb(int hex, float alpha = 1.0F) {
  return {static_cast<float>((hex >> 16) & 0xff) / 255.0F,
          static_cast<float>((hex >> 8) & 0xff) / 255.0F, static_cast<float>(hex & 0xff) / 255.0F,
          alpha};
}

}  // namespace

Fonts load_fonts(float scale, float density) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.FontGlobalScale = 1.0F / density;
  const Fonts fonts = load_fonts(*io.Fonts, scale, density);
  io.FontDefault = fonts.regular;
  return fonts;
}

Fonts load_fonts(ImFontAtlas& atlas, float scale, float density) {
  const auto pixels = [&](float size) { return std::round(size * scale * density); };
  Fonts fonts{.regular = load_font(atlas, "DejaVuSans.ttf", pixels(usual_em)),
              .bold = load_font(atlas, "DejaVuSans-Bold.ttf", pixels(usual_em)),
              .small = load_font(atlas, "DejaVuSans.ttf", pixels(12.0F)),
              .mono = load_font(atlas, "DejaVuSansMono.ttf", pixels(12.0F))};
  if (fonts.regular == nullptr) {
    ImFontConfig config;
    config.SizePixels = pixels(13.0F);
    fonts.regular = atlas.AddFontDefault(&config);
  }
  if (fonts.bold == nullptr) fonts.bold = fonts.regular;
  if (fonts.small == nullptr) fonts.small = fonts.regular;
  if (fonts.mono == nullptr) {  // ImGui's own is of equal widths too
    ImFontConfig config;
    config.SizePixels = pixels(13.0F);
    fonts.mono = atlas.AddFontDefault(&config);
  }
  return fonts;
}

void apply_style(float scale) {
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
  style.DisabledAlpha = 0.45F;

  const auto set = [&style](ImGuiCol slot, const ImVec4& c) { style.Colors[slot] = c; };
  set(ImGuiCol_Text, rgb(0xdee2e8));
  set(ImGuiCol_TextDisabled, rgb(0xa6aebb));  // key hints, also on what the mouse is over
  set(ImGuiCol_WindowBg, rgb(0x16191e));
  set(ImGuiCol_ChildBg, rgb(0x000000, 0.0F));
  set(ImGuiCol_PopupBg, rgb(0x1b1f25, 0.98F));
  set(ImGuiCol_Border, rgb(0x2d333d));
  set(ImGuiCol_BorderShadow, rgb(0x000000, 0.0F));
  set(ImGuiCol_FrameBg, rgb(0x242930));
  set(ImGuiCol_FrameBgHovered, rgb(0x2f3640));
  set(ImGuiCol_FrameBgActive, rgb(0x374150));
  set(ImGuiCol_TitleBg, rgb(0x1b1f25));
  set(ImGuiCol_TitleBgActive, rgb(0x20252c));
  set(ImGuiCol_TitleBgCollapsed, rgb(0x1b1f25));
  set(ImGuiCol_MenuBarBg, rgb(0x1b1f25));
  set(ImGuiCol_ScrollbarBg, rgb(0x000000, 0.0F));
  set(ImGuiCol_ScrollbarGrab, rgb(0x363d48));
  set(ImGuiCol_ScrollbarGrabHovered, rgb(0x454e5c));
  set(ImGuiCol_ScrollbarGrabActive, rgb(0x556072));
  set(ImGuiCol_CheckMark, rgb(0x5cacee));
  set(ImGuiCol_SliderGrab, rgb(0x2f5f88));  // the value stands on it
  set(ImGuiCol_SliderGrabActive, rgb(0x2f659a));
  set(ImGuiCol_Button, rgb(0x2a3039));
  set(ImGuiCol_ButtonHovered, rgb(0x37404d));
  set(ImGuiCol_ButtonActive, rgb(0x2f5f88));
  set(ImGuiCol_Header, rgb(0x2b3542));
  set(ImGuiCol_HeaderHovered, rgb(0x344252));
  set(ImGuiCol_HeaderActive, rgb(0x2f5f88));
  set(ImGuiCol_Tab, rgb(0x20252c));
  set(ImGuiCol_TabHovered, rgb(0x306490));
  set(ImGuiCol_TabActive, rgb(0x2f5f88));
  set(ImGuiCol_TabUnfocused, rgb(0x20252c));
  set(ImGuiCol_TabUnfocusedActive, rgb(0x2f5f88));
  set(ImGuiCol_Separator, rgb(0x2b3039));
  set(ImGuiCol_SeparatorHovered, rgb(0x5cacee, 0.6F));
  set(ImGuiCol_SeparatorActive, rgb(0x5cacee));
  set(ImGuiCol_ResizeGrip, rgb(0x363d48, 0.6F));
  set(ImGuiCol_ResizeGripHovered, rgb(0x5cacee, 0.6F));
  set(ImGuiCol_ResizeGripActive, rgb(0x5cacee));
  set(ImGuiCol_PlotHistogram, rgb(0x5cacee));
  set(ImGuiCol_TableHeaderBg, rgb(0x1b1f25));
  set(ImGuiCol_TableBorderStrong, rgb(0x2b3039));
  set(ImGuiCol_TableBorderLight, rgb(0x23282f));
  set(ImGuiCol_TableRowBgAlt, rgb(0xffffff, 0.015F));
  set(ImGuiCol_TextSelectedBg, rgb(0x2f5f88, 0.8F));
  set(ImGuiCol_NavHighlight, rgb(0x5cacee));
  set(ImGuiCol_ModalWindowDimBg, rgb(0x000000, 0.45F));
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
}

}  // namespace warpview
