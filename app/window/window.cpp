#include "app/window/window.h"

#include <glad/gl.h>
// After the loader, which must come first.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/message.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/panels/settings.h"
#include "app/render/framebuffer.h"
#include "app/session.h"
#include "app/window/card_pictures.h"
#include "app/window/flight.h"
#include "app/window/gl_window.h"
#include "app/window/imgui_input.h"
#include "app/window/input_queue.h"
#include "app/window/keys.h"
#include "app/window/ui_map.h"
#include "app/window/view_mouse.h"
#include "app/window/window_size.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point program_start = Clock::now();

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What ImGui has of a window: size, time, clipboard and the cursor's shape. Keys and mouse come
// from the input queue.
class ImguiWindow {
 public:
  explicit ImguiWindow(GLFWwindow* window) { ImGui_ImplGlfw_InitForOpenGL(window, false); }
  ~ImguiWindow() { ImGui_ImplGlfw_Shutdown(); }
  ImguiWindow(const ImguiWindow&) = delete;
  ImguiWindow& operator=(const ImguiWindow&) = delete;
};

// ---- The viewer ---------------------------------------------------------------------------------

class Viewer {
 public:
  Viewer(Model& model, const Options& options, std::filesystem::path settings_folder,
         const Settings& settings, bool is_first_start)
      : model_(model),
        options_(options),
        settings_folder_(std::move(settings_folder)),
        window_({settings.width, settings.height}, settings.maximised),
        panels_(panel_state_for(settings)),
        layer_(layout_file()),
        session_(model, options, open_device(options),
                 std::make_unique<SharedGlfwContext>(window_.get()), Session::Mode::window, [this] {
                   has_news_ = true;
                   glfwPostEmptyEvent();
                 }) {
    GLFWwindow* const window = window_.get();
    glfwSetWindowUserPointer(window, this);
    set_callbacks(window);
    imgui_.emplace(window);
    if (!options.ui_map.empty()) map_.emplace(options.ui_map);
    glfwSwapInterval(1);
    if (options.theme) panels_.settings.theme = *options.theme;
    choose_look(model_.show, settings.look);
    choose_look(model_.show, options.look);
    if (options.sized) wanted_view_ = WindowSize{options.width, options.height};
    model_.usual_up = options.up.value_or(settings.z_up ? UpAxis::z : UpAxis::y);
    model_.memories = settings.scenes;
    model_.remembers = true;
    model_.lab.runs_file = kept_runs_file().string();
    model_.lab.keeps_runs = settings.keep_runs;
    model_.requests.add(request::Open{options.scene});
    if (!options.recording.empty()) model_.requests.add(request::OpenRecording{options.recording});
    if (!options.watch.empty()) model_.requests.add(request::Watch{options.watch});
    panels_.lab.steps.begin_at = options.lab.step;
    if (options.welcome && (is_first_start || settings.welcome_at_start))
      panels_.welcome.form = WelcomeView::Form::welcome;
  }

  // Until the user leaves, or for the options' number of frames.
  void run();

 private:
  static constexpr int frames_after_event = 3;  // until ImGui's windows have found their sizes

  std::filesystem::path layout_file();
  static void set_callbacks(GLFWwindow* window);
  static Viewer& of(GLFWwindow* window) {
    auto& viewer = *static_cast<Viewer*>(glfwGetWindowUserPointer(window));
    viewer.frames_wanted_ = frames_after_event;
    return viewer;
  }

  // An event, where the one before left the cursor.
  void note(InputEvent event);
  void on_drop(const std::vector<std::string>& files);

  void wait_for_events();
  void frame();
  void follow_look();
  void size_view(float density);
  void show_picture(const Framebuffer* picture, float density);
  void write_map();
  void save_window(std::string file, int width, int height);
  void point();
  void hold_cursor();
  void after_frame();
  void set_title();
  void remember();
  bool write_settings();

