// The panels beside the picture: their places, the edges that are dragged, and the tabs on which
// they are called where there is room for one only.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/layout.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

int& width_setting(Settings& settings, Panel panel) {
  return panel == Panel::scene     ? settings.scene_width
         : panel == Panel::timings ? settings.timings_width
                                   : settings.lab_width;
}

// The wish to show the Scene or the Timings panel.
bool& wish_for(PanelState& state, Panel panel) {
  return panel == Panel::scene ? state.show_scene : state.show_timings;
}

void bring_to_front(PanelState& state, Panel panel) {
  wish_for(state, panel) = true;
  state.settings.scene_in_front = panel == Panel::scene;
  state.settings_changed = true;
  state.folded = false;
}

LayoutWishes wishes_of(const PanelState& state) {
  const Settings& settings = state.settings;
  const auto ems = [](int units) { return static_cast<float>(units) / usual_em; };
  return {.window = ImGui::GetIO().DisplaySize.x / em(),
          .scene = state.show_scene,
          .timings = state.show_timings,
          .laboratory = state.show_lab,
          .no_view = !shows_scene_beside_lab(state),
          .front = settings.scene_in_front ? Panel::scene : Panel::timings,
          .folded = state.folded,
          .scene_width = ems(settings.scene_width),
          .timings_width = ems(settings.timings_width),
          .laboratory_width = ems(settings.lab_width)};
}

// The laboratory takes the keys when it appears, for what it plays.
template <class Draw>
void draw_side_panel(const char* name, const Area& area, Draw&& draw,
                     ImGuiWindowFlags focus = ImGuiWindowFlags_NoFocusOnAppearing) {
  begin_fixed(name, area, focus);
  draw();
  ImGui::End();
}

void draw_tab(const char* label, Panel panel, float width, PanelState& state) {
  const bool open = is_shown(state, panel);
  if (side_tab(label, open, width)) show_panel(state, panel, !open);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", open ? "Collapse the panel" : "Open the panel");
}

// The tab strip, over the whole height.
void draw_tabs(const Area& area, PanelState& state) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  begin_fixed("##tabs", area, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 1.0F));
  draw_tab("Scene", Panel::scene, area.width, state);
  draw_tab("Timings", Panel::timings, area.width, state);
  ImGui::PopStyleVar();
  ImGui::End();
}

// On the view's side of the panel's inner edge, so that it takes nothing from the panel.
void draw_edge(Panel panel, const char* name, const Area& area, PanelState& state) {
  const Area& view = state.view;
  const bool at_left = area.x < view.x;
  const float thick = std::round(0.45F * em());
  if (view.width <= thick) return;
  const float edge = at_left ? view.x : view.x + view.width;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  begin_fixed(name, {at_left ? edge : edge - thick, area.y, thick, area.height},
              ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                  ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  const ui::Splitter bar = ui::splitter("Width", {thick, area.height}, true,
                                        std::round(area.width / settings_unit(state.fonts)));
  draw_splitter(bar, {edge, area.y}, {edge, area.y + area.height});
  ImGui::End();

  int& setting = width_setting(state.settings, panel);
  if (bar.double_clicked) setting = 0;
  if (bar.dragged_to) {
    const float width =
        at_left ? *bar.dragged_to - area.x : area.x + area.width - (*bar.dragged_to + thick);
    const float least = width_range(panel).least;
    const float most = std::max(most_width(state.layout, panel), least);
    setting = static_cast<int>(std::lround(std::clamp(width / em(), least, most) * usual_em));
  }
  if (bar.let_go || bar.double_clicked) state.settings_changed = true;
}

// What was picked takes its height from the lower end of the scene's panel.
void draw_scene_and_picked(Model& model, PanelState& state, const Area& area) {
  if (area.width <= 0.0F) return;
  const float picked = height_of_picked(model, state, area.height);
  draw_side_panel("Scene", {area.x, area.y, area.width, area.height - picked},
                  [&] { draw_scene_panel(model, state); });
  if (picked > 0.0F)
    draw_side_panel("Picked", {area.x, area.y + area.height - picked, area.width, picked},
                    [&] { draw_picked(model, state); });
  if (state.layout.view > 0.0F) draw_edge(Panel::scene, "##edge of Scene", area, state);
}

// A window that has become too narrow for a panel beside the view shows the view.
void fold_where_narrow(PanelState& state) {
  const bool narrow = is_very_narrow(ImGui::GetIO().DisplaySize.x / em());
  if (std::exchange(state.very_narrow, narrow) != narrow) state.folded = narrow;
}

}  // namespace

