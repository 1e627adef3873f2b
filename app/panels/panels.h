// What the user sees around the picture: menus, panels, messages and dialogs.
//
// Made of ImGui and the model alone: no OpenGL, no kernel. Each frame, between ImGui::NewFrame
// and ImGui::Render:
//
//     draw_panels(model, state);   // leaves in state.view where the picture goes
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/common/blocks_chart.h"
#include "app/common/runs_plot.h"
#include "app/common/sweep_plot.h"
#include "app/model.h"
#include "app/panels/code_view.h"
#include "app/panels/file_browser.h"
#include "app/panels/keyboard.h"
#include "app/panels/layout.h"
#include "app/panels/page_view.h"
#include "app/panels/settings.h"
#include "app/panels/step_player.h"
#include "app/panels/step_stack.h"
#include "app/panels/style.h"
#include "gpu/runtime/ptx.h"

namespace warpview {

// A part of the window, in ImGui's units from its upper left.
struct Area {
  float x = 0.0F;
  float y = 0.0F;
  float width = 0.0F;
  float height = 0.0F;

  bool operator==(const Area&) const = default;
};

// A message as the panels keep it.
struct Notice {
  Message message;
  double since = 0.0;                          // ImGui::GetTime() when it came
  std::chrono::system_clock::time_point at{};  // the same on the clock on the wall
  bool dismissed = false;                      // no longer over the picture; it stays in the log
  std::size_t count = 1;                       // of messages about one file, a line each
  bool past = false;                           // about what is no longer open: not counted
};

// What files are called that a panel writes: folder and name without extension.
struct FileStem {
  std::string text;  // as the user has it
  std::string proposed;
};

// What the Steps tab shows of LabModel::steps.
struct StepsView {
  // Which recordings move, where there are two.
  enum class Moving { both, first, second };
  // The second beside the first: another variant, or the same by another schedule.
  struct Comparison {
    VariantId variant;
    std::uint64_t seed;
  };

  bool asked = false;                   // what is chosen is recorded by itself from now on
  std::optional<std::size_t> begin_at;  // where the next recording is to stand; none: as before
  std::optional<Comparison> comparison{};
  Moving moving = Moving::both;
  StepPlayer player;
  StepGaze gaze;
  std::array<StepStack, LabSteps::sides> stacks;
  std::optional<std::size_t> difference;  // first_difference() of the two; none: there is none
  // What `difference` and the player are of.
  std::array<std::shared_ptr<const PlayedRun>, LabSteps::sides> known{};
  bool has_keys = false;  // the tab was used last: keys are for it
};

// The page that the About tab shows, or the handbook's window.
struct AboutView {
  struct Place {
    std::string page;
    float scroll;
  };
  std::string page{};                    // of the handbook; empty: none yet
  std::optional<Primitive> primitive{};  // the laboratory's when the page was chosen
  std::vector<Place> trail{};            // pages that were shown before: the latest last
  float scroll = 0.0F;                   // where it is
  std::optional<float> scroll_to{};      // where it is to be with the next frame
  std::string anchor{};                  // a heading to bring to the top; empty: none
  PageView view{};
};

// A picture on a card of Welcome. The owner of the window makes it in the background.
struct CardPicture {
  ImTextureID texture = nullptr;
  int width = 0, height = 0;  // pixels
};

// Welcome, and the gallery, which is its cards alone.
struct WelcomeView {
  enum class Form { closed, welcome, gallery };
  Form form = Form::closed;
  Form shown = Form::closed;                      // with the last frame
  std::map<std::string, CardPicture> pictures{};  // by the scene's name
  std::shared_ptr<PlayedRun> run{};               // of the card of a primitive; null: none yet
  double position = 0.0;                          // in the run, which plays under the mouse
};

// The state when a step of the tour began: its condition is compared with it.
struct TourMark {
  float yaw = 0.0F, pitch = 0.0F;
  std::string picked{};
  std::optional<VariantId> variant{};
  std::uint64_t comparison = 0;
  std::shared_ptr<const PlayedRun> run{};
};
struct TourView {
  std::optional<std::size_t> step{};  // of tour_steps(); none: there is no tour
  std::optional<TourMark> mark{};     // none: the step has yet to begin
  bool done = false;                  // the user has done what the step asks for
  Area card{};                        // its card, in the last frame
};

// The laboratory's tab Faults.
struct FaultsView {
  std::size_t fault = 0;                  // that is chosen, of faults()
  std::size_t kernel = 0;                 // of its wrong forms
  std::set<const FaultForm*> answered{};  // wrong forms whose answers are shown
  std::string shown;                      // what the next two were made of
  Code code;
  CodeView code_view;
};

// What the tab Runs shows of LabModel::runs.
struct RunsView {
  enum class Column { at, primitive, form, variant, items, ms, quartiles, runs, verified, device };