  Model& model_;
  const Options& options_;
  const std::filesystem::path settings_folder_;
  GlWindow window_;
  PanelState panels_;
  bool told_of_settings_ = false;  // that they cannot be written
  ImguiLayer layer_;
  PartClock clock_;                    // turns of this loop
  std::atomic<bool> has_news_{false};  // set by the session's threads
  Session session_;
  std::optional<ImguiWindow> imgui_;
  CardPictures cards_{[this] {
    has_news_ = true;
    glfwPostEmptyEvent();
  }};
  InputQueue input_;
  double cursor_x_ = 0.0;
  double cursor_y_ = 0.0;
  ViewMouse mouse_;
  Flight flight_;
  bool holds_cursor_ = false;
  std::optional<UiMap> map_;
  std::string title_;
  int frames_wanted_ = frames_after_event;
  std::optional<WindowSize> wanted_view_;  // in pixels; none any more once the window has it
  int view_tries_ = 10;                    // frames until the desktop has its own way
};

std::filesystem::path Viewer::layout_file() {
  // ImGui writes it without making its folder.
  return write_settings() ? settings_folder_ / "imgui.ini" : std::filesystem::path();
}

// Without a place for them they are forgotten. The user is told once: in the window, and where it
// may be closing.
bool Viewer::write_settings() {
  if (save_settings(panels_.settings, settings_folder_)) return true;
  if (std::exchange(told_of_settings_, true)) return false;
  const std::string text =
      settings_folder_.empty()
          ? "Settings are not remembered: there is no folder for them. Set HOME or XDG_CONFIG_HOME"
          : fmt::format(
                "Settings are not remembered: {} cannot be written. Check its permissions and the "
                "free disk space",
                settings_folder_.string());
  fmt::print(stderr, "warpview: warning: {}\n", printable(text));
  model_.messages.push_back({Message::Kind::warning, text});
  return false;
}

void Viewer::set_callbacks(GLFWwindow* window) {
  using Input = InputEvent::Kind;
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    if (action != GLFW_REPEAT)
      of(w).note({.kind = Input::key,
                  .code = key_by_letter(key, scancode),
                  .down = action == GLFW_PRESS,
                  .modifiers = modifiers_after(key, action == GLFW_PRESS, modifiers)});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned letter) {
    of(w).note({.kind = Input::text, .code = static_cast<int>(letter)});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int modifiers) {
    of(w).note({.kind = Input::button,
                .code = button,
                .down = action == GLFW_PRESS,
                .modifiers = modifiers_of(modifiers)});
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    Viewer& viewer = of(w);
    viewer.cursor_x_ = x;
    viewer.cursor_y_ = y;
    viewer.note({});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    of(w).note({.kind = Input::scroll, .steps_x = x, .steps_y = y});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    of(w).note({.kind = entered == GLFW_TRUE ? Input::move : Input::leave});
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    Viewer& viewer = of(w);
    if (focused == GLFW_FALSE) viewer.note({.kind = Input::unfocus});
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** files) {
    if (count > 0) of(w).on_drop({files, files + count});
  });
  // Others need a new picture only.
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w); });
}

void Viewer::note(InputEvent event) {
  event.seconds = glfwGetTime();
  // As the events tell it: glfwGetCursorPos() knows where the cursor has gone since.
  event.x = cursor_x_;
  event.y = cursor_y_;
  input_.push(event);
}

void Viewer::on_drop(const std::vector<std::string>& files) {
  panels_.welcome.form = WelcomeView::Form::closed;
  open_files_in(model_, files);
}

// The cursor as the model knows it.
void Viewer::point() {
  model_.pointer.reset();
  const Area& view = panels_.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsMousePosValid() || io.WantCaptureMouse || mouse_.drags()) return;
  const float right = (io.MousePos.x - view.x) / view.width;
  const float down = (io.MousePos.y - view.y) / view.height;
  if (right >= 0.0F && right <= 1.0F && down >= 0.0F && down <= 1.0F && !model_.is_of_a(right))
    model_.pointer = model_.camera.ray(right, down, view.width / view.height);
}

