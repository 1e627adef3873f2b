// What is offered where the backend failed.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {

// A GPU's error may stay with it until the program ends; the CPU is always there.
void draw_failure(Model& model, const PanelState& state) {
  const bool can_leave = model.results->failed && model.device.backend != Backend::cpu;
  if (!can_leave || model.loading) return;
  const Area over = area_of_cards(state);
  const float width = std::min(30.0F * em(), over.width - 1.6F * em());
  ImGui::SetNextWindowPos({over.x + 0.5F * over.width, over.y + 1.2F * em()}, ImGuiCond_Always,
                          {0.5F, 0.0F});
  ImGui::SetNextWindowSize({width, 0.0F});
  begin_card("##failure");
  {
    const FontScope bold(state.fonts.bold);
    elided_text(fmt::format("The frame failed on {}", model.device.name),
                ImGui::GetContentRegionAvail().x);
  }
  paragraph(colour::text,
            "The picture is the last good one. The CPU can reopen the scene with its settings.");
  ImGui::BeginDisabled(model.switching_to.has_value());
  if (ui::button("Continue on the CPU")) model.requests.add(request::SwitchBackend{Backend::cpu});
  ImGui::EndDisabled();
  ImGui::End();
}

}  // namespace warpview
