// What the user sees around the picture: menus, panels, messages and dialogs.
//
// Made of ImGui and the workspace alone: no OpenGL, no kernel. Each frame, between ImGui::NewFrame
// and ImGui::Render:
//
//     draw_panels(workspace, state);   // leaves in state.view where the picture goes
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/code_view.h"
#include "app/panels/file_browser.h"
#include "app/panels/settings.h"
#include "app/panels/style.h"
#include "app/workspace.h"
#include "gpu/runtime/ptx.h"

namespace warpview {

// A part of the window, in ImGui's units from its upper left.
struct Area {
  float x = 0.0F;
  float y = 0.0F;
  float width = 0.0F;
  float height = 0.0F;
};

// A message as the panels keep it.
struct Notice {
  Message message;
  double since = 0.0;      // ImGui::GetTime() when it came
  bool dismissed = false;  // no longer over the picture; it stays in the log
};

// What the Lab panel shows of the model's results.
struct LabView {
  enum class Tab { results, code, counters };
  std::optional<Tab> open;  // the tab to bring to the front with the next frame
  int row = -1;             // the variant in the Code tab, one of the question's primitive
  bool ptx = false;         // its PTX instead of its source
  std::string file;         // of the source that is shown: its own or a header
  std::string shown;        // what the next two were made of
  Code code;
  std::vector<PtxEntry> entries;  // kernels in it, if it is PTX
  int scroll_to = -1;             // a line of it to bring to the top once
  int marked = -1;                // a line of it that stands out
  double copied = -1e9;           // ImGui::GetTime() when the results went to the clipboard
};

struct PanelState {
  Fonts fonts;
  Settings settings;
  Area view;  // where the picture goes; set by draw_panels

  bool show_scene = true;
  bool show_timings = true;
  bool show_lab = false;  // then the other two make way for it
  bool show_log = false;
  bool show_help = false;
  bool quit = false;              // the user asked to leave
  bool settings_changed = false;  // they are worth saving; whoever saves clears it
  LabView lab;
  FileBrowser browser;
  std::vector<Notice> notices;                  // oldest first
  std::string known_spec;                       // of the scene when it was last looked at
  std::optional<double> first_picture_seconds;  // from the program's start, for the status line
  bool popup_open = false;                      // a menu, list or dialog has the keys
  // Something here changes with time alone: a message that will go, a cursor that blinks.
  bool animates = false;
};

// A panel state as the settings remember it.
PanelState panel_state_for(const Settings& settings);

// Takes the workspace's messages over into the state's notices.
void draw_panels(WorkspaceModel& workspace, PanelState& state);

// What menus and keys share.
enum class Command {
  open_file,
  screenshot,
  quit,
  fit,
  toggle_mesh,
  toggle_wire,
  toggle_boxes,
  toggle_curve,
  toggle_points,
  toggle_panels,
  toggle_lab,
  toggle_help,
  pause,
  close_dialog,  // the topmost, or what was shown last over the picture
};
void run_command(Command command, WorkspaceModel& workspace, PanelState& state);

// Opens a file or generated scene at the session's next update.
void open_scene_in(WorkspaceModel& workspace, const std::string& spec);

}  // namespace warpview
