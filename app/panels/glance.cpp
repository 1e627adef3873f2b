// What lies under the cursor, in a line at the lower left of the view.
#include <fmt/format.h>
#include <imgui.h>

#include <string>
#include <variant>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// "Triangle 1 234, copper": the first fact with its title, the words among the others.
std::string line_of(const std::vector<Fact>& facts) {
  std::string line;
  for (const Fact& fact : facts) {
    if (const auto* number = std::get_if<std::uint64_t>(&fact.value); number && line.empty())
      line = fmt::format("{} {}", fact.title, group_digits(*number));
    if (const auto* words = std::get_if<std::string>(&fact.value); words && !words->empty())
      line += fmt::format("{}{}", line.empty() ? "" : ", ", *words);
  }
  return line;
}

}  // namespace

void draw_glance(const Model& model, const PanelState& state) {
  const std::string line = line_of(model.glanced);
  const Area& view = state.view;
  const FontScope small(state.fonts.small);
  const float margin = 0.5F * em();
  const float width = view.width - 4.0F * margin;
  if (line.empty() || width < 4.0F * em()) return;
  ImGui::SetNextWindowPos({view.x + margin, view.y + view.height - margin - state.ab_height},
                          ImGuiCond_Always, {0.0F, 1.0F});
  // As wide as the line now: a window that resizes itself would follow a frame later, which may be
  // long after the mouse has stopped.
  const ImVec2 padding{0.5F * em(), 0.25F * em()};
  const std::string shown = elided(line, width - 2.0F * padding.x, Cut::middle);
  const ImVec2 words = ImGui::CalcTextSize(shown.c_str());
  ImGui::SetNextWindowSize({words.x + 2.0F * padding.x, words.y + 2.0F * padding.y});
  begin_overlay("##glance", padding, ImGuiWindowFlags_NoInputs);
  text(shown);
  ImGui::End();
}

}  // namespace warpview
