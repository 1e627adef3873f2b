// A display of its own, the program on it, and a user who clicks and types there. What the user
// sees is the program's map of its window (docs/ui-map.md): tests find widgets in it and wait for
// states, never for time. What does not come within a minute fails.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpview::test {

using Json = nlohmann::json;

struct Place {
  double x = 0.0;
  double y = 0.0;
};

// Why there can be no desktop here; empty: there can.
std::string why_no_desktop();

// Under CI=true, as .ci/run says, all that tests need is there, or they fail.
bool is_ci();

// An X server of 3840 x 2160 pixels without a window manager.
class Display {
 public:
  // `dots_per_inch`: what a desktop says that is scaled by dots_per_inch / 96.
  explicit Display(int dots_per_inch = 96);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  const std::string& name() const { return name_; }  // ":1"
  // Runs a program of the desktop. Its output.
  std::string run(const std::string& command) const;

 private:
  pid_t server_ = -1;
  std::string name_;
};

class Viewer {
 public:
  // Starts the program on the display. What it remembers, and its pictures, lie in `home`.
  Viewer(const Display& display, std::filesystem::path home,
         const std::vector<std::string>& arguments);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // The window as it is now; the newest map there is.
  const Json& now();
  // Waits for a state and returns it. std::runtime_error when the program ends before, or a minute
  // is over: `what` should have come.
  const Json& until(const std::string& what, const std::function<bool(const Json&)>& holds);
  // Until a scene is open, drawn, and its stages need no more runs.
  const Json& until_at_rest();

  // A widget, by ImGui's name of its window and its own, that can be used.
  Json widget(const std::string& window, const std::string& name);
  // The middle of it.
  Place place(const std::string& window, const std::string& name);
  Place in_view(double right, double down);  // 0 to 1 from the view's upper left

  // Several commands of xdotool at once.
  void act(const std::string& commands);
  void click(Place at);
  // Moves the mouse onto a widget, until that is where it stays and would take a click.
  void hover(const std::string& window, const std::string& name);
  void click(const std::string& window, const std::string& name);
  void key(const std::string& keys) { act("key --delay 0 " + keys); }
  void resize(int width, int height);
  std::string window_id() const;

  // Waits for the end of the program. Its exit code; -1 when a signal ended it.
  int exit_code();

 private:
  bool has_ended();

  const Display& display_;
  std::filesystem::path home_;
  std::filesystem::path map_file_;
  pid_t process_ = -1;
  int status_ = 0;
  Json map_;
  std::string text_;  // of it
};

// "mousemove 10 20"
std::string move_to(Place at);

}  // namespace warpview::test
