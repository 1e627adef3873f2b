// What can be done with a stage, at both ends of its row in the Timings panel: Watch before its
// name; Compare and Repeat in its last column, which show while the row is pointed at, one of them
// has the keyboard's focus, or the tour points at it.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "app/panels/kind_colours.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/watched_stage.h"

namespace warpview {
namespace {

// A button of which only the icon is seen: its words are its name, for tests and the tooltip.
struct IconButton {
  ImVec2 from, to;
  bool pressed, hovered;
  bool stands_out;  // it has the keyboard's focus, or the tour points at it
};

IconButton icon_button(const PanelState& state, const char* label, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Text, 0U);
  ImGui::PushStyleColor(ImGuiCol_Button, 0U);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.0F, 0.0F));
  const bool pressed = ui::button(label, size);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  return {ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), pressed,
          ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
          (ImGui::IsItemFocused() && state.keyboard.ring) || ui::is_sought()};
}

ImVec2 middle_of(const IconButton& button) {
  return {std::floor(0.5F * (button.from.x + button.to.x)),
          std::floor(0.5F * (button.from.y + button.to.y))};
}

// A triangle that points to the right: play.
void draw_watch_icon(const IconButton& button, ImU32 c) {
  const ImVec2 at = middle_of(button);
  const float half = 0.32F * em();
  ImGui::GetWindowDrawList()->AddTriangleFilled({at.x - 0.75F * half, at.y - half},
                                                {at.x - 0.75F * half, at.y + half},
                                                {at.x + half, at.y}, c);
}

// Bars of three lengths.
void draw_compare_icon(const IconButton& button, ImU32 c) {
  const ImVec2 at = middle_of(button);
  const float half = 0.36F * em();
  const float thick = std::max(std::round(0.13F * em()), 1.0F);
  float y = at.y - half;
  for (const float length : {2.0F, 1.2F, 0.7F}) {
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - half, y},
                                              {at.x - half + length * half, y + thick}, c);
    y += half - 0.5F * thick;
  }
}

// Most of a circle, with a head.
void draw_repeat_icon(const IconButton& button, ImU32 c) {
  constexpr float pi = std::numbers::pi_v<float>;
  const ImVec2 at = middle_of(button);
  const float radius = 0.32F * em();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->PathArcTo(at, radius, -0.25F * pi, 1.35F * pi);
  list->PathStroke(c, 0, std::max(0.11F * em(), 1.0F));
  const ImVec2 end{at.x + radius * std::cos(-0.25F * pi), at.y + radius * std::sin(-0.25F * pi)};
  const float head = 0.24F * em();
  list->AddTriangleFilled({end.x + 0.4F * head, end.y - 1.2F * head},
                          {end.x + 0.5F * head, end.y + 0.5F * head},
                          {end.x - 1.1F * head, end.y + 0.1F * head}, c);
}

ImU32 ink_of(const IconButton& button, bool enabled) {
  if (!enabled) return colour::faint;
  return button.hovered || button.stands_out ? colour::accent : colour::dim;
}

// Why a stage's variants cannot be compared now; empty: they can.
std::string why_not_compared(const Model& model, const StageRow& row) {
  if (model.results->comparison.under_way) return "a comparison is running";
  if (model.results->failed) return "the device has failed";
  if (row.result->done_by.empty() && !row.result->has_times()) return "it has not run yet";
  return {};
}

}  // namespace

void draw_stage_mark(Model& model, const PanelState& state, const StageRow& row, float width) {
  const float height = ImGui::GetFrameHeight();
  const ImU32 c = colour_of_stage(*row.result);
  if (!row.result->of_mesh) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = 0.24F * height;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + inset}, {at.x + 0.22F * em(), at.y + height - inset}, c, 0.1F * em());
    ImGui::Dummy({width, height});
    return;
  }
  const std::string why = why_not_watched(row);
  ImGui::BeginDisabled(!why.empty());
  const IconButton button = icon_button(state, "Watch", {width, height});
  ImGui::EndDisabled();
  if (button.pressed) model.requests.add(request::Watch{row.result->name});
  draw_watch_icon(button, !why.empty() ? ImU32{colour::faint} : c);
  const std::array about = {fmt::format("Records this stage, with its variant, on the first {} "
                                        "triangles of the mesh, and plays it "
                                        "over them step by step in the laboratory.",
                                        group_digits(lab::MeshInput::usual_triangles)),
                            why.empty() ? std::string() : "Not now: " + why + "."};
  tooltip(state.fonts, "Watch", about);
}

bool draw_stage_actions(Model& model, PanelState& state, const StageRow& row, bool pointed_at) {
  const StageResult& result = *row.result;
  const ImVec2 size{1.5F * em(), ImGui::GetFrameHeight()};
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const ImVec2 start = ImGui::GetCursorPos();
  bool shown = pointed_at;
  if (row.variants.size() > 1) {
    ImGui::SetCursorPos({right - 2.0F * size.x - 0.2F * em(), start.y});
    const std::string why = why_not_compared(model, row);
    ImGui::BeginDisabled(!why.empty());
    const IconButton button = icon_button(state, "Compare", size);
    ImGui::EndDisabled();
    if (button.pressed) ask_for_comparison(model, state, row);
    shown |= button.stands_out;
    if (shown) draw_compare_icon(button, ink_of(button, why.empty()));
    const std::array about = {
        std::string("Runs every available variant on this scene's input: one warm-up run, then "
                    "five timed runs. The scene pauses meanwhile. Your choice is restored "
                    "afterwards."),
        why.empty() ? std::string() : "Not now: " + why + "."};
    tooltip(state.fonts, "Compare all variants", about);
  }
  if (result.done_by.empty() && !row.every_frame && result.repeatable) {
    ImGui::SetCursorPos({right - size.x, start.y});
    const bool enabled = result.has_times();
    ImGui::BeginDisabled(!enabled);
    const IconButton button = icon_button(state, "Repeat", size);
    ImGui::EndDisabled();
    if (button.pressed) model.requests.add(request::Repeat{result.name});
    shown |= button.stands_out;
    if (shown) draw_repeat_icon(button, ink_of(button, enabled));
    const std::array about = {std::string("Runs this stage once more on the same input.")};
    tooltip(state.fonts, "Repeat", about);
  }
  ImGui::SetCursorPos(start);
  ImGui::Dummy({1.0F, size.y});
  return shown;
}

}  // namespace warpview
