#include "app/panels/style.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <utility>
#include <vector>

namespace warpview {
namespace {

// As the Web Content Accessibility Guidelines have it: of opaque colours.
double luminance(const ImVec4& c) {
  const auto linear = [](float x) {
    return x <= 0.04045F ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.x) + 0.7152 * linear(c.y) + 0.0722 * linear(c.z);
}

double contrast(const ImVec4& a, const ImVec4& b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

ImVec4 over(const ImVec4& c, const ImVec4& below) {
  const auto mix = [&](float top, float bottom) { return c.w * top + (1.0F - c.w) * bottom; };
  return {mix(c.x, below.x), mix(c.y, below.y), mix(c.z, below.z), 1.0F};
}

class Style : public testing::Test {
 protected:
  Style() : context_(ImGui::CreateContext()) { apply_style(1.0F); }
  ~Style() override { ImGui::DestroyContext(context_); }

  // Of a widget's colour on a panel or in a menu.
  static ImVec4 ground(ImGuiCol slot, ImGuiCol below = ImGuiCol_WindowBg) {
    const ImVec4* const colours = ImGui::GetStyle().Colors;
    return over(colours[slot], colours[below]);
  }

  static constexpr double legible = 4.5;
  ImGuiContext* context_;
};

TEST_F(Style, KeyHintsAreLegible) {
  const ImVec4 hint = ImGui::GetStyle().Colors[ImGuiCol_TextDisabled];
  for (const ImGuiCol slot : {ImGuiCol_PopupBg, ImGuiCol_HeaderHovered, ImGuiCol_Header})
    EXPECT_GE(contrast(hint, ground(slot, ImGuiCol_PopupBg)), legible)
        << ImGui::GetStyleColorName(slot);
  for (const ImU32 c : {colour::dim, colour::accent})
    for (const ImGuiCol slot : {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_MenuBarBg})
      EXPECT_GE(contrast(ImGui::ColorConvertU32ToFloat4(c), ground(slot)), legible)
          << ImGui::GetStyleColorName(slot);
}

TEST_F(Style, TextIsLegibleOnEveryWidget) {
  const ImVec4 text = ImGui::GetStyle().Colors[ImGuiCol_Text];
  for (const ImGuiCol slot :
       {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_MenuBarBg, ImGuiCol_TitleBgActive,
        ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
        ImGuiCol_SliderGrabActive, ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
        ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_Tab,
        ImGuiCol_TabActive, ImGuiCol_TabHovered})
    EXPECT_GE(contrast(text, ground(slot)), legible) << ImGui::GetStyleColorName(slot);
}

}  // namespace
}  // namespace warpview
