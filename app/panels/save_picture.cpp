// The dialog that asks how a picture is to be saved.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

constexpr const char* dialog_title = "Save picture";

struct PictureSize {
  int width = 0;
  int height = 0;
};

struct SizeChoice {
  std::string name;
  PictureSize size;  // width 0: as it is shown
  bool possible = true;
};

std::array<SizeChoice, PictureDialog::sizes> choices_for(PictureSize view) {
  const auto times = [view](int factor) {
    const PictureSize size{factor * view.width, factor * view.height};
    return SizeChoice{fmt::format("{} times the view: {} x {}", factor, size.width, size.height),
                      size, std::max(size.width, size.height) <= PictureDialog::largest};
  };
  return {SizeChoice{fmt::format("The view: {} x {}", view.width, view.height), {}}, times(2),
          times(4), SizeChoice{"Full HD: 1920 x 1080", {1920, 1080}},
          SizeChoice{"4K: 3840 x 2160", {3840, 2160}}};
}

void draw_sizes(PictureDialog& dialog,
                const std::array<SizeChoice, PictureDialog::sizes>& choices) {
  ImGui::BeginDisabled(dialog.with_panels);
  text("Size in pixels");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    ImGui::BeginDisabled(!choices[i].possible);
    if (ui::selectable(choices[i].name.c_str(), !dialog.with_panels && dialog.size == i,
                       ImGuiSelectableFlags_DontClosePopups))
      dialog.size = i;
    ImGui::EndDisabled();
  }
  ImGui::EndDisabled();
}

constexpr const char* about_window = "The whole window at its size.";
constexpr const char* about_scene = "Rendered at this size: the scene on a transparent background.";
constexpr const char* about_view = "Rendered at this size; line widths scale with the picture.";

// What is chosen, with as much room as the longest has: what stands below stays under the mouse.
void draw_about(const PictureDialog& dialog) {
  const ImVec2 at = ImGui::GetCursorPos();
  const float width = ImGui::GetContentRegionAvail().x;
  float height = 0.0F;
  for (const char* const each : {about_window, about_scene, about_view})
    height = std::max(height, ImGui::CalcTextSize(each, nullptr, false, width).y);
  paragraph(colour::dim, dialog.with_panels   ? about_window
                         : dialog.transparent ? about_scene
                                              : about_view);
  ImGui::SetCursorPos(at);
  ImGui::Dummy({width, height});
}

void save_as_chosen(const PictureDialog& dialog, PictureSize size, Model& model,
                    PanelState& state) {
  if (dialog.with_panels)
    state.window_picture = dialog.file;
  else
    model.requests.add(
        request::SavePicture{dialog.file, size.width, size.height, dialog.transparent});
}

}  // namespace

void draw_save_picture(Model& model, PanelState& state) {
  PictureDialog& dialog = state.picture;
  if (!dialog.open) return;
  if (!ImGui::IsPopupOpen(dialog_title)) {
    dialog.file = free_screenshot();
    ImGui::OpenPopup(dialog_title);
  }
  if (!begin_dialog(dialog_title, dialog.open, 26.0F)) return;
  const auto choices = choices_for({model.view_width, model.view_height});
  if (!choices[dialog.size].possible) dialog.size = 0;
  draw_sizes(dialog, choices);
  ImGui::Spacing();
  ImGui::BeginDisabled(dialog.with_panels);
  ui::checkbox("Transparent background", &dialog.transparent);
  ImGui::EndDisabled();
  ui::checkbox("With the panels", &dialog.with_panels);
  draw_about(dialog);
  ImGui::Spacing();
  elided_text(dialog.file, ImGui::GetContentRegionAvail().x);
  if (end_dialog("Save", true, dialog.open))
    save_as_chosen(dialog, choices[dialog.size].size, model, state);
}

}  // namespace warpview
