#include "tests/window/desktop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace warpview::test {
namespace {

// A program that hangs is given up after this. It is no measure: slow machines take a minute.
constexpr std::chrono::seconds patience{600};

bool is_installed(const char* program) {
  return std::system(fmt::format("command -v {} >/dev/null", program).c_str()) == 0;  // NOLINT
}

pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& settings,
            posix_spawn_file_actions_t* files) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name = std::string(*entry).substr(0, std::string(*entry).find('=') + 1);
    const bool is_set = std::any_of(settings.begin(), settings.end(),
                                    [&](const std::string& s) { return s.starts_with(name); });
    if (!is_set && name != "WAYLAND_DISPLAY=") environment.emplace_back(*entry);
  }
  environment.insert(environment.end(), settings.begin(), settings.end());
  const auto pointers = [](const std::vector<std::string>& from) {
    std::vector<char*> to;
    for (const std::string& each : from) to.push_back(const_cast<char*>(each.c_str()));
    to.push_back(nullptr);
    return to;
  };
  // Gone with this process, however it ends.
  std::vector<std::string> mortal = {"setpriv", "--pdeathsig", "KILL", "--"};
  mortal.insert(mortal.end(), words.begin(), words.end());
  pid_t process = -1;
  const int error = posix_spawnp(&process, mortal[0].c_str(), files, nullptr,
                                 pointers(mortal).data(), pointers(environment).data());
  if (error != 0) throw std::runtime_error(words[0] + " cannot be started");
  return process;
}

void end(pid_t process) {
  if (process <= 0) return;
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace

std::string why_no_desktop() {
  for (const char* program : {"Xvfb", "xdotool", "xprop"})
    if (!is_installed(program))
      return fmt::format("{} is not installed: apt install xvfb xdotool x11-utils", program);
  return "";
}

bool is_ci() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && std::string(ci) == "true";
}

// ---- The display --------------------------------------------------------------------------------

Display::Display(int dots_per_inch) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  constexpr int number_goes_to = 9;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, pipe_ends[1], number_goes_to);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  server_ = start({"Xvfb", "-displayfd", std::to_string(number_goes_to), "-screen", "0",
                   "3840x2160x24", "-nolisten", "tcp", "-noreset"},
                  {}, &files);
  posix_spawn_file_actions_destroy(&files);
  close(pipe_ends[1]);
  // It says its number when it is ready.
  char letter = 0;
  while (read(pipe_ends[0], &letter, 1) == 1 && letter != '\n') name_ += letter;
  close(pipe_ends[0]);
  if (name_.empty()) throw std::runtime_error("Xvfb has ended");
  name_.insert(0, ":");
  run(fmt::format("xprop -root -format RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: {}'",
                  dots_per_inch));
}

Display::~Display() { end(server_); }

std::string Display::run(const std::string& command) const {
  const std::string line = "DISPLAY=" + name_ + " " + command + " 2>&1";
  FILE* const pipe = popen(line.c_str(), "r");  // NOLINT(cert-env33-c): the point of it
  if (pipe == nullptr) throw std::runtime_error(command + " cannot be started");
  std::string out;
  std::array<char, 4096> some{};
  while (const std::size_t count = fread(some.data(), 1, some.size(), pipe))
    out.append(some.data(), count);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed: " + out);
  return out;
}

// ---- The program --------------------------------------------------------------------------------