  std::string filter;     // that the user has typed
  std::string primitive;  // the only one that is shown; empty: all are
  Column sorted_by = Column::at;
  bool descending = true;
  std::set<std::uint64_t> selected;  // by MeasuredRun::id
  std::optional<RunsAxis> over;      // of the plot; none: what tells something
  // What is shown, and of what it was made.
  std::vector<MeasuredRun> rows;
  std::string rows_of;
};

// What the Lab panel shows of the model's results.
struct LabView {
  // A plot of one of the tabs.
  struct PlotChoices {
    std::set<std::string> hidden;  // curves, by name
    FileStem stem;                 // of the files that it writes
  };

  std::optional<LabTask> open;   // the tab to bring to the front with the next frame
  std::optional<LabTask> front;  // the tab that was drawn last; none: none yet
  // In the Code tab: one of the question's primitive; none: its default.
  std::optional<VariantId> variant{};
  Listing kind = Listing::source;  // what of it
  std::vector<std::string> files;  // that the Code tab offers: its own and what that is made of
  std::string files_of;            // what they were made for: its own and the kernels it launched
  std::string file;                // the one that is shown
  struct Place {
    std::string file;
    int top;  // the line that was seen first
  };
  std::vector<Place> trail;  // where one came from, by clicks: the latest last
  std::string shown;         // what the next two were made of
  Code code;
  CodeView code_view;
  int back_to = -1;               // a line to bring to the top when another file is shown
  std::vector<PtxEntry> entries;  // kernels in it, if it is PTX or SASS
  SassQuestion sass;              // of the variant that is shown
  std::string sass_of;            // what that was made for
  bool sass_after_run = false;
  bool sass_asked = false;
  double busy_since = -1.0;  // ImGui::GetTime() when the laboratory was asked; below 0: it is idle
  double copied = -1e9;      // ImGui::GetTime() when the results went to the clipboard
  SweepMetric metric = SweepMetric::time;
  StepsView steps;
  AboutView about;
  FaultsView faults;
  RunsView runs;
  std::array<PlotChoices, lab_tasks.size()> plots;  // by task

  PlotChoices& plot(LabTask task) { return plots[static_cast<std::size_t>(task)]; }
};

// The chart of the scene's blocks, as it was laid out last.
struct BlocksView {
  // What it was laid out of, and how wide.
  struct Of {
    std::uint64_t first = 0;  // begin of the first stretch, by the device's clock
    std::size_t stretches = 0;
    std::string title{};
    float width = 0.0F;
    float em = 0.0F;

    bool operator==(const Of&) const = default;
  };

  Of of;
  BlocksChart chart;
  std::vector<PlotShape> shapes;
  std::vector<std::string> words;
};

// How a picture is to be saved, as the user chose last.
struct PictureDialog {
  static constexpr std::size_t sizes = 5;
  static constexpr int largest = 8192;  // pixels a side, drawn anew

  bool open = false;
  std::size_t size = 0;      // of those that it offers; 0: the view's
  bool with_panels = false;  // the whole window, as it is
  bool transparent = false;  // else before the view's background
  std::string file;          // where to
};

// How a video is to be recorded, as the user chose last.
struct VideoDialog {
  static constexpr std::size_t sizes = 4;

  bool open = false;
  int kind = 0;    // 0: a turntable; 1: a stretch of time
  int format = 0;  // a VideoFormat
  double seconds = 4.0;
  int rate = 25;
  std::size_t size = 0;  // of those that it offers; 0: the view's
  std::string file;      // where to
};

// The window of the cameras that are kept.
struct CamerasView {
  bool open = false;
  std::string name;                    // for the next one
  std::string proposed;                // what that was before the user typed
  std::optional<std::size_t> renamed;  // of the model's, whose name is being typed
  std::string new_name;
  std::string complaint;  // why the last name could not be had; empty: it could
};

// The search over all that can be done.
struct PaletteView {
  bool open = false;
  bool appears = false;  // with the next frame
  std::string query{};
  std::size_t selected = 0;  // of the rows found
  bool scroll_to_it = false;
};

struct PanelState {
  Fonts fonts;
  Settings settings;
  Area view;  // where the picture goes; set by draw_panels

