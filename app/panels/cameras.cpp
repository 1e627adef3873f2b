// The window in which the scene's cameras are saved, renamed and deleted.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

bool has_camera(const Model& model, const std::string& name) {
  return std::any_of(model.cameras.begin(), model.cameras.end(),
                     [&name](const SceneMemory::NamedCamera& each) { return each.name == name; });
}

// "Camera 1", or the first of these that is free.
std::string free_camera_name(const Model& model) {
  std::size_t n = 1;
  while (has_camera(model, fmt::format("Camera {}", n))) ++n;
  return fmt::format("Camera {}", n);
}

// Gives a camera the name that was typed, once the typing has ended.
void rename_camera(Model& model, CamerasView& view) {
  const std::size_t place = *std::exchange(view.renamed, {});
  if (place >= model.cameras.size() || model.cameras[place].name == view.new_name) return;
  view.complaint = why_no_camera_name(view.new_name);
  if (view.complaint.empty() && has_camera(model, view.new_name))
    view.complaint = "another camera has this name";
  if (view.complaint.empty()) model.cameras[place].name = view.new_name;
}

constexpr const char* go = "Go";
constexpr const char* update = "Update";
constexpr const char* remove_it = "Delete";

// A column of one button. A width of its own: ImGui knows what a column holds one frame later.
void set_up_column(const char* button) {
  ImGui::TableSetupColumn(button, ImGuiTableColumnFlags_WidthFixed,
                          ImGui::CalcTextSize(button).x + 2.0F * ImGui::GetStyle().FramePadding.x);
}

// Draws one camera's row. True: Delete was pressed.
bool draw_camera(Model& model, CamerasView& view, std::size_t place) {
  const std::string& name = model.cameras[place].name;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ui::push_id(name.c_str());
  if (ui::button(go)) model.requests.add(request::LookThrough{name});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Look from this camera");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1.0F);
  std::string text = view.renamed == place ? view.new_name : name;
  if (ui::text_field("##name", &text)) {
    view.renamed = place;
    view.new_name = text;
    view.complaint.clear();
  }
  if (view.renamed == place && ImGui::IsItemDeactivated()) rename_camera(model, view);
  ImGui::TableNextColumn();
  if (ui::button(update)) model.requests.add(request::KeepCamera{name});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Replace it by the camera as it is now");
  ImGui::TableNextColumn();
  const bool deletes = ui::button(remove_it);
  ui::pop_id();
  return deletes;
}

void draw_all_cameras(Model& model, CamerasView& view) {
  if (model.cameras.empty()) {
    coloured_text(colour::dim, "No cameras are saved in this scene.");
    return;
  }
  if (!ImGui::BeginTable("cameras", 4)) return;
  set_up_column(go);
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  set_up_column(update);
  set_up_column(remove_it);
  std::optional<std::size_t> deleted;
  for (std::size_t i = 0; i < model.cameras.size(); ++i)
    if (draw_camera(model, view, i)) deleted = i;
  ImGui::EndTable();
  if (!deleted) return;
  model.cameras.erase(model.cameras.begin() + static_cast<std::ptrdiff_t>(*deleted));
  view.renamed.reset();
}

void draw_new_camera(Model& model, CamerasView& view) {
  // A name that the user did not type follows the cameras.
  if ((view.name.empty() || view.name == view.proposed) && !ImGui::IsAnyItemActive())
    view.name = view.proposed = free_camera_name(model);
  const float button = 7.0F * em();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button -
                          ImGui::GetStyle().ItemSpacing.x);
  const bool entered =
      ui::text_field("##new", &view.name, ImGuiInputTextFlags_EnterReturnsTrue, "Name");
  const std::string why_not = why_no_camera_name(view.name);
  ImGui::SameLine();
  ImGui::BeginDisabled(!why_not.empty());
  const bool pressed = ui::button("Save camera", {button, 0.0F});
  ImGui::EndDisabled();
  if ((entered || pressed) && why_not.empty()) {
    model.requests.add(request::KeepCamera{std::exchange(view.name, {})});
    view.complaint.clear();
  }
  const std::string& wrong = view.complaint.empty() ? why_not : view.complaint;
  if (!wrong.empty() && !view.name.empty())
    coloured_text(colour::error, "Not a name for a camera: " + wrong + ".");
  else
    coloured_text(colour::dim, has_camera(model, view.name) ? "Replaces the camera of this name."
                                                            : "Cameras are saved with the scene.");
}

}  // namespace

void draw_cameras(Model& model, PanelState& state) {
  CamerasView& view = state.cameras;
  if (!view.open || model.scene_name.empty() || state.layout.view <= 0.0F) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Area over = area_of_cards(state);
  ImGui::SetNextWindowPos({over.x + 0.5F * over.width, over.y + 0.3F * over.height},
                          ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(26.0F * em(), 0.94F * display.x), 0.0F});
  if (ImGui::Begin("Cameras", &view.open,
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoResize)) {
    draw_new_camera(model, view);
    ImGui::Spacing();
    draw_all_cameras(model, view);
  }
  ImGui::End();
}

}  // namespace warpview
