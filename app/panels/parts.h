// The panels one by one. draw_panels() puts them in place.
#pragma once

#include "app/panels/panels.h"

namespace warpview {

// Into the current ImGui window.
void draw_scene_panel(Model& model, PanelState& state);
void draw_timings_panel(Model& model, PanelState& state);
void draw_time_bars(const Model& model, const PanelState& state);
void draw_lab_panel(Model& model, PanelState& state);
// Shows the laboratory, with this tab in front: on a primitive, and one of its variants in the Code
// tab. What it is answering is not disturbed.
void open_laboratory(Model& model, PanelState& state, Primitive primitive, int row,
                     LabView::Tab tab);
// Its tabs.
void draw_lab_results(const Model& model, PanelState& state);
void draw_lab_code(const Model& model, PanelState& state);
void draw_lab_counters(Model& model, const PanelState& state);

// Into the menu that is open: the backends.
void draw_backend_menu(Model& model, const PanelState& state);

// Windows of their own over state.view.
void draw_gizmo(Model& model, const PanelState& state);
void draw_loading(Model& model, const PanelState& state);
void draw_failure(Model& model, const PanelState& state);
void draw_notices(PanelState& state);
void draw_log(PanelState& state);
void draw_help(const Model& model, PanelState& state);

}  // namespace warpview
