#include "app/panels/empty_state.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "app/panels/widgets.h"

namespace warpview {
namespace {

// Colours of examples, in the order of a plot's.
ImU32 faint_part(std::size_t part) {
  ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour_of_part(part));
  c.w = 0.45F;
  return ImGui::ColorConvertFloat4ToU32(c);
}

ImVec2 within(ImVec2 from, ImVec2 to, float x, float y) {
  return {from.x + x * (to.x - from.x), to.y - y * (to.y - from.y)};
}

void axes(ImDrawList& list, ImVec2 from, ImVec2 to) {
  list.AddLine(from, {from.x, to.y}, colour::line, 1.5F);
  list.AddLine({from.x, to.y}, to, colour::line, 1.5F);
}

void curve(ImDrawList& list, ImVec2 from, ImVec2 to, std::span<const float> heights, ImU32 c) {
  std::array<ImVec2, 12> places{};
  const auto count = static_cast<int>(std::min(heights.size(), places.size()));
  for (int i = 0; i < count; ++i) {
    const float x = 0.04F + 0.92F * static_cast<float>(i) / static_cast<float>(count - 1);
    places[static_cast<std::size_t>(i)] = within(from, to, x, heights[static_cast<std::size_t>(i)]);
  }
  list.AddPolyline(places.data(), count, c, false, 0.16F * em());
  for (int i = 0; i < count; ++i)
    list.AddCircleFilled(places[static_cast<std::size_t>(i)], 0.28F * em(), c);
}

// Words in lines that stand in the middle.
void centred_paragraph(std::string_view words, ImU32 c, float left, float width) {
  const char* at = words.data();
  const char* const end = at + words.size();
  while (at < end) {
    const char* line =
        ImGui::GetFont()->CalcWordWrapPositionA(ImGui::GetIO().FontGlobalScale, at, end, width);
    if (line == at) ++line;  // no room for a letter
    const float length = ImGui::CalcTextSize(at, line).x;
    ImGui::SetCursorPosX(left + 0.5F * std::max(width - length, 0.0F));
    coloured_text(c, std::string_view(at, static_cast<std::size_t>(line - at)));
    at = line;
    while (at < end && *at == ' ') ++at;
  }
}

float height_of(std::string_view words, float width) {
  if (words.empty()) return 0.0F;
  return ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, width).y + em();
}

// Where the button's upper edge is, below the cursor: at a fixed part of the whole panel's height,
// so that tabs with more or less above it have it in one place.
float button_place() {
  constexpr float part = 0.7F;
  const ImGuiWindow* const panel = ImGui::GetCurrentWindowRead()->RootWindow;
  return panel->Pos.y + part * panel->Size.y - ImGui::GetCursorScreenPos().y;
}

}  // namespace

void draw_curves_example(ImDrawList& list, ImVec2 from, ImVec2 to) {
  static constexpr std::array<float, 8> slow = {0.42F, 0.43F, 0.45F, 0.50F,
                                                0.60F, 0.73F, 0.86F, 0.98F};
  static constexpr std::array<float, 8> usual = {0.30F, 0.31F, 0.32F, 0.36F,
                                                 0.44F, 0.55F, 0.68F, 0.81F};
  static constexpr std::array<float, 8> quick = {0.36F, 0.36F, 0.37F, 0.38F,
                                                 0.41F, 0.47F, 0.57F, 0.69F};
  axes(list, from, to);
  curve(list, from, to, slow, faint_part(0));
  curve(list, from, to, usual, faint_part(1));
  curve(list, from, to, quick, faint_part(2));
}

void draw_busy_example(ImDrawList& list, ImVec2 from, ImVec2 to) {
  static constexpr std::array shares = {0.25F, 0.70F, 0.95F, 0.95F, 0.95F, 0.90F,
                                        0.60F, 0.0F,  0.80F, 0.95F, 0.45F, 0.15F};
  axes(list, from, to);
  const float each = (to.x - from.x) / static_cast<float>(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const float left = from.x + static_cast<float>(i) * each;
    const float top = to.y - shares[i] * (to.y - from.y);
    list.AddRectFilled({left, top}, {left + each, to.y}, paler(faint_part(1)));
    list.AddLine({left, top}, {left + each, top}, faint_part(1), 0.16F * em());
  }
}

