// The second line of a stage in the Timings panel: its items, and the button that watches it.
#include <fmt/format.h>

#include <array>
#include <string>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/watched_stage.h"

namespace warpview {
namespace {

constexpr const char* watch_label = "Watch";
constexpr float watch_padding = 0.25F;  // ems

// Records the stage on the mesh and shows it in the laboratory.
void draw_watch_button(Model& model, const PanelState& state, const StageRow& row) {
  const std::string why = why_not_watched(row);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(watch_padding * em(), 0.0F));
  ImGui::BeginDisabled(!why.empty());
  if (ui::button(watch_label)) model.requests.add(request::Watch{row.result->name});
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  const std::array about = {
      fmt::format(
          "Records this stage, with its variant, on the first {} triangles of the mesh, and "
          "plays it over them step by step in the laboratory.",
          group_digits(lab::MeshInput::usual_triangles)),
      why.empty() ? std::string() : "Not now: " + why + "."};
  tooltip(state.fonts, "", about);
}

// How many items there are, and room for the button Watch behind them, within this width. Millions
// where there is no room for all digits, which the tooltip has.
void draw_item_count(const StageResult& result, float width) {
  std::string items = group_digits(result.work.items);
  if (!result.of_mesh) {
    coloured_text(colour::dim, items);
    return;
  }
  const float gap = 0.25F * em();
  const float room = width - gap - ImGui::CalcTextSize(watch_label).x - 2.0F * watch_padding * em();
  if (ImGui::CalcTextSize(items.c_str()).x > room)
    items = fmt::format("{:.1f} M", static_cast<double>(result.work.items) * 1e-6);
  coloured_text(colour::dim, items);
  ImGui::SameLine(0.0F, gap);
}

}  // namespace

void draw_stage_items(Model& model, const PanelState& state, const StageRow& row, float width) {
  draw_item_count(*row.result, width);
  if (row.result->of_mesh) draw_watch_button(model, state, row);
}

}  // namespace warpview
