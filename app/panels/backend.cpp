// What is offered where the backend failed.
#include <fmt/format.h>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {

// A GPU's error may stay with it until the program ends; the CPU is always there.
void draw_failure(Model& model, const PanelState& state) {
  const bool can_leave = model.results->failed && model.device.backend != Backend::cpu;
  if (!can_leave || model.loading) return;
  begin_top_card(model, state, "##failure", 30.0F,
                 fmt::format("The frame failed on {}", model.device.name));
  paragraph(colour::text,
            "The picture is the last good one. The CPU can reopen the scene with its settings.");
  ImGui::BeginDisabled(model.switching_to.has_value());
  if (ui::button("Continue on the CPU")) model.requests.add(request::SwitchBackend{Backend::cpu});
  ImGui::EndDisabled();
  ImGui::End();
}

}  // namespace warpview