Viewer::Viewer(const Display& display, std::filesystem::path home,
               const std::vector<std::string>& arguments)
    : display_(display), home_(std::move(home)), map_file_(home_ / "map.json") {
  std::filesystem::create_directories(home_ / "pictures");
  std::filesystem::remove(map_file_);
  std::vector<std::string> words = {WARPVIEW_PROGRAM, "--backend", "cpu", "--ui-map",
                                    map_file_.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  // Mesa's shaders, compiled once for all tests.
  const auto shaders = std::filesystem::temp_directory_path() / "warpview_window" / "shaders";
  std::filesystem::create_directories(shaders);
  const std::string log = (home_ / "log.txt").string();
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  process_ = start(
      words,
      {"DISPLAY=" + display.name(), "LIBGL_ALWAYS_SOFTWARE=1",
       "XDG_CONFIG_HOME=" + (home_ / "config").string(),
       "XDG_CACHE_HOME=" + (home_ / "cache").string(), "MESA_SHADER_CACHE_DIR=" + shaders.string(),
       "XDG_PICTURES_DIR=" + (home_ / "pictures").string()},
      &files);
  posix_spawn_file_actions_destroy(&files);
}

Viewer::~Viewer() { end(process_); }

bool Viewer::has_ended() {
  if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
  return process_ <= 0;
}

int Viewer::exit_code() {
  const auto begin = std::chrono::steady_clock::now();
  while (!has_ended()) {
    if (std::chrono::steady_clock::now() - begin > patience)
      throw std::runtime_error("The program does not end.");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

const Json& Viewer::now() {
  // In one piece: letter by letter takes a quarter of a test's time.
  std::ifstream in(map_file_, std::ios::binary | std::ios::ate);
  if (!in) return map_;
  std::string text(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (text.empty() || text == text_) return map_;
  map_ = Json::parse(text);
  text_ = std::move(text);
  return map_;
}

const Json& Viewer::until(const std::string& what, const std::function<bool(const Json&)>& holds) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const bool ended = has_ended();
    if (const Json& map = now(); !map.is_null() && holds(map)) return map;
    const bool late = std::chrono::steady_clock::now() - begin > patience;
    if (ended || late) {
      std::ifstream log(home_ / "log.txt");
      throw std::runtime_error(
          fmt::format("{}: {}\n{}\n{}", ended ? "The program ended before" : "This did not come",
                      what, std::string(std::istreambuf_iterator<char>(log), {}), map_.dump(1)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // between two looks
  }
}

const Json& Viewer::until_at_rest() {
  return until("a scene at rest", [](const Json& map) {
    const Json& stages = map["scene"]["stages"];
    return map["loading"].is_null() && map["scene"]["frames"] > 0 && map["view"][2] > 0 &&
           std::all_of(stages.begin(), stages.end(),
                       [](const Json& stage) { return stage["warm_up"] != "to come"; });
  });
}

Json Viewer::widget(const std::string& window, const std::string& name) {
  Json found;
  until(window + ": " + name, [&](const Json& map) {
    for (const Json& each : map["widgets"])
      if (each["window"] == window && each["name"] == name && each["visible"] && each["enabled"])
        found = each;
    return !found.is_null();
  });
  return found;
}

Place Viewer::place(const std::string& window, const std::string& name) {
  const Json at = widget(window, name)["at"];
  return {at[0].get<double>() + 0.5 * at[2].get<double>(),
          at[1].get<double>() + 0.5 * at[3].get<double>()};
}

Place Viewer::in_view(double right, double down) {
  const Json& view = now()["view"];
  return {view[0].get<double>() + right * view[2].get<double>(),
          view[1].get<double>() + down * view[3].get<double>()};
}

void Viewer::act(const std::string& commands) { display_.run("xdotool " + commands); }

void Viewer::click(Place at) { act(move_to(at) + " click 1"); }

void Viewer::hover(const std::string& window, const std::string& name) {
  // A submenu opens under the cursor.
  const auto has_it = [](const Json& each) {
    return each["hovered"] == true || (each["kind"] == "menu" && each["on"] == true);
  };
  for (Json found = widget(window, name); !has_it(found); found = widget(window, name)) {
    const Json at = found["at"];
    act(move_to(place(window, name)));
    // Under the cursor, or somewhere else meanwhile.
    until(window + ": " + name + " under the cursor", [&](const Json& map) {
      const auto is_it = [&](const Json& each) {
        return each["window"] == window && each["name"] == name;
      };
      const auto now = std::find_if(map["widgets"].begin(), map["widgets"].end(), is_it);
      return now == map["widgets"].end() || has_it(*now) || (*now)["at"] != at;
    });
  }
}

void Viewer::click(const std::string& window, const std::string& name) {
  hover(window, name);
  act("click 1");
}

std::string Viewer::window_id() const {
  const std::string id = display_.run("xdotool search --onlyvisible --class warpview");
  return id.substr(0, id.find('\n'));
}

void Viewer::resize(int width, int height) {
  act(fmt::format("windowsize {} {} {}", window_id(), width, height));
  until(fmt::format("{} x {}", width, height),
        [&](const Json& map) { return map["width"] == width && map["height"] == height; });
}

std::string move_to(Place at) { return fmt::format("mousemove {:.0f} {:.0f}", at.x, at.y); }

}  // namespace warpview::test
