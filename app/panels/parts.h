// The panels one by one. draw_panels() puts them in place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/empty_state.h"
#include "app/panels/format.h"
#include "app/panels/panels.h"

namespace warpview {

// A window that stays in its place, behind all others, until ImGui::End().
void begin_fixed(const char* name, const Area& area, ImGuiWindowFlags more = 0);

// A window over the view that stays in its place, until ImGui::End().
void begin_card(const char* name);

// A card in the middle at the top, `ems` wide if it has room, with a title.
void begin_top_card(const Model& model, const PanelState& state, const char* name, float ems,
                    const std::string& title);

// Such a card with a progress bar, 0 to 1, and a note below it. True: Cancel was pressed.
bool draw_progress_card(const Model& model, const PanelState& state, const char* name,
                        const std::string& title, float progress, const std::string& note);

// Where messages and what must be answered are shown: over the view, or over the panel that covers
// it.
Area area_of_cards(const PanelState& state);

// The panels that have room beside the picture, whose place it leaves in state.view; `top` and
// `height` are those of the room between menus and status line.
void draw_side_panels(Model& model, PanelState& state, float top, float height);
// "12 triangles": the scene's first fact that is a number; empty: it has none.
std::string amount_of(const Model& model);
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
// What was picked has a place of its own below the scene's panel, whose height together is `most`,
// so that nothing above it moves. 0: nothing was picked.
float height_of_picked(const Model& model, const PanelState& state, float most);
void draw_picked(const Model& model, PanelState& state);
void draw_timings_panel(Model& model, PanelState& state);
// Is a frame's time known, of a scene that moves? Else the stages' times are shown, each once.
bool has_frame_times(const Model& model);
// The one number that counts, its breakdown as a bar, and the device.
void draw_headline(Model& model, PanelState& state);
// Bars over the width that is left: the frame, or each stage once where nothing moves; and the
// window's loop.
void draw_time_bar(const Model& model, const PanelState& state);
void draw_window_bar(const Model& model, const PanelState& state);
// How much of it is the device's, and the statistics of the last ones: lines of a tooltip.
std::vector<std::string> breakdown_in_words(const TimeParts& whole);
// Milliseconds: the sum of the medians of all stages, or only of those that run every frame, or of
// those that do not.
double sum_of_stages(const Model& model, std::optional<bool> every_frame = {});
// What the scene's contenders cost, side by side and over the amount of work; nothing where it has
// none. Facts of contenders stand there, and nowhere else in the panel.
void draw_budgets(Model& model, PanelState& state);
bool is_of_contender(const Snapshot& results, const Fact& fact);
// The blocks of the scene's scheduled stage over time, where they are recorded.
void draw_blocks_at_work(const Model& model, PanelState& state);
// All variants of a stage side by side, running or done, if one is asked for.
void draw_comparison(Model& model, PanelState& state);
// From the Timings panel, where it then comes into view.
void ask_for_comparison(Model& model, PanelState& state, const StageRow& row);
// The colour of a stage's kind; for stages of the mesh it is the button Watch.
void draw_stage_mark(Model& model, const PanelState& state, const StageRow& row, float width);
// The buttons Compare and Repeat at the right end of the column. True: one of them is shown,
// because the row is pointed at, it has the keyboard's focus, or the tour points at it.
bool draw_stage_actions(Model& model, PanelState& state, const StageRow& row, bool pointed_at);
// What a comparison says of a variant: "0.126 ms, 1.30x (1.2 to 1.4)"; empty: nothing.
std::string compared_in_words(const Model& model, const StageRow& row, VariantId of);

// "n 5, min ...", or "one cold run, 47 ms"; there is one time at least.
std::string runs_in_words(const VariantTimes& times);

// A stage's times, earlier ones and those of now, to be held against each other. Where both
// variants were compared with all others these are the comparison's times, which were taken one
// after the other: two places of the window do not contradict each other.
struct TimesPair {
  VariantTimes before, now;
  bool compared = false;
};
TimesPair pair_of(const StageRow& row, const VariantTimes& before);
// Why they say nothing about each other: another load, or only one of a scene that moved. Empty:
// they do.
std::string why_not_comparable(const VariantTimes& before, const VariantTimes& now);
// A cold run, and native code against emulated, take no side, and the words say why.
Change change_of(const Model& model, const VariantTimes& before, const VariantTimes& now);
// "resident: n 5, ..., at 23:07:09, other programs 12 %".
std::string taken_in_words(const std::string& name, const VariantTimes& times);
inline constexpr const char* from_comparison = "Both from the comparison of all variants.";
// What a ratio and its interval are: a line of tooltips.
inline constexpr const char* about_ratios =
    "Ratios are of medians: 2x is twice as fast, 0.5x half as fast. In brackets: the range from "
    "the "
    "closest to the farthest quartiles. If it contains 1x there is no clear difference.";

// Keeps what runs now as A; back to it, the times aside.
void pin(Model& model);
void go_back_to_pinned(Model& model);
// What is set or shown otherwise than in A, which there is: a line each.
std::vector<std::string> changes_since_pinned(const Model& model);
// A|B: shows A beside B, divided, or no more. Without A what is there becomes A.
void toggle_ab(Model& model);
void show_next_ab(Model& model);
// Why there is no picture of A to be seen; empty: there is one.
std::string ab_misses(const Model& model);
// The divider, and the card that chooses how both are seen.
void draw_ab(Model& model, PanelState& state);
// The buttons for it.
void draw_pin(Model& model, const PanelState& state);
// How a stage, or the frame, now differs from A; nothing where the variant is A's and there is no
// clear difference. `with_name`:
// from which variant to which, over the columns of a table.
bool differs_from_pinned(const Model& model, const StageRow& row);
void draw_stage_difference(const Model& model, const PanelState& state, const StageRow& row,
                           bool with_name);
void draw_frame_difference(const Model& model, const PanelState& state);

void draw_lab_panel(Model& model, PanelState& state);
// Shows the laboratory, with this tab in front: on a primitive, and one of its variants in the Code
// tab. What it is answering is not disturbed.
void open_laboratory(Model& model, PanelState& state, Primitive primitive,
                     std::optional<VariantId> variant, LabTask tab);
// Opens it on a stage's primitive and variant, with as many items as it worked on.
void open_stage_in_laboratory(Model& model, PanelState& state, const StageRow& row);
// Shows the tab Steps for a recording that was opened from a file, once the laboratory is not busy:
// on its primitive and variant, if they are known here.
void show_opened_recording(Model& model, PanelState& state);
// Chooses a form in the tab Faults: a wrong one, or the first of a right twin with its answer.
void show_fault(FaultsView& view, const FaultForm& form);
// In the place of the primitive's choices, in a line of this width.
void draw_faults_warning(float width);
// The run of a fault that the tab Steps plays, to which no choice of a primitive applies; null:
// there is none.
const PlayedRun* played_fault(const LabModel& lab);
// Describes a recording that the tab's choices do not: from a file, or of a fault.
void draw_origin(const PlayedRun& run, float width);
// Does the scene's view stay beside the laboratory? In tabs that take its place only where the user
// wants it.
bool shows_scene_beside_lab(const PanelState& state);
// Opens the current files in another scene. One that is not made for them shows those that were
// open before and that it is made for, or else its own.
void open_in_scene(const SceneKind& kind, Model& model, PanelState& state);
// Begins the tour with its first step, in the scene that it needs.
void begin_tour(Model& model, PanelState& state);
// Before the panels are drawn: shows what the tour's step needs, and looks for its widget.
void look_for_toured(Model& model, PanelState& state);
// The page of the scene that is open.
void open_scene_page(const Model& model, PanelState& state, const std::string& heading = {});
// The page of a stage's primitive, in the laboratory, or what the scene's page says of its stages.
void open_stage_page(Model& model, PanelState& state, const StageRow& row);
// Shows the tab Steps for a stage that is watched, once the laboratory is not busy, and has it
// record.
void show_watched_stage(Model& model, PanelState& state);
// Where kernels are emulated the counters come first, else the times.
LabTask first_tab(const Model& model);
inline bool is_emulated(const Model& model) { return model.device.backend == Backend::cpu; }
// What a task's tab shows before it has answers: why there are none where it was asked, and the
// button that asks its question. True: it was pressed.
bool draw_empty_task(Model& model, const PanelState& state, LabTask task, const EmptyState& empty);
// For some seconds after the laboratory's results went to the clipboard. Draws on until they are
// over.
bool shows_copied(PanelState& state);
inline constexpr const char* copied_in_words = "Copied to the clipboard.";
// Its tabs.
#define LAB_TASK(name, ...) void draw_lab_##name(Model& model, PanelState& state);
#include "app/panels/lab_tasks.def"
#undef LAB_TASK

// A file without its folder, or a generated mesh.
std::string name_of_file(const MeshSource& file);
// The names of the files that are open, or of the scene's own mesh, as one string to compare.
std::string files_of(const Model& model);

// Why a control of the scene has no effect as it is set and shown; empty: it has.
std::string control_misses(const Model& model, std::size_t control);
// Why what a switch turns on, or dimming, has no effect on what is shown; empty: it has.
std::string look_misses(const Model& model, const LookSwitch& look);
std::string dimming_misses(const Model& model);

// Windows of their own over state.view.
void draw_gizmo(Model& model, const PanelState& state);
float height_of_gizmo(const Model& model, const PanelState& state);  // 0 where it has no room
// How far the legend, the axes and the note that the picture lags reach down in the view's upper
// corners.
float height_of_corners(const Model& model, const PanelState& state);
void draw_lag(const Model& model, PanelState& state);
// Why nothing is drawn, where that is so.
void draw_emptiness(const Model& model, PanelState& state);
void draw_glance(const Model& model, const PanelState& state);
void draw_legend(const Model& model, PanelState& state);
void draw_flight(const PanelState& state);
void draw_loading(Model& model, const PanelState& state);
void draw_failure(Model& model, const PanelState& state);
void draw_notices(PanelState& state);
void draw_log(PanelState& state);
// Shows a page of the handbook in its window, from the heading that a link would name so.
void show_handbook(PanelState& state, const std::string& page, const std::string& anchor = {});
void draw_handbook(Model& model, PanelState& state);
void draw_welcome(Model& model, PanelState& state);
void draw_tour(Model& model, PanelState& state);
void draw_help(const Model& model, PanelState& state);
void draw_about(PanelState& state);
// File > Open and File > Save scene.
void draw_browsers(Model& model, PanelState& state);
void draw_save_picture(Model& model, PanelState& state);
void draw_record_video(Model& model, PanelState& state);
// How far a recording is.
void draw_recording(Model& model, PanelState& state);
void draw_cameras(Model& model, PanelState& state);

}  // namespace warpview
