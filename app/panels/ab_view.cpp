// A|B in the view: the divider, which side is which, and a card that chooses how both are seen.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/command_keys.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/render/screenshot.h"

namespace warpview {
namespace {

using AbMode = AbView::Mode;

constexpr ImGuiWindowFlags ab_card_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;

// A letter in a disc.
void draw_side_letter(ImDrawList* list, ImVec2 middle, const char* letter, ImU32 disc) {
  list->AddCircleFilled(middle, 0.85F * em(), disc);
  const ImVec2 size = ImGui::CalcTextSize(letter);
  list->AddText({std::round(middle.x - 0.5F * size.x), std::round(middle.y - 0.5F * size.y)},
                text_on(disc), letter);
}

// White with a dark edge, so that it is seen over any picture, and a handle to take it by.
void draw_dividing_line(ImDrawList* list, float x, const Area& view, bool is_held) {
  constexpr ImU32 dark = IM_COL32(0, 0, 0, 150);
  const ImU32 light = is_held ? colour::accent : IM_COL32(255, 255, 255, 235);
  list->AddRectFilled({x - 2.0F, view.y}, {x + 2.0F, view.y + view.height}, dark);
  list->AddRectFilled({x - 1.0F, view.y}, {x + 1.0F, view.y + view.height}, light);
  const float middle = view.y + 0.5F * view.height;
  const ImVec2 half{0.45F * em(), 1.1F * em()};
  const ImVec2 from{x - half.x, middle - half.y};
  const ImVec2 to{x + half.x, middle + half.y};
  list->AddRectFilled({from.x - 1.0F, from.y - 1.0F}, {to.x + 1.0F, to.y + 1.0F}, dark, half.x);
  list->AddRectFilled(from, to, light, half.x);
  for (const float side : {-0.15F, 0.15F})
    list->AddLine({x + side * em(), middle - 0.5F * em()}, {x + side * em(), middle + 0.5F * em()},
                  IM_COL32(0, 0, 0, 160), 1.5F);
}

// Wherever the line is: they stay at one height while it is dragged.
float height_of_side_letters(const Model& model, const PanelState& state) {
  const Area& view = state.view;
  const float taken = height_of_corners(model, state);
  return std::round(view.y + std::min(taken + 1.2F * em(), 0.5F * view.height));
}

// On each side of the line.
void draw_side_letters(ImDrawList* list, float x, const Model& model, const PanelState& state) {
  const float top = height_of_side_letters(model, state);
  const FontScope bold(state.fonts.bold);
  const float to_b = (model.ab.swapped ? -1.6F : 1.6F) * em();
  draw_side_letter(list, {x - to_b, top}, "A", colour::accent);
  draw_side_letter(list, {x + to_b, top}, "B", colour::text);
}

// Ends at the card of A|B, through which it would be seen.
float height_of_divider(const Area& view, float x, const Area& card) {
  const bool meets = x + em() > card.x && x - em() < card.x + card.width;
  return meets ? std::clamp(card.y - view.y, 1.0F, view.height) : view.height;
}

void draw_divider(Model& model, const PanelState& state, const Area& card) {
  const Area& view = state.view;
  AbView& ab = model.ab;
  const float thick = std::round(0.9F * em());
  if (view.width < 4.0F * thick) return;
  // The line stands where the pixels part.
  const float x = view.x + static_cast<float>(ab.divided_at(static_cast<int>(view.width)));
  const float left = std::clamp(x - 0.5F * thick, view.x, view.x + view.width - thick);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  const float height = height_of_divider(view, x, card);
  begin_fixed("##divider of A|B", {left, view.y, thick, height},
              ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                  ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  const ui::Splitter bar =
      ui::splitter("Divider", {thick, height}, true, std::round(1000.0 * ab.divider) / 10.0);
  ui::note_about("Drag it: A on one side, B on the other");
  if (bar.hovered || bar.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->PushClipRect({view.x, view.y}, {view.x + view.width, view.y + height});
  draw_dividing_line(list, x, view, bar.held || bar.hovered);
  draw_side_letters(list, x, model, state);
  list->PopClipRect();
  ImGui::End();

  if (bar.double_clicked) ab.divider = 0.5F;
  if (bar.dragged_to)
    ab.divider = std::clamp((*bar.dragged_to + 0.5F * thick - view.x) / view.width, 0.0F, 1.0F);
}

void draw_ab_modes(Model& model) {
  static constexpr std::array names = {"Divider", "Difference", "A alone"};
  static constexpr std::array modes = {AbMode::divided, AbMode::difference, AbMode::only_a};
  const auto place = std::find(modes.begin(), modes.end(), model.ab.mode);
  int chosen = static_cast<int>(place - modes.begin());
  {
    const ui::AboutScope about(fmt::format("How A and B are seen ({})", keys_of(Command::next_ab)));
    if (segments("view", names, chosen, 18.0F * em()))
      model.ab.mode = modes[static_cast<std::size_t>(chosen)];
  }
  const auto button = [](const char* label, const std::string& about) {
    ImGui::SameLine();
    const bool pressed = ui::button(label);
    ui::note_about(about);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      ImGui::SetTooltip("%s", about.c_str());
    return pressed;
  };
  ImGui::BeginDisabled(model.ab.mode != AbMode::divided);
  if (button("Swap", fmt::format("A and B change sides ({})", keys_of(Command::swap_ab))))
    model.ab.swapped = !model.ab.swapped;
  ImGui::EndDisabled();
  if (button("Hide", fmt::format("B alone; A stays pinned ({})", keys_of(Command::compare_ab))))
    model.ab.mode = AbMode::only_b;
}

// "Level: 3 in A, 5 now, and 2 more"; all of them are the tooltip.
void draw_ab_changes(const Model& model, const PanelState& state, float width) {
  const std::vector<std::string> lines = changes_since_pinned(model);
  const std::size_t more = lines.size() - std::min<std::size_t>(lines.size(), 1);
  std::string words = lines.empty() ? "A and B have the same settings" : lines.front();
  const std::string rest = more > 0 ? fmt::format(", and {} more", more) : "";
  const float room = width - ImGui::CalcTextSize(rest.c_str()).x;
  coloured_text(lines.empty() ? colour::dim : colour::text, elided(words, room, Cut::end) + rest);
  if (!lines.empty()) tooltip(state.fonts, "What A and B differ in", lines);
  if (model.a.moves && model.a.seconds != model.results->seconds)
    coloured_text(colour::dim, fmt::format("A stands at {:.2f} s, B is at {:.2f} s",
                                           model.a.seconds, model.results->seconds));
}

// From black to white, and what that means.
void draw_difference_scale(Model& model, float width) {
  AbView& ab = model.ab;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = 0.8F * em();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilledMultiColor(at, {at.x + width, at.y + height}, IM_COL32_BLACK, IM_COL32_WHITE,
                                IM_COL32_WHITE, IM_COL32_BLACK);
  list->AddRect(at, {at.x + width, at.y + height}, colour::faint);
  ImGui::Dummy({width, height});
  const float begin = ImGui::GetCursorPosX();
  coloured_text(colour::text, "black: equal");
  const int brightest = (255 + ab.gain - 1) / ab.gain;
  const std::string most =
      fmt::format("full colour: {} of 255{}", brightest, brightest < 255 ? " or more" : "");
  ImGui::SameLine(begin + width - ImGui::CalcTextSize(most.c_str()).x);
  coloured_text(colour::text, most);
  ImGui::SetNextItemWidth(width);
  ui::slider("##amplified", &ab.gain, 1, AbView::most_gain, "amplified %d times");
  ui::note_about("The difference of each colour is amplified by this factor");
}

void draw_found_difference(const Model& model) {
  if (!model.difference) {
    coloured_text(colour::dim, "Comparing...");
    return;
  }
  const std::string words = difference_in_words(*model.difference);
  coloured_text(model.difference->largest > 0 ? colour::text : colour::dim, words);
  ui::note_fact("difference", words, "How many pixels of A and B differ, and by how much at most");
}

// Where it is; nowhere, if the view is too small for it.
Area draw_ab_card(Model& model, PanelState& state) {
  const Area& view = state.view;
  const FontScope small(state.fonts.small);
  const float margin = 0.6F * em();
  if (view.width < 30.0F * em() || view.height < 14.0F * em()) return {};
  ImGui::SetNextWindowPos({std::round(view.x + 0.5F * view.width), view.y + view.height - margin},
                          ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.7F * em(), 0.5F * em()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::SetNextWindowBgAlpha(overlay_alpha);
  ImGui::Begin("A|B", nullptr, ab_card_flags | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar(2);
  draw_ab_modes(model);
  const float width =
      ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x - ImGui::GetStyle().WindowPadding.x;
  if (model.ab.mode == AbMode::difference) {
    draw_difference_scale(model, width);
    draw_found_difference(model);
  }
  draw_ab_changes(model, state, width);
  state.ab_height = ImGui::GetWindowHeight() + margin;
  const ImVec2 corner = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::End();
  return {corner.x, corner.y, size.x, size.y};
}

}  // namespace

std::string ab_misses(const Model& model) {
  if (model.scene_name.empty()) return "Nothing is open.";
  if (!model.pinned) return "Nothing is pinned as A.";
  return model.a.is_there ? "" : "The picture of A is not there.";
}

void toggle_ab(Model& model) {
  if (model.scene_name.empty()) {
    model.say({Message::Kind::info, "A|B compares two settings of a scene: open one first."});
    return;
  }
  if (model.ab.shows_a() && model.pinned) {
    model.ab.mode = AbMode::only_b;
    return;
  }
  if (!model.pinned || !model.a.is_there) pin(model);
  model.ab.mode = AbMode::divided;
}

void show_next_ab(Model& model) {
  if (!model.shows_a()) return toggle_ab(model);
  model.ab.mode = model.ab.mode == AbMode::divided      ? AbMode::difference
                  : model.ab.mode == AbMode::difference ? AbMode::only_a
                                                        : AbMode::divided;
}

void draw_ab(Model& model, PanelState& state) {
  const bool was_there = std::exchange(state.ab_height, 0.0F) > 0.0F;
  if (!model.shows_a() || state.layout.view <= 0.0F) return;
  // First the card: what appears later is behind it.
  const Area card = draw_ab_card(model, state);
  state.animates |= was_there != (state.ab_height > 0.0F);  // messages make way
  if (model.ab.mode == AbMode::divided) draw_divider(model, state, card);
}

}  // namespace warpview
