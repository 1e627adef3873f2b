#include "app/panels/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"
#include "gpu/runtime/whole_file.h"
#include "scenes/description.h"

namespace warpview {
namespace {

// One "name value" a line. Paths are bytes, not always UTF-8, so that no format with a character
// set would do; one that holds a line break or a NUL is not remembered.
constexpr const char* file_name = "settings.txt";
constexpr int least_size = 320;
constexpr int largest_size = 16384;

bool fits_a_line(std::string_view text) {
  constexpr std::string_view none_of("\n\r\0", 3);
  return !text.empty() && text.find_first_of(none_of) == std::string_view::npos;
}

void read_number(std::string_view text, int least, int most, int& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
    value = number;
}

void read_flag(std::string_view text, bool& value) {
  int number = value ? 1 : 0;
  read_number(text, 0, 1, number);
  value = number == 1;
}

// ---- How scenes were left -----------------------------------------------------------------------

// A line "scene" with its key, and behind it a line for each part that is remembered.

// The words of a line, as many as a part may have; empty ones are none.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty() && words.size() < SceneMemory::most_names) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// Two words around the first of this letter; none where one of them is empty.
using Pair = std::pair<std::string, std::string>;
std::optional<Pair> halves(std::string_view word, char letter) {
  const std::size_t at = word.find(letter);
  if (at == std::string_view::npos || at == 0 || at + 1 == word.size()) return {};
  return Pair{word.substr(0, at), word.substr(at + 1)};
}

// Is it from where one can look?
bool makes_sense(const SceneMemory::View& view) {
  constexpr float half_turn = 3.15F;
  constexpr float quarter_turn = 1.58F;
  constexpr float half_circle = 3.1415926F;
  constexpr float farthest = 1e30F;
  const auto within = [](float x, float least, float most) { return x >= least && x <= most; };
  return within(view.yaw, -half_turn, half_turn) &&
         within(view.pitch, -quarter_turn, quarter_turn) && view.field_of_view > 0.0F &&
         view.field_of_view < half_circle && within(view.distance, 1e-30F, farthest) &&
         within(view.target.x, -farthest, farthest) && within(view.target.y, -farthest, farthest) &&
         within(view.target.z, -farthest, farthest);
}

constexpr int words_of_view = 9;
std::optional<SceneMemory::View> read_view(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  SceneMemory::View view;
  const std::array numbers = {&view.yaw,      &view.pitch,    &view.field_of_view, &view.distance,
                              &view.target.x, &view.target.y, &view.target.z};
  if (words.size() != 2 + numbers.size()) return {};
  if (words[0] != "fits" && words[0] != "moved") return {};
  if (words[1] != "y" && words[1] != "z") return {};
  view.fits = words[0] == "fits";
  view.up = words[1] == "z" ? UpAxis::z : UpAxis::y;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view word = words[2 + i];
    const char* const end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, *numbers[i]);
    if (parsed.ec != std::errc() || parsed.ptr != end) return {};
  }
  if (!makes_sense(view)) return {};
  return view;
}

std::string as_line(const SceneMemory::View& view) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", view.fits ? "fits" : "moved",
                     view.up == UpAxis::z ? "z" : "y", view.yaw, view.pitch, view.field_of_view,
                     view.distance, view.target.x, view.target.y, view.target.z);
}

// A part of the scene whose line was the last one; none of it for a scene that is there already, or
// one too many.
class SceneReader {
 public:
  explicit SceneReader(std::vector<SceneMemory>& scenes) : scenes_(scenes) {}

  void read(std::string_view name, std::string_view value) {
    if (name == "scene") begin(value);
    if (!is_open_) return;
    SceneMemory& scene = scenes_.back();
    if (name == "scene_view") scene.view = read_view(value);
    if (name == "scene_controls") {
      scene.controls.emplace();
      for (const std::string_view word : words_of(value))
        if (auto pair = halves(word, '=')) scene.controls->push_back(*std::move(pair));
    }
    if (name == "scene_variants") {
      scene.variants.emplace();
      for (const std::string_view word : words_of(value)) read_choice(word, *scene.variants);
    }
    if (name == "scene_shown") {
      scene.shown.emplace();
      for (const std::string_view word : words_of(value)) scene.shown->emplace_back(word);
    }
    if (name == "scene_cameras" && !scene.cameras) scene.cameras.emplace();
    if (name == "scene_camera") read_camera(value, scene);
  }