// While the user flies the cursor is out of sight, and its way has no end. It then comes back to
// where it was.
void Viewer::hold_cursor() {
  if (holds_cursor_ == panels_.flies) return;
  holds_cursor_ = panels_.flies;
  glfwSetInputMode(window_.get(), GLFW_CURSOR,
                   holds_cursor_ ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
  glfwGetCursorPos(window_.get(), &cursor_x_, &cursor_y_);
  if (!holds_cursor_) input_.put_cursor(cursor_x_, cursor_y_);
  note({});
}

// Results and pictures wake the window, so it may nap whatever runs.
void Viewer::wait_for_events() {
  constexpr double nap = 0.1;  // seconds: while something shows its progress
  constexpr double long_nap = 1.0;
  constexpr double between_frames = 1.0 / 240.0;  // of a flight, where no display sets the pace
  if (frames_wanted_ > 0 || has_news_ || !input_.empty())
    glfwPollEvents();
  else if (flight_.moves())
    glfwWaitEventsTimeout(between_frames);
  else
    glfwWaitEventsTimeout(session_.busy() || panels_.animates ? nap : long_nap);
}

void Viewer::follow_look() {
  float scale = 1.0F;
  glfwGetWindowContentScale(window_.get(), &scale, nullptr);
  scale = options_.ui_scale.value_or(scale);
  const ImGuiIO& io = ImGui::GetIO();
  // Units of the window are pixels on some systems and larger on others; text must have the same
  // size on all of them.
  const float density = std::max(io.DisplayFramebufferScale.x, 1.0F);
  const float chosen = static_cast<float>(panels_.settings.scale_percent) / 100.0F;
  layer_.set_scale(std::max(chosen * scale / density, 0.5F), density);
  layer_.set_theme(panels_.settings.theme);
  model_.show.pixel_scale = std::max(scale, 1.0F);
}

// Makes the window as large as leaves the view its wanted size beside the panels, as far as the
// desktop lets it.
void Viewer::size_view(float density) {
  if (!wanted_view_) return;
  const auto units = [density](int pixels) { return static_cast<float>(pixels) / density; };
  const float wider = units(wanted_view_->width) - panels_.view.width;
  const float higher = units(wanted_view_->height) - panels_.view.height;
  constexpr float rounding = 0.5F;
  const bool is_there = std::abs(wider) < rounding && std::abs(higher) < rounding;
  if (is_there || view_tries_-- == 0) {
    wanted_view_.reset();
    return;
  }
  const ImVec2 whole = ImGui::GetIO().DisplaySize;
  if (glfwGetWindowAttrib(window_.get(), GLFW_MAXIMIZED) == GLFW_TRUE)
    glfwRestoreWindow(window_.get());
  glfwSetWindowSize(window_.get(), static_cast<int>(std::lround(whole.x + wider)),
                    static_cast<int>(std::lround(whole.y + higher)));
  frames_wanted_ = std::max(frames_wanted_, frames_after_event);
}

// Asks for a picture as large as its place, and shows the one that belongs to what the panels show.
void Viewer::show_picture(const Framebuffer* picture, float density) {
  const auto pixels = [density](float units) {
    return std::max(static_cast<int>(std::lround(units * density)), 1);
  };
  const bool is_hidden = panels_.layout.view <= 0.0F;
  session_.set_view(is_hidden ? 0 : pixels(panels_.view.width), pixels(panels_.view.height));
  session_.update();
  if (picture != nullptr && !is_hidden)
    layer_.show_picture(picture->texture(), picture->width(), picture->height(), panels_.view);
}

// What was drawn into the window, and is not shown yet, as a PNG.
void Viewer::save_window(std::string file, int width, int height) {
  if (width < 1 || height < 1) return;
  model_.requests.add(
      request::WriteFile{.file = std::move(file), .picture = read_framebuffer(0, width, height)});
}

void Viewer::frame() {
  clock_.begin(Clock::now());
  ImGui_ImplGlfw_NewFrame();
  const InputFrame input = flight_.take(input_.next(), glfwGetTime(), panels_, model_);
  show_input(input, ImGui::GetIO());
  follow_look();
  layer_.begin_frame();
  panels_.fonts = layer_.fonts();
  // Now it is known what lies under the cursor.
  mouse_.take(input, ImGui::GetIO().WantCaptureMouse, panels_.view, model_);
  for (const InputEvent& event : input.events) take_key(event, model_, panels_);
  hold_cursor();
  const TimePart panels{
      .order = 0, .title = "Panels", .about = "ImGui and the panels, up to their triangle lists."};
  const TimePart session{.order = 1,
                         .title = "Session",
                         .about =
                             "Sends requests to the threads that compute, draw and load; takes "
                             "results and the last finished picture."};
  clock_.lap(panels, Clock::now());
  model_.wants_whole = panels_.window_picture.has_value();
  session_.update();  // what has come meanwhile is shown now, as there may be no frame after this
  const Framebuffer* const picture = session_.picture();
  std::optional<std::string> window_picture;
  if (panels_.window_picture && session_.shows_all()) window_picture.swap(panels_.window_picture);
  clock_.lap(session, Clock::now());
  if (map_) map_->begin_frame();
  draw_panels(model_, panels_);
  point();
  clock_.lap(panels, Clock::now());
  if (!window_picture && input_.is_behind()) {
    ImGui::EndFrame();
    return;
  }
  size_view(ImGui::GetIO().DisplayFramebufferScale.x);
  show_picture(picture, ImGui::GetIO().DisplayFramebufferScale.x);
  clock_.lap(session, Clock::now());

  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_.get(), &width, &height);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
  const ImVec4& ground = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glClearBufferfv(GL_COLOR, 0, &ground.x);
  layer_.end_frame();
  if (window_picture) save_window(*std::move(window_picture), width, height);
  clock_.lap({.order = 2, .title = "Compose", .about = "Submits picture and panels to OpenGL."},
             Clock::now());
  glfwSwapBuffers(window_.get());
  clock_.lap({.order = 3,
              .title = "Swap",
              .about = "Waits for the display: OpenGL finishes drawing, and vertical sync keeps "
                       "the display's rate."},
             Clock::now());
  clock_.end(Clock::now());
  model_.window_parts = clock_.parts();
  if (map_) write_map();
}

