// Whether words can be read in both themes, and colours be told apart by everybody.
#include "app/panels/style.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <string>
#include <vector>

#include "app/common/plot.h"
#include "tests/support/colour_vision.h"

namespace warpview {
namespace {

ImVec4 over(const ImVec4& c, const ImVec4& below) {
  const auto mix = [&](float top, float bottom) { return c.w * top + (1.0F - c.w) * bottom; };
  return {mix(c.x, below.x), mix(c.y, below.y), mix(c.z, below.z), 1.0F};
}

ImVec4 colour_of(ImU32 c) { return ImGui::ColorConvertU32ToFloat4(c); }
Rgb as_rgb(const ImVec4& c) { return decoded({c.x, c.y, c.z}); }
double contrast(const ImVec4& a, const ImVec4& b) {
  return warpview::contrast(as_rgb(a), as_rgb(b));
}

struct Named {
  const char* name;
  ImVec4 colour;
};

constexpr double legible = 4.5;
constexpr double visible = 3.0;

class Style : public testing::TestWithParam<Theme> {
 protected:
  Style() : context_(ImGui::CreateContext()) {
    ImGui::GetIO().IniFilename = nullptr;
    apply_style(1.0F, GetParam());
  }
  ~Style() override {
    apply_style(1.0F);
    ImGui::DestroyContext(context_);
  }

  // Of a widget's colour on a panel or in a menu.
  static Named ground(ImGuiCol slot, ImGuiCol below = ImGuiCol_WindowBg) {
    const ImVec4* const colours = ImGui::GetStyle().Colors;
    const ImVec4 white{1.0F, 1.0F, 1.0F, 1.0F};
    return {ImGui::GetStyleColorName(slot), over(colours[slot], over(colours[below], white))};
  }
  static std::vector<Named> grounds(const std::vector<ImGuiCol>& slots) {
    std::vector<Named> all;
    for (const ImGuiCol slot : slots) all.push_back(ground(slot));
    return all;
  }
  // What panels, menus and messages are drawn on.
  static std::vector<Named> papers() {
    std::vector<Named> all = grounds({ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_MenuBarBg,
                                      ImGuiCol_TitleBgActive, ImGuiCol_TableHeaderBg});
    all.push_back({"card", colour_of(colour::card)});
    return all;
  }
  // And what lies under a line that the mouse is on, or that is chosen.
  static std::vector<Named> lines() {
    std::vector<Named> all = papers();
    for (const ImGuiCol slot : {ImGuiCol_Header, ImGuiCol_HeaderHovered})
      all.push_back(ground(slot));
    return all;
  }

  static void expect_legible(const std::vector<Named>& words, const std::vector<Named>& papers,
                             double least) {
    for (const Named& word : words)
      for (const Named& paper : papers)
        EXPECT_GE(contrast(word.colour, paper.colour), least) << word.name << " on " << paper.name;
  }