 private:
  void begin(std::string_view key) {
    const bool is_known = std::any_of(scenes_.begin(), scenes_.end(),
                                      [key](const SceneMemory& scene) { return scene.key == key; });
    is_open_ = fits_a_line(key) && key.size() <= SceneMemory::longest_key && !is_known &&
               scenes_.size() < SceneMemory::most;
    if (is_open_) scenes_.push_back({.key = std::string(key)});
  }

  // A view, and behind it the name, which may hold spaces.
  static void read_camera(std::string_view line, SceneMemory& scene) {
    if (!scene.cameras || scene.cameras->size() == NamedViewpoint::most) return;
    std::size_t end = 0;
    for (int word = 0; word < words_of_view && end != std::string_view::npos; ++word)
      end = line.find(' ', word == 0 ? 0 : end + 1);
    if (end == std::string_view::npos) return;
    const std::string_view name = line.substr(end + 1);
    const auto view = read_view(line.substr(0, end));
    const bool is_known = std::any_of(scene.cameras->begin(), scene.cameras->end(),
                                      [name](const auto& each) { return each.name == name; });
    if (view && !is_known && why_no_camera_name(name).empty())
      scene.cameras->push_back({std::string(name), *view});
  }

  // stage=primitive:variant
  static void read_choice(std::string_view word, std::vector<SceneMemory::Choice>& choices) {
    const auto stage = halves(word, '=');
    const auto row = stage ? halves(stage->second, ':') : std::nullopt;
    if (row) choices.push_back({stage->first, row->first, row->second});
  }

  std::vector<SceneMemory>& scenes_;
  bool is_open_ = false;
};

void write_scene(const SceneMemory& scene, std::ostream& out) {
  if (!fits_a_line(scene.key) || scene.empty()) return;
  out << "scene " << scene.key << '\n';
  if (scene.view) out << "scene_view " << as_line(*scene.view) << '\n';
  if (scene.controls) {
    out << "scene_controls";
    for (const auto& [name, value] : *scene.controls) out << ' ' << name << '=' << value;
    out << '\n';
  }
  if (scene.variants) {
    out << "scene_variants";
    for (const SceneMemory::Choice& each : *scene.variants)
      if (!each.is_usual) out << ' ' << each.stage << '=' << each.primitive << ':' << each.variant;
    out << '\n';
  }
  if (scene.shown) {
    out << "scene_shown";
    for (const std::string& name : *scene.shown) out << ' ' << name;
    out << '\n';
  }
  if (!scene.cameras) return;
  out << "scene_cameras " << scene.cameras->size() << '\n';
  for (const SceneMemory::NamedCamera& each : *scene.cameras)
    out << "scene_camera " << as_line(each.view) << ' ' << each.name << '\n';
}

// ---- Lines --------------------------------------------------------------------------------------

void read_line(std::string_view line, Settings& settings, SceneReader& scenes) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  const std::string_view name = line.substr(0, blank);
  const std::string_view value = line.substr(std::min(blank + 1, line.size()));
  scenes.read(name, value);
  if (name == "width") read_number(value, least_size, largest_size, settings.width);
  if (name == "height") read_number(value, least_size, largest_size, settings.height);
  if (name == "maximised") read_flag(value, settings.maximised);
  if (name == "scene_panel") read_flag(value, settings.scene_panel);
  if (name == "timings_panel") read_flag(value, settings.timings_panel);
  if (name == "lab_panel") read_flag(value, settings.lab_panel);
  if (name == "scene_in_front") read_flag(value, settings.scene_in_front);
  const auto read_part = [&](std::string_view part, int& units) {
    if (name == part) read_number(value, 0, Settings::largest_part, units);
  };
  read_part("scene_width", settings.scene_width);
  read_part("timings_width", settings.timings_width);
  read_part("lab_width", settings.lab_width);
  read_part("kernels_height", settings.kernels_height);
  if (name == "theme") settings.theme = theme_named(value).value_or(settings.theme);
  if (name == "scene_beside_primitive") read_flag(value, settings.scene_beside_primitive);
  if (name == "legend") read_flag(value, settings.legend);
  for (std::size_t i = 0; i < look_switches.size(); ++i)
    if (name == fmt::format("look_{}", look_switches[i].name)) {
      bool on = RenderOptions().*look_switches[i].value;
      read_flag(value, on);
      settings.look[i] = on;
    }
  if (name == "welcome_at_start") read_flag(value, settings.welcome_at_start);
  if (name == "z_up") read_flag(value, settings.z_up);
  if (name == "reload_on_change") read_flag(value, settings.reload_on_change);
  if (name == "keep_runs") read_flag(value, settings.keep_runs);
  if (name == "scale_percent")
    read_number(value, Settings::least_scale, Settings::most_scale, settings.scale_percent);
  if (name == "editor" && fits_a_line(value)) settings.editor = value;
  if (!fits_a_line(value) || !std::filesystem::path(value).is_absolute()) return;
  if (name == "folder") settings.folder = value;
  if (name == "recent" && settings.recent.size() < Settings::most_recent)
    settings.recent.emplace_back(value);
}

