// The panels one by one. draw_panels() puts them in place.
#pragma once

#include "app/panels/format.h"
#include "app/panels/panels.h"

namespace warpview {

// A window that stays in its place, behind all others, until ImGui::End().
void begin_fixed(const char* name, const Area& area, ImGuiWindowFlags more = 0);

// Where messages and what must be answered are shown: over the view, or over the panel that covers
// it.
Area area_of_cards(const PanelState& state);

// The panels that have room beside the picture, whose place it leaves in state.view; `top` and
// `height` are those of the room between menus and status line.
void draw_side_panels(Model& model, PanelState& state, float top, float height);
// As they were drawn last.
bool is_shown(const PanelState& state, Panel panel);
// The Scene or the Timings panel: where there is no room for both it takes the other's place, or is
// folded away.
void show_panel(PanelState& state, Panel panel, bool shown);
// All of them; the laboratory is only hidden.
void toggle_panels(PanelState& state);
// Where there are tabs the other panel, else in turn Scene alone, Timings alone, and both.
void show_next_panel(PanelState& state);

// Into the current ImGui window.
void draw_scene_panel(Model& model, PanelState& state);
void draw_timings_panel(Model& model, PanelState& state);
void draw_time_bars(const Model& model, const PanelState& state);
// All variants of a stage side by side, under way or done, if one is asked for.
void draw_comparison(Model& model, PanelState& state);
// A button that asks for it.
void draw_compare_button(Model& model, PanelState& state, const StageRow& row);
// What a comparison says of a row of the catalogue: "0.126 ms, 1.3 x"; empty: nothing.
std::string compared_in_words(const StageRow& row, int of);

// "n 5, min ...", or "one cold run, 47 ms"; there is one time at least.
std::string runs_in_words(const EarlierTimes& times);
// A first run against others says little: the change then takes no side, and says why.
Change unless_cold(Change change, const EarlierTimes& before, const EarlierTimes& now);

// Keeps what runs now as A; back to it, the times aside.
void pin(Model& model);
void go_back_to_pinned(Model& model);
// The buttons for it.
void draw_pin(Model& model, const PanelState& state);
// How a stage, or the frame, now differs from A; nothing where that cannot be said. `with_name`:
// which variant A is.
bool differs_from_pinned(const Model& model, const StageRow& row);
void draw_stage_difference(const Model& model, const PanelState& state, const StageRow& row,
                           bool with_name);
void draw_frame_difference(const Model& model, const PanelState& state);

void draw_lab_panel(Model& model, PanelState& state);
// Shows the laboratory, with this tab in front: on a primitive, and one of its variants in the Code
// tab. What it is answering is not disturbed.
void open_laboratory(Model& model, PanelState& state, Primitive primitive, int row,
                     LabView::Tab tab);
// Its tabs.
void draw_lab_results(const Model& model, PanelState& state);
void draw_lab_sweep(Model& model, PanelState& state);
void draw_lab_busy(Model& model, PanelState& state);
void draw_lab_code(Model& model, PanelState& state);
void draw_lab_counters(Model& model, const PanelState& state);

// Into the menu that is open: the backends.
void draw_backend_menu(Model& model, const PanelState& state);

// Windows of their own over state.view.
void draw_gizmo(Model& model, const PanelState& state);
float height_of_gizmo(const Model& model, const PanelState& state);  // 0 where it has no room
void draw_lag(const Model& model, PanelState& state);
void draw_glance(const Model& model, const PanelState& state);
void draw_legend(const Model& model, const PanelState& state);
void draw_flight(const PanelState& state);
void draw_loading(Model& model, const PanelState& state);
void draw_failure(Model& model, const PanelState& state);
void draw_notices(PanelState& state);
void draw_log(PanelState& state);
void draw_help(const Model& model, PanelState& state);
void draw_about(PanelState& state);
void draw_save_picture(Model& model, PanelState& state);

}  // namespace warpview