  static void expect_distinct(const std::vector<Named>& colours, double least) {
    for (std::size_t a = 0; a < colours.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GE(least_distance(as_rgb(colours[a].colour), as_rgb(colours[b].colour)), least)
            << colours[a].name << " and " << colours[b].name;
  }

  static std::vector<Named> degrees() {
    return {{"good", colour_of(colour::good)},
            {"warning", colour_of(colour::warning)},
            {"serious", colour_of(colour::serious)},
            {"error", colour_of(colour::error)}};
  }
  static std::vector<Named> parts() {
    std::vector<Named> all;
    for (std::size_t i = 0; i < plot_series_colours; ++i)
      all.push_back({"a part", colour_of(colour_of_part(i))});
    return all;
  }
  static std::vector<Named> host_parts() {
    return {{"host", colour_of(colour::host)}, {"host too", colour_of(colour::host_too)}};
  }

  ImGuiContext* context_;
};
INSTANTIATE_TEST_SUITE_P(Themes, Style, testing::Values(Theme::dark, Theme::light));

TEST_P(Style, WordsAreLegible) {
  const ImVec4* const colours = ImGui::GetStyle().Colors;
  std::vector<Named> words = degrees();
  words.insert(words.end(), {{"Text", colours[ImGuiCol_Text]},
                             {"TextDisabled", colours[ImGuiCol_TextDisabled]},
                             {"text", colour_of(colour::text)},
                             {"dim", colour_of(colour::dim)},
                             {"accent", colour_of(colour::accent)}});
  expect_legible(words, lines(), legible);
  expect_legible({{"faint", colour_of(colour::faint)}}, lines(), visible);
}

TEST_P(Style, TextIsLegibleOnEveryWidget) {
  const ImVec4 text = ImGui::GetStyle().Colors[ImGuiCol_Text];
  std::vector<Named> widgets = grounds(
      {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
       ImGuiCol_SliderGrabActive, ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
       ImGuiCol_HeaderActive, ImGuiCol_Tab, ImGuiCol_TabActive, ImGuiCol_TabHovered,
       ImGuiCol_TextSelectedBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive});
  widgets.push_back({"chosen", colour_of(colour::chosen)});
  widgets.push_back({"chosen, hovered", colour_of(colour::chosen_hovered)});
  expect_legible({{"Text", text}}, widgets, legible);
  // What cannot be used is paler.
  for (const Named& widget : grounds({ImGuiCol_WindowBg, ImGuiCol_Button, ImGuiCol_PopupBg})) {
    const ImVec4 pale{text.x, text.y, text.z, ImGui::GetStyle().DisabledAlpha};
    EXPECT_GE(contrast(over(pale, widget.colour), widget.colour), visible) << widget.name;
  }
}

TEST_P(Style, ProgramTextIsLegible) {
  const Named paper{"paper", colour_of(colour::code_paper)};
  const ImVec4 chosen = over(ImGui::GetStyle().Colors[ImGuiCol_TextSelectedBg], paper.colour);
  const std::vector<Named> tints = {{"plain", colour_of(colour::text)},
                                    {"comment", colour_of(colour::code_comment)},
                                    {"keyword", colour_of(colour::code_keyword)},
                                    {"device", colour_of(colour::code_device)},
                                    {"literal", colour_of(colour::code_literal)},
                                    {"directive", colour_of(colour::code_directive)}};
  expect_legible(tints, {paper}, legible);
  expect_legible(tints, {{"selection", chosen}}, visible);
  expect_legible({{"number of a line", colour_of(colour::faint)}}, {paper}, visible);
}

TEST_P(Style, WordsOnColoursAreLegible) {
  std::vector<Named> colours = parts();
  for (const std::vector<Named>& more : {host_parts(), degrees()})
    colours.insert(colours.end(), more.begin(), more.end());
  colours.push_back({"accent", colour_of(colour::accent)});
  for (const Ink& axis : {colour::axis_x, colour::axis_y, colour::axis_z})
    colours.push_back({"axis", colour_of(axis)});
  for (const Named& each : colours) {
    const ImU32 on = text_on(ImGui::ColorConvertFloat4ToU32(each.colour));
    expect_legible({{"label", colour_of(on)}}, {each}, legible);
  }
}

TEST_P(Style, WordsOverThePictureAreLegible) {
  ImVec4 card = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  card.w = overlay_alpha;
  for (const float grey : {0.0F, 0.5F, 1.0F})
    expect_legible({{"text", colour_of(colour::text)},
                    {"dim", colour_of(colour::dim)},
                    {"accent", colour_of(colour::accent)}},
                   {{"the picture", over(card, {grey, grey, grey, 1.0F})}}, legible);
}

TEST_P(Style, BarsStandOutFromWhatIsBehindThem) {
  const std::vector<Named> behind = {ground(ImGuiCol_WindowBg),
                                     {"track", colour_of(colour::track)}};
  expect_legible(parts(), behind, visible);
  expect_legible(host_parts(), {ground(ImGuiCol_WindowBg)}, visible);
  expect_legible({{"accent", colour_of(colour::accent)}}, behind, visible);
}

TEST_P(Style, StagesAndSeriesAreToldApartByEverybody) {
  std::vector<Named> all = parts();
  for (const Named& host : host_parts()) all.push_back(host);
  expect_distinct(all, 0.085);
}

TEST_P(Style, DegreesAreToldApartByEverybody) { expect_distinct(degrees(), 0.075); }

TEST_P(Style, AxesAreToldApartByEverybody) {
  expect_distinct({{"x", colour_of(colour::axis_x)},
                   {"y", colour_of(colour::axis_y)},
                   {"z", colour_of(colour::axis_z)}},
                  0.1);
}

TEST_P(Style, BarsOfTheLaboratoryAreToldApartByEverybody) {
  expect_distinct(
      {{"accent", colour_of(colour::accent)}, {"library", colour_of(colour_of_part(0))}}, 0.085);
}

}  // namespace
}  // namespace warpview
