// What the view says of its picture: that it lags behind the panels, below the axes; and why there
// is none, in the middle.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// A shorter lag goes unnoticed, and words that come and go with every picture cannot be read.
constexpr double least_ms = 300.0;
constexpr double stays_for = 0.7;  // seconds

// Has the user hidden all outputs?
bool hides_all(const Model& model) {
  const bool is_picked = !model.picked.empty();
  return !model.outputs.empty() &&
         std::ranges::none_of(model.outputs, [is_picked](const OutputRow& each) {
           return each.shown && !each.empty && (is_picked || !each.of_pick);
         });
}

// Empty: something is drawn, or why not is said elsewhere.
std::string why_empty(const Model& model) {
  if (model.scene_name.empty()) return {};
  if (model.first_picture_ms >= least_ms)
    return fmt::format("Drawing the first picture... {:.1f} s", model.first_picture_ms * 1e-3);
  if (model.first_picture_ms > 0.0) return {};
  if (hides_all(model)) return "All outputs are hidden: tick one under Show";
  if (!model.scene_bounds.is_empty()) return {};
  const std::string amount = amount_of(model);
  return amount.empty() ? "Nothing to draw" : "Nothing to draw: " + amount;
}

}  // namespace

float height_of_corners(const Model& model, const PanelState& state) {
  const float note = 2.0F * em();
  return std::max(state.legend_height, height_of_gizmo(model, state) + note);
}

void draw_lag(const Model& model, PanelState& state) {
  const double now = ImGui::GetTime();
  if (model.first_picture_ms > 0.0) return;  // there is none that could lag
  state.animates |= model.behind_ms > 0.0;
  if (model.behind_ms >= least_ms) state.lag = {model.behind_ms, now};
  if (now - state.lag.at > stays_for) return;
  state.animates = true;
  const Area& view = state.view;
  const float below = height_of_gizmo(model, state);
  const FontScope small(state.fonts.small);
  const float margin = 0.5F * em();
  const std::string words = fmt::format("Picture {:.1f} s behind", state.lag.ms * 1e-3);
  const float radius = 0.25F * em();
  const float width = ImGui::CalcTextSize(words.c_str()).x + 4.0F * radius;
  if (view.width < width + 2.0F * em()) return;
  ImGui::SetNextWindowPos({view.x + view.width - margin, view.y + margin + below}, ImGuiCond_Always,
                          {1.0F, 0.0F});
  begin_overlay("##lag", {0.5F * em(), 0.25F * em()},
                ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled(
      {at.x + radius, at.y + 0.5F * ImGui::GetTextLineHeight()}, radius, colour::warning);
  ImGui::SetCursorScreenPos({at.x + 4.0F * radius, at.y});
  text(words);
  ImGui::End();
}

void draw_emptiness(const Model& model, PanelState& state) {
  state.animates |= model.first_picture_ms > 0.0;
  const std::string words = why_empty(model);
  const Area& view = state.view;
  const float room = view.width - 4.0F * em();
  if (words.empty() || room < 4.0F * em()) return;
  ImGui::SetNextWindowPos({view.x + 0.5F * view.width, view.y + 0.5F * view.height},
                          ImGuiCond_Always, {0.5F, 0.5F});
  begin_overlay("##emptiness", {0.8F * em(), 0.5F * em()},
                ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  elided_text(words, room);
  ImGui::End();
}

}  // namespace warpview
