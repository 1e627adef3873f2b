// The panels one by one. draw_panels() puts them in place.
#pragma once

#include "app/panels/panels.h"

namespace warpview {

// Into the current ImGui window.
void draw_scene_panel(WorkspaceModel& workspace, const PanelState& state);
void draw_timings_panel(WorkspaceModel& workspace, const PanelState& state);
void draw_lab_panel(WorkspaceModel& workspace, PanelState& state);
// Its tabs.
void draw_lab_results(const WorkspaceModel& workspace, PanelState& state);
void draw_lab_code(const WorkspaceModel& workspace, PanelState& state);
void draw_lab_counters(WorkspaceModel& workspace, const PanelState& state);

// Windows of their own over state.view.
void draw_loading(WorkspaceModel& workspace, const PanelState& state);
void draw_notices(PanelState& state);
void draw_log(PanelState& state);
void draw_help(PanelState& state);

}  // namespace warpview