// This program's folder in the one that the variable names, or else in this one of the home folder;
// empty where neither is known.
std::filesystem::path folder_of(const char* variable, const char* in_home) {
  // The specification asks to ignore relative paths.
  const char* const named = std::getenv(variable);
  if (named != nullptr && std::filesystem::path(named).is_absolute())
    return std::filesystem::path(named) / "warpview";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && std::filesystem::path(home).is_absolute())
    return std::filesystem::path(home) / in_home / "warpview";
  return {};
}

}  // namespace

void Settings::keep_look(const RenderOptions& now, const LookChoice& asked) {
  for (std::size_t i = 0; i < look_switches.size(); ++i) {
    const bool on = now.*look_switches[i].value;
    const bool usual = RenderOptions().*look_switches[i].value;
    if (asked[i] != on && (look[i] || on != usual)) look[i] = on;
  }
}

void Settings::opened(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(file, error).lexically_normal();
  if (error) return;
  std::string name = absolute.string();
  if (!fits_a_line(name)) return;
  std::erase(recent, name);
  recent.insert(recent.begin(), std::move(name));
  if (recent.size() > most_recent) recent.resize(most_recent);
}

std::filesystem::path settings_folder() { return folder_of("XDG_CONFIG_HOME", ".config"); }

std::filesystem::path kept_runs_file() {
  const std::filesystem::path folder = folder_of("XDG_DATA_HOME", ".local/share");
  return folder.empty() ? folder : folder / "runs.csv";
}

bool has_settings(const std::filesystem::path& folder) {
  std::error_code error;
  return !folder.empty() && std::filesystem::exists(folder / file_name, error);
}

Settings load_settings(const std::filesystem::path& folder) {
  if (folder.empty()) return {};
  std::ifstream in(folder / file_name, std::ios::binary);
  return read_settings(in);
}

Settings read_settings(std::istream& in) {
  Settings settings;
  // Enough for any file of ours; more is not one.
  constexpr int most_lines = 1000;
  std::string line;
  SceneReader scenes(settings.scenes);
  for (int n = 0; n < most_lines && std::getline(in, line); ++n) read_line(line, settings, scenes);
  std::erase_if(settings.scenes, [](const SceneMemory& scene) { return scene.empty(); });
  return settings;
}

std::string settings_as_text(const Settings& settings) {
  std::ostringstream out;
  out << "width " << settings.width << "\nheight " << settings.height << "\nmaximised "
      << settings.maximised << "\nscene_panel " << settings.scene_panel << "\ntimings_panel "
      << settings.timings_panel << "\nlab_panel " << settings.lab_panel << "\nscene_in_front "
      << settings.scene_in_front << "\nscene_width " << settings.scene_width << "\ntimings_width "
      << settings.timings_width << "\nlab_width " << settings.lab_width << "\nkernels_height "
      << settings.kernels_height << "\ntheme " << name_of(settings.theme) << "\nlegend "
      << settings.legend << "\nwelcome_at_start " << settings.welcome_at_start
      << "\nscene_beside_primitive " << settings.scene_beside_primitive << "\nz_up "
      << settings.z_up << "\nreload_on_change " << settings.reload_on_change << "\nkeep_runs "
      << settings.keep_runs << "\nscale_percent " << settings.scale_percent << '\n';
  for (std::size_t i = 0; i < look_switches.size(); ++i)
    if (settings.look[i])
      out << "look_" << look_switches[i].name << ' ' << *settings.look[i] << '\n';
  if (fits_a_line(settings.editor)) out << "editor " << settings.editor << '\n';
  if (fits_a_line(settings.folder)) out << "folder " << settings.folder << '\n';
  for (const std::string& recent : settings.recent)
    if (fits_a_line(recent)) out << "recent " << recent << '\n';
  for (const SceneMemory& scene : settings.scenes) write_scene(scene, out);
  return out.str();
}

bool save_settings(const Settings& settings, const std::filesystem::path& folder) {
  if (folder.empty()) return false;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  try {
    write_whole_file(folder / file_name, settings_as_text(settings));
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace warpview
