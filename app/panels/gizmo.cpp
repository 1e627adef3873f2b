// The axes in a corner of the view: where they point, and a way to look along them.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/geometric.hpp>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// One of the two ends of an axis.
struct End {
  const char* name;  // empty: the one that is not labelled
  const char* side;  // what a click on it does
  glm::vec3 direction;
  ImU32 colour;
};

// The side on which the eye then is.
Side side_of(const glm::vec3& direction, UpAxis up) {
  // As in a world in which y is up.
  const glm::vec3 d =
      up == UpAxis::y ? direction : glm::vec3(direction.x, direction.z, -direction.y);
  if (d.x != 0.0F) return d.x > 0.0F ? Side::right : Side::left;
  if (d.y != 0.0F) return d.y > 0.0F ? Side::top : Side::bottom;
  return d.z > 0.0F ? Side::front : Side::back;
}

// Into the current window, a square of this size.
void draw_ends(Model& model, const PanelState& state, float size) {
  std::array ends = {
      End{"X", "Look from +X", {1, 0, 0}, colour::axis_x},
      End{"", "Look from -X", {-1, 0, 0}, colour::axis_x},
      End{"Y", "Look from +Y", {0, 1, 0}, colour::axis_y},
      End{"", "Look from -Y", {0, -1, 0}, colour::axis_y},
      End{"Z", "Look from +Z", {0, 0, 1}, colour::axis_z},
      End{"", "Look from -Z", {0, 0, -1}, colour::axis_z},
  };
  const Camera& camera = model.camera;
  // The nearest last: it is drawn over the others, and clicked before them.
  std::sort(ends.begin(), ends.end(), [&camera](const End& a, const End& b) {
    return glm::dot(a.direction, camera.backward()) < glm::dot(b.direction, camera.backward());
  });
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImVec2 corner = ImGui::GetWindowPos();
  const ImVec2 middle = {corner.x + 0.5F * size, corner.y + 0.5F * size};
  const float reach = 0.36F * size;
  const float radius = 0.5F * em();
  const FontScope small(state.fonts.small);
  const auto place_of = [&](const End& end) {
    return ImVec2(middle.x + reach * glm::dot(end.direction, camera.right()),
                  middle.y - reach * glm::dot(end.direction, camera.up()));
  };
  for (const End& end : ends) {
    const ImVec2 at = place_of(end);
    if (end.name[0] == '\0') {
      list->AddCircle(at, 0.6F * radius, end.colour, 0, 1.5F);
      continue;
    }
    list->AddLine(middle, at, end.colour, 2.0F);
    list->AddCircleFilled(at, radius, end.colour);
    const ImVec2 letter = ImGui::CalcTextSize(end.name);
    list->AddText({at.x - 0.5F * letter.x, at.y - 0.5F * letter.y}, text_on(end.colour), end.name);
  }
  for (std::size_t i = ends.size(); i-- > 0;) {
    const End& end = ends[i];
    const ImVec2 at = place_of(end);
    ImGui::SetCursorScreenPos({at.x - radius, at.y - radius});
    if (ui::invisible_button(end.side, {2.0F * radius, 2.0F * radius}))
      model.requests.add(request::LookFrom{side_of(end.direction, camera.up_axis)});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", end.side);
  }
}

}  // namespace

float height_of_gizmo(const Model& model, const PanelState& state) {
  const float size = 5.0F * em();
  const bool has_room = state.view.width >= 3.0F * size && state.view.height >= 3.0F * size;
  return has_room && !model.scene_name.empty() ? size : 0.0F;
}

void draw_gizmo(Model& model, const PanelState& state) {
  const Area& view = state.view;
  const float size = height_of_gizmo(model, state);
  if (size <= 0.0F) return;
  ImGui::SetNextWindowPos({view.x + view.width - size, view.y});
  ImGui::SetNextWindowSize({size, size});
  // The picture of a difference is black in either theme; the colours are for the theme's ground.
  const bool is_over_black = model.shows_a() && model.ab.mode == AbView::Mode::difference;
  begin_overlay("##axes", {0.0F, 0.0F},
                ImGuiWindowFlags_NoMove |
                    (is_over_black ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoBackground));

  draw_ends(model, state, size);
  ImGui::End();
}

}  // namespace warpview
