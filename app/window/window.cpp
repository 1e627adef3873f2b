#include "app/window/window.h"

#include <glad/gl.h>
// After the loader, which must come first.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/panels/settings.h"
#include "app/render/framebuffer.h"
#include "app/session.h"
#include "app/window/window_size.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point program_start = Clock::now();

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// ---- GLFW ---------------------------------------------------------------------------------------

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "GLFW gives no reason";
}

// GLFW, for as long as it lives.
class Glfw {
 public:
  Glfw() {
    if (glfwInit() != GLFW_TRUE)
      throw UnavailableError("a window", glfw_reason(),
                             "Start it on a desktop (DISPLAY or WAYLAND_DISPLAY must be set), or "
                             "render into a file with --headless --screenshot OUT.png");
  }
  ~Glfw() { glfwTerminate(); }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

// Of each monitor what panels and docks leave, the primary one first.
std::vector<WindowSize> work_areas() {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  std::vector<WindowSize> areas;
  for (int i = 0; i < count; ++i) {
    WindowSize& area = areas.emplace_back();
    glfwGetMonitorWorkarea(monitors[i], nullptr, nullptr, &area.width, &area.height);
  }
  return areas;
}

// A window whose OpenGL 4.5 context is current.
class GlWindow {
 public:
  // `size` is what size() was, or would be on a desktop that is not scaled.
  GlWindow(WindowSize size, bool maximised) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);  // the picture is drawn offscreen
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is something to see
    window_ = glfwCreateWindow(size.width, size.height, "Warpview", nullptr, nullptr);
    if (window_ == nullptr)
      throw UnavailableError("a window with OpenGL 4.5", glfw_reason(),
                             "Update the graphics driver, or use Mesa's software rasteriser: apt "
                             "install libgl1-mesa-dri, then LIBGL_ALWAYS_SOFTWARE=1");
    fit_size();
    glfwMakeContextCurrent(window_);
    if (gladLoadGL(glfwGetProcAddress) == 0) {
      glfwDestroyWindow(window_);
      throw UnavailableError("OpenGL 4.5", "its functions cannot be loaded",
                             "Update the graphics driver");
    }
  }
  ~GlWindow() { glfwDestroyWindow(window_); }
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  GLFWwindow* get() const { return window_; }

  // Before it was scaled with the desktop.
  WindowSize size() const { return unscaled(scaled_size(), scaling()); }

 private:
  WindowSize scaled_size() const {
    WindowSize size;
    glfwGetWindowSize(window_, &size.width, &size.height);
    return size;
  }
  float scaling() const {
    WindowSize pixels;
    glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
    float desktop = 1.0F;
    glfwGetWindowContentScale(window_, &desktop, nullptr);
    return scaling_of(scaled_size(), pixels, desktop);
  }
  // The size that is remembered may be of a larger monitor.
  void fit_size() {
    const WindowSize fitting = fitted(scaled_size(), work_areas());
    if (fitting != scaled_size()) glfwSetWindowSize(window_, fitting.width, fitting.height);
    const WindowSize least = scaled({480, 320}, scaling());
    glfwSetWindowSizeLimits(window_, least.width, least.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
  }

  GLFWwindow* window_ = nullptr;
};

// ImGui's input from a window. It passes events on to the callbacks that were set before.
class ImguiInput {
 public:
  explicit ImguiInput(GLFWwindow* window) { ImGui_ImplGlfw_InitForOpenGL(window, true); }
  ~ImguiInput() { ImGui_ImplGlfw_Shutdown(); }
  ImguiInput(const ImguiInput&) = delete;
  ImguiInput& operator=(const ImguiInput&) = delete;
};

// ---- Input --------------------------------------------------------------------------------------

enum class Drag { none, orbit, pan };