  // Which panels are wanted; draw_panels sets which of them are there, as the window has room.
  bool show_scene = true;
  bool show_timings = true;
  bool show_lab = false;  // then the other two make way for it
  bool folded = false;    // where there are tabs: no panel is open
  Layout layout;
  bool very_narrow = false;  // the window was, as is_very_narrow() has it
  bool show_log = false;
  bool show_help = false;
  bool show_about = false;
  bool show_page = false;  // of the handbook, in a window of its own
  KeyboardFocus keyboard;
  PaletteView palette;
  // How far the picture was behind, and when that was last so: ImGui::GetTime().
  struct Lag {
    double ms = 0.0;
    double at = -1e9;
  };
  Lag lag;
  bool flies = false;             // keys and mouse move the eye: app/window/flight.h
  float flight_speed = 1.0F;      // times the usual one
  bool quit = false;              // the user asked to leave
  bool settings_changed = false;  // they are worth saving; saving clears it
  LabView lab;
  BlocksView blocks;
  Handbook handbook;
  AboutView page;          // that the handbook's window shows
  std::string comparison;  // the stage whose comparison is shown; empty: none
  // Values of controls that are being dragged, by name: what makes the scene anew waits for the
  // end.
  std::map<std::string, double> dragged;
  FileBrowser browser;
  FileBrowser saver;  // for scenes
  PictureDialog picture;
  VideoDialog video;
  CamerasView cameras;
  float ab_height = 0.0F;  // of the card of A|B at the lower edge of the view, in the last frame
  // How far the legend reaches from the view's upper left corner, in the last frame.
  float legend_width = 0.0F;
  float legend_height = 0.0F;
  WelcomeView welcome;
  TourView tour;
  // A PNG of the whole window, without the dialog that asked for it: the owner of the window
  // writes it after the next frame.
  std::optional<std::string> window_picture;
  std::vector<Notice> notices;  // oldest first
  // Tells when they came.
  std::function<std::chrono::system_clock::time_point()> clock = std::chrono::system_clock::now;
  std::string panel_of;        // kind and files that the Scene panel was scrolled for
  float picked_height = 0.0F;  // of what was picked, all of it, in the last frame
  // Those that were open last of meshes and of pictures, for scenes that are made for these.
  std::array<std::vector<MeshSource>, 2> files_before;
  std::string known_files;                      // files_of() when it was last looked at
  std::string known_spec;                       // of the scene when it was last looked at
  std::uint64_t known_scene = 0;                // its number
  std::optional<double> first_picture_seconds;  // from the program's start, for the status line
  bool popup_open = false;                      // a menu, list or dialog has the keys
  // Something here changes with time alone: a message that will go, a cursor that blinks.
  bool animates = false;
};

// A panel state as the settings remember it.
PanelState panel_state_for(const Settings& settings);

// Takes the model's messages over into the state's notices.
void draw_panels(Model& model, PanelState& state);

// What menus and keys share.
enum class Command {
  open_file,
  reload,  // the files of the scene that is open, as they are now
  screenshot,
  save_picture,  // the dialog that asks how large
  save_scene,    // the dialog that asks where
  record_video,  // the dialog that asks how
  cameras,       // the window of those that are kept, or no more
  undo,          // of what was set in the scene
  redo,
  quit,
  fit,
  fly,  // or no more
  turn_up_axis,
  larger,  // the panels
  smaller,
  usual_size,
  toggle_panels,
  next_panel,
  toggle_lab,
  toggle_help,
  welcome,  // opens it
  gallery,
  tour,        // begins it
  compare_ab,  // A beside B, or no more
  next_ab,     // the next way to see both
  swap_ab,
  pause,
  step,          // one frame of a scene that is paused
  close_dialog,  // the topmost, or what was shown last over the picture; or the view gets the keys
  open_palette,
  // The keyboard's focus moves.
  focus_next,
  focus_previous,
  focus_next_panel,
  focus_previous_panel,
  focus_menus,  // or back
};
void run_command(Command command, Model& model, PanelState& state);

// Shows or hides the output that has this key, if one has.
void toggle_output(char key, Model& model);

// Opens a file or generated mesh at the session's next update: in the scene that is open, if that
// is made for it, or else in the first that is, and says so; or what a scene file says.
void open_file_in(Model& model, const std::string& spec);
// Opens several meshes in one scene; at least one. Recordings among them go to the laboratory.
void open_files_in(Model& model, std::vector<std::string> specs);

}  // namespace warpview