// Words of shared memory and the bank of each: two that meet in one stand out.
void draw_counters_example(ImDrawList& list, ImVec2 from, ImVec2 to) {
  constexpr int columns = 12;
  constexpr int rows = 4;
  const float width = (to.x - from.x) / columns;
  const float height = (to.y - from.y) / rows;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const ImVec2 at{from.x + static_cast<float>(column) * width,
                      from.y + static_cast<float>(row) * height};
      const int degree = row == 2 ? 1 + column % 4 : row == 3 && column % 3 == 0 ? 4 : 1;
      const ImU32 c = degree == 1 ? ImU32{colour::track}
                                  : faint_part(degree < 3    ? 1
                                               : degree == 3 ? 4
                                                             : 0);
      list.AddRectFilled(at, {at.x + width - 0.25F * em(), at.y + height - 0.25F * em()}, c, 2.0F);
    }
}

void draw_runs_example(ImDrawList& list, ImVec2 from, ImVec2 to) {
  static constexpr std::array<float, 7> before = {0.74F, 0.78F, 0.72F, 0.76F, 0.75F, 0.77F, 0.74F};
  static constexpr std::array<float, 7> now = {0.62F, 0.64F, 0.63F, 0.40F, 0.41F, 0.38F, 0.27F};
  axes(list, from, to);
  curve(list, from, to, before, faint_part(0));
  curve(list, from, to, now, faint_part(1));
}

// A square for each seed: in some of them the fault shows.
void draw_seeds_example(ImDrawList& list, ImVec2 from, ImVec2 to) {
  constexpr int columns = 20;
  constexpr int rows = 5;
  const float width = (to.x - from.x) / columns;
  const float height = (to.y - from.y) / rows;
  for (int i = 0; i < columns * rows; ++i) {
    const int row = i / columns;
    const ImVec2 at{from.x + static_cast<float>(i % columns) * width,
                    from.y + static_cast<float>(row) * height};
    const bool wrong = i * 7 % 23 < 5;
    list.AddRectFilled(at, {at.x + 0.8F * width, at.y + 0.8F * height},
                       wrong ? faint_part(0) : ImU32{colour::track}, 2.0F);
  }
}

bool primary_button(const PanelState& state, const char* label, ImVec2 size) {
  const FontScope bold(state.fonts.bold);
  ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
  const bool pressed = ui::button(label, size);
  ImGui::PopStyleColor(2);
  return pressed;
}

bool draw_empty_state(const PanelState& state, const EmptyState& empty) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 corner = ImGui::GetCursorPos();
  const float width = std::clamp(room.x - 2.0F * em(), 1.0F, 34.0F * em());
  const float left = corner.x + 0.5F * std::max(room.x - width, 0.0F);
  const float words = height_of(empty.sentence, width) + height_of(empty.trouble, width);
  const ImVec2 button{std::min(12.0F * em(), std::max(room.x, 1.0F)), 2.4F * em()};
  const float gap = 0.3F * em();
  const float button_at = corner.y + std::clamp(button_place(), 0.0F, room.y - button.y);
  const float words_at = std::max(button_at - words - gap, corner.y);
  if (const float rest = words_at - corner.y - em(); empty.above && rest > 4.0F * em()) {
    empty.above(rest);
  } else if (const float height = std::min(rest, 11.0F * em());
             empty.example != nullptr && height > 3.0F * em()) {
    ImGui::SetCursorPos({left, words_at - height - em()});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = 0.12F * width;
    empty.example(*ImGui::GetWindowDrawList(), {at.x + inset, at.y},
                  {at.x + width - inset, at.y + height});
  }
  ImGui::SetCursorPos({left, words_at});
  if (!empty.trouble.empty()) {
    centred_paragraph(empty.trouble, colour::error, left, width);
    ImGui::Dummy({0.0F, gap});
  }
  centred_paragraph(empty.sentence, colour::dim, left, width);
  if (empty.button == nullptr) return false;
  ImGui::SetCursorPos({corner.x + 0.5F * std::max(room.x - button.x, 0.0F),
                       std::max(button_at, ImGui::GetCursorPosY())});
  ui::push_id("empty");
  const bool pressed = primary_button(state, empty.button, button);
  const std::array about = {std::string(empty.about)};
  if (!empty.about.empty()) tooltip(state.fonts, "", about);
  ui::pop_id();
  return pressed;
}

}  // namespace warpview
