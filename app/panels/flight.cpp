// While the user flies: what keys and mouse do, in lines at the lower left of the view.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {

void draw_flight(const PanelState& state) {
  if (!state.flies) return;
  const Area& view = state.view;
  const FontScope small(state.fonts.small);
  const float margin = 0.5F * em();
  const float padding = 0.6F * em();
  const float room = view.width - 2.0F * (margin + padding);
  if (room < 4.0F * em()) return;
  const std::string head = fmt::format("Flying at {:.3g} x", state.flight_speed);
  const char* keys =
      "W A S D: move, Q E: down and up, mouse: look, wheel: speed, Shift: faster, Esc: stop";
  const float width = std::min(ImGui::CalcTextSize(keys).x, room);
  ImGui::SetNextWindowPos({view.x + margin, view.y + view.height - margin - state.ab_height},
                          ImGuiCond_Always, {0.0F, 1.0F});
  begin_overlay("##flight", {padding, 0.4F * em()},
                ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  {
    const FontScope bold(state.fonts.bold);
    coloured_text(colour::accent, head);
  }
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width + 1.0F);
  text(keys);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace warpview
