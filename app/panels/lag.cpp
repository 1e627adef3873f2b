// That the picture lags behind what the panels say, below the axes of the view.
#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// Below that nobody notices; and words that come and go with every picture cannot be read.
constexpr double least_ms = 300.0;
constexpr double stays_for = 0.7;  // seconds

}  // namespace

void draw_lag(const Model& model, PanelState& state) {
  const double now = ImGui::GetTime();
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

}  // namespace warpview
