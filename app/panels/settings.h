// What the viewer remembers from one start to the next.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/common/scene_memory.h"
#include "app/common/theme.h"
#include "app/render/options.h"

namespace warpview {

struct Settings {
  static constexpr std::size_t most_recent = 10;

  std::vector<std::string> recent;  // absolute paths of files that were opened, newest first
  std::string folder;               // that the file browser showed last
  std::string editor;               // command for source files; empty: what is installed
  int width = 1280;                 // of the window, before it is scaled with the desktop
  int height = 800;
  bool maximised = false;
  bool scene_panel = true;
  bool timings_panel = true;
  bool lab_panel = false;
  bool legend = true;             // shown where the view has room for it
  LookChoice look{};              // as the user switched it last
  bool welcome_at_start = false;  // Welcome, at every start and not at the first alone
  // Where there is room for one of the first two only: is it the Scene panel?
  bool scene_in_front = false;
  // As they were dragged, before they are scaled with the desktop and the panels; 0: as usual.
  static constexpr int largest_part = 4000;
  int scene_width = 0;
  int timings_width = 0;
  int lab_width = 0;
  int kernels_height = 0;  // of the Code tab's table
  Theme theme = Theme::dark;
  bool z_up = false;                    // is z what is up in scenes?
  bool reload_on_change = false;        // files of the scene, as they are written
  bool keep_runs = false;               // of the laboratory, from one session to the next
  bool scene_beside_primitive = false;  // in the laboratory's tabs that take its place
  // Percentages of the panels' size on this desktop.
  static constexpr int least_scale = 50;
  static constexpr int usual_scale = 100;
  static constexpr int most_scale = 300;
  int scale_percent = usual_scale;

  std::vector<SceneMemory> scenes;  // how they were left, the last one first

  // What of the look the user has switched: what is as the command line `asked` stays as it was.
  void keep_look(const RenderOptions& now, const LookChoice& asked);
  // Moves the file to the front of `recent`.
  void opened(const std::filesystem::path& file);
  bool operator==(const Settings&) const = default;
};

// $XDG_CONFIG_HOME/warpview, else ~/.config/warpview; empty where neither is known, and then
// nothing is remembered.
std::filesystem::path settings_folder();

// $XDG_DATA_HOME/warpview/runs.csv, else ~/.local/share/warpview/runs.csv, which holds the runs
// that the user keeps; empty where neither is known.
std::filesystem::path kept_runs_file();

// Has the viewer been here before, and left its settings?
bool has_settings(const std::filesystem::path& folder);
// A damaged file is no error: a value that is missing or makes no sense has its default, and what
// makes none in the list of recent files, or in how a scene was left, is left out.
Settings load_settings(const std::filesystem::path& folder);
// Reads a stream; the text that save_settings() writes.
Settings read_settings(std::istream& in);
std::string settings_as_text(const Settings& settings);
// Makes the folder if need be. False when it cannot be written; what was there is then untouched.
bool save_settings(const Settings& settings, const std::filesystem::path& folder);

}  // namespace warpview