std::optional<Command> command_of(int key, int modifiers) {
  const bool control = (modifiers & GLFW_MOD_CONTROL) != 0;
  const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0;
  if (control) {
    if (key == GLFW_KEY_O) return Command::open_file;
    if (key == GLFW_KEY_S) return Command::screenshot;
    if (key == GLFW_KEY_Q) return Command::quit;
    return {};
  }
  switch (key) {
    case GLFW_KEY_1:
    case GLFW_KEY_KP_1:
      return Command::toggle_mesh;
    case GLFW_KEY_2:
    case GLFW_KEY_KP_2:
      return Command::toggle_wire;
    case GLFW_KEY_3:
    case GLFW_KEY_KP_3:
      return Command::toggle_boxes;
    case GLFW_KEY_4:
    case GLFW_KEY_KP_4:
      return Command::toggle_curve;
    case GLFW_KEY_5:
    case GLFW_KEY_KP_5:
      return Command::toggle_points;
    case GLFW_KEY_F:
    case GLFW_KEY_HOME:
      return Command::fit;
    case GLFW_KEY_SPACE:
      return Command::pause;
    case GLFW_KEY_TAB:
      return Command::toggle_panels;
    case GLFW_KEY_L:
      return Command::toggle_lab;
    case GLFW_KEY_F1:
      return Command::toggle_help;
    case GLFW_KEY_SLASH:
      return shift ? std::optional(Command::toggle_help) : std::nullopt;
    case GLFW_KEY_ESCAPE:
      return Command::close_dialog;
    default:
      return {};
  }
}

// What decides the picture while the session wants no frames.
struct Drawn {
  Camera camera;
  DrawOptions show;
  bool operator==(const Drawn&) const = default;
};

// ---- The viewer ---------------------------------------------------------------------------------

class Viewer {
 public:
  Viewer(WorkspaceModel& workspace, const Options& options, std::filesystem::path settings_folder,
         const Settings& settings)
      : workspace_(workspace),
        options_(options),
        settings_folder_(std::move(settings_folder)),
        window_({settings.width, settings.height}, settings.maximised),
        panels_(panel_state_for(settings)),
        layer_(layout_file()),
        session_(workspace, options, open_device(options)) {
    GLFWwindow* const window = window_.get();
    glfwSetWindowUserPointer(window, this);
    set_callbacks(window);
    input_.emplace(window);  // after the callbacks, which it passes on to
    glfwSwapInterval(1);
    workspace_.requests.open = options.scene;
  }

  // Until the user leaves, or for the options' number of frames.
  void run();

 private:
  static constexpr int frames_after_event = 3;  // until ImGui's windows have found their sizes

  std::filesystem::path layout_file() const;
  static void set_callbacks(GLFWwindow* window);
  static Viewer& of(GLFWwindow* window) {
    auto& viewer = *static_cast<Viewer*>(glfwGetWindowUserPointer(window));
    viewer.frames_wanted_ = frames_after_event;
    return viewer;
  }

  void on_key(int key, int action, int modifiers);
  void on_button(int button, int action, int modifiers);
  void on_move(double x, double y);
  void on_scroll(double steps);
  void on_drop(const char* file);

  void wait_for_events();
  void frame();
  void hold_short_keys();
  void release_short_keys();
  void follow_display_scale();
  void resize_picture(float density);
  bool picture_moves() const;
  void update_picture(double seconds);
  void after_frame();
  void set_title();
  void remember();

  WorkspaceModel& workspace_;
  const Options& options_;
  const std::filesystem::path settings_folder_;
  GlWindow window_;
  PanelState panels_;
  ImguiLayer layer_;
  Session session_;
  std::optional<ImguiInput> input_;
  std::optional<Framebuffer> picture_;
  std::optional<Drawn> drawn_;  // what picture_ shows; none before the first drawing
  std::string title_;
  Drag drag_ = Drag::none;
  int drag_button_ = 0;
  double last_x_ = 0.0;
  double last_y_ = 0.0;
  std::vector<int> keys_pressed_;  // since the last frame
  int frames_wanted_ = frames_after_event;
  bool idle_ = false;  // the session has nothing left to do in idle time
  Clock::time_point frame_begin_ = Clock::now();
  double work_seconds_ = 0.0;  // of the last frame, without waiting for events
};

std::filesystem::path Viewer::layout_file() const {
  // ImGui writes it without making its folder.
  if (settings_folder_.empty() || !save_settings(panels_.settings, settings_folder_)) return {};
  return settings_folder_ / "imgui.ini";
}