void Viewer::write_map() {
  const ImGuiIO& io = ImGui::GetIO();
  WindowState window{.width = static_cast<int>(io.DisplaySize.x),
                     .height = static_cast<int>(io.DisplaySize.y),
                     .pixels_per_unit = io.DisplayFramebufferScale.x,
                     .events_seen = input_.taken(),
                     .events_waiting = input_.waiting(),
                     .is_settled = frames_wanted_ == 0 && !panels_.animates};
  glfwGetWindowContentScale(window_.get(), &window.desktop_scale, nullptr);
  try {
    map_->end_frame(model_, panels_, window);
  } catch (const Error& error) {
    model_.messages.push_back({Message::Kind::error, error.what()});
    map_.reset();
  }
}

void Viewer::after_frame() {
  if (glfwGetWindowAttrib(window_.get(), GLFW_VISIBLE) == GLFW_FALSE) glfwShowWindow(window_.get());
  const bool has_picture = !model_.scene_name.empty() && model_.results->frames > 0;
  if (!panels_.first_picture_seconds && has_picture)
    panels_.first_picture_seconds = seconds_since(program_start);
  cards_.update(panels_, panels_.first_picture_seconds.has_value());
  set_title();
  if (!model_.messages.empty() || layer_.has_new_letters())
    frames_wanted_ = std::max(frames_wanted_, 1);
  if (std::exchange(panels_.settings_changed, false)) remember();
  if (panels_.quit) glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
}

void Viewer::set_title() {
  std::string title = model_.scene_name.empty() ? "Warpview" : model_.scene_name + " - Warpview";
  if (title == title_) return;
  title_ = std::move(title);
  glfwSetWindowTitle(window_.get(), title_.c_str());
}

void Viewer::remember() {
  Settings& settings = panels_.settings;
  session_.remember();
  settings.scenes = model_.memories;
  settings.keep_look(model_.show, options_.look);
  settings.maximised = glfwGetWindowAttrib(window_.get(), GLFW_MAXIMIZED) == GLFW_TRUE;
  if (!settings.maximised) {
    const WindowSize size = window_.size();
    settings.width = size.width;
    settings.height = size.height;
  }
  write_settings();
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
    const bool moves = has_news_.exchange(false) || !input_.empty() || session_.busy() ||
                       panels_.animates || flight_.moves();
    if (frames_wanted_ == 0 && !moves && options_.frames == 0) continue;
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
    frame();
    after_frame();
  }
  remember();
  glfwHideWindow(window_.get());  // what a thread of the session is at may take a while to end
}

}  // namespace

int run_window(Model& model, const Options& options) {
  const std::filesystem::path folder = settings_folder();
  const Glfw glfw;
  const bool is_first_start = !folder.empty() && !has_settings(folder);
  Viewer viewer(model, options, folder, load_settings(folder), is_first_start);
  viewer.run();
  return exit_success;
}

}  // namespace warpview
