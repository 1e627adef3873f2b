#include "app/panels/settings.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "gpu/runtime/error.h"
#include "gpu/runtime/whole_file.h"

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

void read_line(std::string_view line, Settings& settings) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return;
  const std::string_view name = line.substr(0, blank);
  const std::string_view value = line.substr(blank + 1);
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
  if (name == "theme" && value == "dark") settings.theme = Theme::dark;
  if (name == "theme" && value == "light") settings.theme = Theme::light;
  if (name == "z_up") read_flag(value, settings.z_up);
  if (name == "scale_percent")
    read_number(value, Settings::least_scale, Settings::most_scale, settings.scale_percent);
  if (name == "editor" && fits_a_line(value)) settings.editor = value;
  if (!fits_a_line(value) || !std::filesystem::path(value).is_absolute()) return;
  if (name == "folder") settings.folder = value;
  if (name == "recent" && settings.recent.size() < Settings::most_recent)
    settings.recent.emplace_back(value);
}

}  // namespace

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

std::filesystem::path settings_folder() {
  // The specification asks to ignore relative paths.
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && std::filesystem::path(config).is_absolute())
    return std::filesystem::path(config) / "warpview";
  const char* home = std::getenv("HOME");
  if (home != nullptr && std::filesystem::path(home).is_absolute())
    return std::filesystem::path(home) / ".config" / "warpview";
  return {};
}

Settings load_settings(const std::filesystem::path& folder) {
  if (folder.empty()) return {};
  std::ifstream in(folder / file_name, std::ios::binary);
  return read_settings(in);
}

Settings read_settings(std::istream& in) {
  Settings settings;
  // Enough for any file of ours; more is not one.
  constexpr int most_lines = 100;
  std::string line;
  for (int n = 0; n < most_lines && std::getline(in, line); ++n) read_line(line, settings);
  return settings;
}

std::string settings_as_text(const Settings& settings) {
  std::ostringstream out;
  out << "width " << settings.width << "\nheight " << settings.height << "\nmaximised "
      << settings.maximised << "\nscene_panel " << settings.scene_panel << "\ntimings_panel "
      << settings.timings_panel << "\nlab_panel " << settings.lab_panel << "\nscene_in_front "
      << settings.scene_in_front << "\nscene_width " << settings.scene_width << "\ntimings_width "
      << settings.timings_width << "\nlab_width " << settings.lab_width << "\nkernels_height "
      << settings.kernels_height << "\ntheme "
      << (settings.theme == Theme::light ? "light" : "dark") << "\nz_up " << settings.z_up
      << "\nscale_percent " << settings.scale_percent << '\n';
  if (fits_a_line(settings.editor)) out << "editor " << settings.editor << '\n';
  if (fits_a_line(settings.folder)) out << "folder " << settings.folder << '\n';
  for (const std::string& recent : settings.recent)
    if (fits_a_line(recent)) out << "recent " << recent << '\n';
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