void begin_fixed(const char* name, const Area& area, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0F, 1.0F));
  ImGui::Begin(name, nullptr,
               more | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
}

Area area_of_cards(const PanelState& state) {
  const Area& view = state.view;
  if (state.layout.view > 0.0F) return view;
  return {0.0F, view.y, ImGui::GetIO().DisplaySize.x, view.height};
}

bool is_shown(const PanelState& state, Panel panel) { return width_of(state.layout, panel) > 0.0F; }

void show_panel(PanelState& state, Panel panel, bool shown) {
  if (shown) {
    bring_to_front(state, panel);
    state.show_lab = false;
  } else if (state.layout.tabs > 0.0F) {
    state.folded = true;
  } else {
    wish_for(state, panel) = false;
  }
}

void toggle_panels(PanelState& state) {
  if (state.layout.tabs > 0.0F) {
    state.folded = !state.folded;
    return;
  }
  state.show_scene = state.show_timings =
      !(state.show_lab || state.show_scene || state.show_timings);
  if (state.show_scene) state.folded = false;
  state.show_lab = false;
}

void show_next_panel(PanelState& state) {
  const bool scene = is_shown(state, Panel::scene);
  const bool timings = is_shown(state, Panel::timings);
  const bool has_tabs = state.layout.tabs > 0.0F;
  const Panel next = scene && !timings ? Panel::timings : Panel::scene;
  const bool both = !has_tabs && timings && !scene;
  state.show_lab = false;
  if (!has_tabs) state.show_scene = state.show_timings = both;
  bring_to_front(state, next);
}

void draw_side_panels(Model& model, PanelState& state, float top, float height) {
  fold_where_narrow(state);
  state.layout = lay_out(wishes_of(state));
  // Whole numbers, so that the picture's pixels are the window's.
  const float end = std::floor(ImGui::GetIO().DisplaySize.x);
  const auto whole = [](float ems) { return std::round(ems * em()); };
  const float tabs = whole(state.layout.tabs);
  const bool is_right = tabs > 0.0F;  // the scene's panel, when it is there
  const float scene = whole(state.layout.scene);
  const float timings = whole(state.layout.timings);
  const float lab = whole(state.layout.laboratory);
  const float left = is_right ? 0.0F : scene;
  const float right = end - tabs;
  state.view = {left, top, std::max(right - left - timings - lab - (is_right ? scene : 0.0F), 1.0F),
                height};

  const auto draw = [&](Panel panel, const char* name, const char* edge, float x, float width,
                        auto&& contents) {
    if (width <= 0.0F) return;
    const Area area{x, top, width, height};
    draw_side_panel(
        name, area, contents,
        panel == Panel::laboratory ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoFocusOnAppearing);
    if (state.layout.view > 0.0F) draw_edge(panel, edge, area, state);
  };
  draw_scene_and_picked(model, state, {is_right ? right - scene : 0.0F, top, scene, height});
  draw(Panel::timings, "Timings", "##edge of Timings", right - timings, timings,
       [&] { draw_timings_panel(model, state); });
  draw(Panel::laboratory, "Laboratory", "##edge of Laboratory", right - lab, lab,
       [&] { draw_lab_panel(model, state); });
  if (tabs > 0.0F) draw_tabs({right, top, tabs, height}, state);
}

}  // namespace warpview