void Viewer::set_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int modifiers) {
    of(w).on_key(key, action, modifiers);
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int modifiers) {
    of(w).on_button(button, action, modifiers);
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) { of(w).on_move(x, y); });
  glfwSetScrollCallback(window,
                        [](GLFWwindow* w, double, double steps) { of(w).on_scroll(steps); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** files) {
    if (count > 0) of(w).on_drop(files[0]);
  });
  // Others need a new picture only.
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { of(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { of(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { of(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w); });
}

void Viewer::on_key(int key, int action, int modifiers) {
  if (action != GLFW_PRESS) return;
  keys_pressed_.push_back(key);
  const auto command = command_of(key, modifiers);
  const bool taken = ImGui::GetIO().WantTextInput || panels_.popup_open;
  if (command && (!taken || *command == Command::quit)) run_command(*command, workspace_, panels_);
}

void Viewer::on_button(int button, int action, int modifiers) {
  if (action == GLFW_RELEASE) {
    if (button == drag_button_) drag_ = Drag::none;
    return;
  }
  if (ImGui::GetIO().WantCaptureMouse || drag_ != Drag::none) return;
  const bool sideways = button != GLFW_MOUSE_BUTTON_LEFT || (modifiers & GLFW_MOD_SHIFT) != 0;
  drag_ = sideways ? Drag::pan : Drag::orbit;
  drag_button_ = button;
  glfwGetCursorPos(window_.get(), &last_x_, &last_y_);
}

void Viewer::on_move(double x, double y) {
  const auto dx = static_cast<float>(x - std::exchange(last_x_, x));
  const auto dy = static_cast<float>(y - std::exchange(last_y_, y));
  const float height = panels_.view.height;
  if (drag_ == Drag::none || height <= 0.0F) return;
  // Half a turn for a drag over the height of the view.
  constexpr float turn = std::numbers::pi_v<float>;
  if (drag_ == Drag::orbit) workspace_.camera.orbit(-turn * dx / height, turn * dy / height);
  if (drag_ == Drag::pan) workspace_.camera.pan(dx / height, dy / height);
}

void Viewer::on_scroll(double steps) {
  if (!ImGui::GetIO().WantCaptureMouse)
    workspace_.camera.zoom(std::pow(0.88F, static_cast<float>(steps)));
}

void Viewer::on_drop(const char* file) { open_scene_in(workspace_, file); }

void Viewer::wait_for_events() {
  constexpr double short_nap = 0.03;  // seconds; the loading thread needs the processor
  constexpr double nap = 0.1;
  if (workspace_.lab.busy() && frames_wanted_ == 0) {
    glfwWaitEventsTimeout(nap);  // few frames: drawing them takes from what is measured
  } else if (workspace_.loading && !picture_moves()) {
    glfwWaitEventsTimeout(short_nap);
  } else if (frames_wanted_ > 0 || !idle_ || session_.wants_frames()) {
    glfwPollEvents();
  } else {
    glfwWaitEventsTimeout(nap);
    // A nap is not part of any frame's time.
    const auto work = std::chrono::duration<double>(work_seconds_);
    frame_begin_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(work);
  }
}

// ImGui's backend shows it the keys that are down now. One that went down and up within a frame
// must be seen too.
void Viewer::hold_short_keys() {
  for (const int key : keys_pressed_)
    if (key >= 0) ImGui::GetIO().KeysDown[key] = true;
}

void Viewer::release_short_keys() {
  for (const int key : keys_pressed_)
    if (key >= 0 && glfwGetKey(window_.get(), key) == GLFW_RELEASE)
      ImGui::GetIO().KeysDown[key] = false;
  keys_pressed_.clear();
}

void Viewer::follow_display_scale() {
  float scale = 1.0F;
  glfwGetWindowContentScale(window_.get(), &scale, nullptr);
  const ImGuiIO& io = ImGui::GetIO();
  // Units of the window are pixels on some systems and larger on others; text must have the same
  // size on all of them.
  const float density = std::max(io.DisplayFramebufferScale.x, 1.0F);
  layer_.set_scale(std::max(scale / density, 0.5F), density);
  panels_.fonts = layer_.fonts();
  workspace_.show.pixel_scale = std::max(scale, 1.0F);
}

void Viewer::resize_picture(float density) {
  const auto pixels = [density](float units) {
    return std::max(static_cast<int>(std::lround(units * density)), 1);
  };
  const int width = pixels(panels_.view.width);
  const int height = pixels(panels_.view.height);
  if (!picture_ || picture_->width() != width || picture_->height() != height) {
    picture_.emplace(width, height);
    drawn_.reset();
  }
}

// While a scene loads or the laboratory measures there are frames for the progress bar, but the old
// picture may stay.
bool Viewer::picture_moves() const {
  const Requests& requests = workspace_.requests;
  const bool animated = workspace_.animation != Animation::once && workspace_.wave.running;
  if (workspace_.lab.busy()) return requests.fit_camera || requests.screenshot;
  return session_.wants_frames() &&
         (!workspace_.loading || animated || requests.fit_camera || requests.screenshot);
}

// Draws the mesh anew only where that could change the picture: panels answer at once even where
// OpenGL is slow.
void Viewer::update_picture(double seconds) {
  bool stale = !drawn_ || picture_moves();
  session_.update(seconds);
  stale = stale || picture_moves() || *drawn_ != Drawn{workspace_.camera, workspace_.show};
  if (!stale) return;
  session_.draw(*picture_);
  drawn_ = Drawn{workspace_.camera, workspace_.show};
}

void Viewer::frame() {
  const auto begin = Clock::now();
  const double seconds =
      std::chrono::duration<double>(begin - std::exchange(frame_begin_, begin)).count();

  ImGui_ImplGlfw_NewFrame();
  hold_short_keys();
  follow_display_scale();
  layer_.begin_frame();
  release_short_keys();
  draw_panels(workspace_, panels_);

  resize_picture(ImGui::GetIO().DisplayFramebufferScale.x);
  update_picture(seconds);
  layer_.show_picture(picture_->texture(), panels_.view);

  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_.get(), &width, &height);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
  constexpr std::array<float, 4> dark = {0.07F, 0.08F, 0.09F, 1.0F};
  glClearBufferfv(GL_COLOR, 0, dark.data());
  layer_.end_frame();
  glfwSwapBuffers(window_.get());
  work_seconds_ = seconds_since(begin);
}

void Viewer::after_frame() {
  if (glfwGetWindowAttrib(window_.get(), GLFW_VISIBLE) == GLFW_FALSE) glfwShowWindow(window_.get());
  if (!panels_.first_picture_seconds && !workspace_.scene_name.empty()) {
    glFinish();
    panels_.first_picture_seconds = seconds_since(program_start);
  }
  set_title();
  if (std::exchange(panels_.settings_changed, false)) remember();
  if (panels_.quit) glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
  // What can wait does so until there is a picture, and until the mouse is still.
  const bool settled =
      !workspace_.loading && (!workspace_.scene_name.empty() || !session_.wants_frames());
  if (!idle_ && settled && drag_ == Drag::none) idle_ = !session_.idle();
}

void Viewer::set_title() {
  std::string title =
      workspace_.scene_name.empty() ? "Warpview" : workspace_.scene_name + " - Warpview";
  if (title == title_) return;
  title_ = std::move(title);
  glfwSetWindowTitle(window_.get(), title_.c_str());
}

void Viewer::remember() {
  Settings& settings = panels_.settings;
  settings.maximised = glfwGetWindowAttrib(window_.get(), GLFW_MAXIMIZED) == GLFW_TRUE;
  if (!settings.maximised) {
    const WindowSize size = window_.size();
    settings.width = size.width;
    settings.height = size.height;
  }
  // Without a place to keep them they are forgotten, which the user need not be told each time.
  (void)save_settings(settings, settings_folder_);
}

void Viewer::run() {
  for (int n = 0; options_.frames == 0 || n < options_.frames; ++n) {
    wait_for_events();
    if (glfwWindowShouldClose(window_.get()) == GLFW_TRUE) break;
    if (glfwGetWindowAttrib(window_.get(), GLFW_ICONIFIED) == GLFW_TRUE) {
      glfwWaitEvents();
      continue;
    }
    // A nap that ended without an event needs a picture only if something here goes with time.
    const bool moves = session_.wants_frames() || workspace_.loading || panels_.animates;
    if (frames_wanted_ == 0 && idle_ && !moves && options_.frames == 0) continue;
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
    frame();
    after_frame();
  }
  remember();
  glfwHideWindow(window_.get());  // what a thread of the session is at may take a while to end
}

}  // namespace

int run_window(WorkspaceModel& workspace, const Options& options) {
  const std::filesystem::path folder = settings_folder();
  const Glfw glfw;
  Viewer viewer(workspace, options, folder, load_settings(folder));
  viewer.run();
  return exit_success;
}

}  // namespace warpview
