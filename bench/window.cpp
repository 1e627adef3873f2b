#include "bench/window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <imgui.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "app/gl/headless_context.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/render/framebuffer.h"
#include "app/session.h"
#include "app/window/imgui_input.h"
#include "app/window/input_queue.h"
#include "gpu/runtime/statistics.h"

namespace warpview::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double seconds_now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// A simulated user's hand on the mouse: its thread moves it over the panels, and presses it now and
// then, at times that no other thread knows. The moves are the same in every run. The window's
// thread waits for them here, and for the session's news.
class Hand {
 public:
  Hand() : thread_([this](const std::stop_token& stop) { move(stop); }) {}

  // May it press? A press changes the control under the mouse.
  void allow_presses(bool allowed) { presses_.store(allowed); }
  // Does it leave the mouse alone?
  void rest(bool rests) { rests_.store(rests); }
  // The session has results or a picture.
  void note_news() {
    {
      const std::lock_guard lock(mutex_);
      has_news_ = true;
    }
    moved_.notify_one();
  }
  // Waits for an input or news, or until then.
  void wait_until(Clock::time_point end) {
    std::unique_lock lock(mutex_);
    moved_.wait_until(lock, end, [this] { return !events_.empty() || has_news_; });
    has_news_ = false;
  }
  // Its moves and presses since the last call, as a window gets them.
  std::vector<InputEvent> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

 private:
  void move(const std::stop_token& stop) {
    std::mt19937 random(1);                           // NOLINT(cert-msc32-c,cert-msc51-cpp)
    std::uniform_int_distribution<int> pause(4, 40);  // milliseconds
    std::uniform_real_distribution<float> place(0.0F, 1.0F);
    bool is_down = false;
    InputEvent event;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(pause(random)));
      if (rests_.load()) continue;
      const float chance = place(random);
      // Within the panel of the scene, from its outputs downwards.
      if (!is_down && chance < 0.2F) {
        event.x = 20.0F + 180.0F * place(random);
        event.y = 330.0F + 440.0F * place(random);
      }
      event.x += 6.0F * (place(random) - 0.5F);
      const bool was_down = is_down;
      if (chance > 0.7F) is_down = !is_down && presses_.load();
      {
        const std::lock_guard lock(mutex_);
        event.seconds = seconds_now();
        event.kind = InputEvent::Kind::move;
        events_.push_back(event);
        event.kind = InputEvent::Kind::button;
        event.down = is_down;
        if (is_down != was_down) events_.push_back(event);
      }
      moved_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable moved_;
  std::vector<InputEvent> events_;
  bool has_news_ = false;
  std::atomic<bool> presses_{false};
  std::atomic<bool> rests_{false};
  std::jthread thread_;  // last, so that everything else exists while it runs
};

// The viewer without its window.
class FakeWindow {
 public:
  FakeWindow(const warpview::Options& options, HeadlessContext& context,
             std::unique_ptr<Device> device)
      : whole_(1280, 800, 1),
        session_(model_, options, std::move(device), context.shared(), Session::Mode::window,
                 [this] { hand_.note_news(); }) {}

  Model& model() { return model_; }
  std::uint64_t pictures() const { return pictures_; }  // different ones that were shown
  const Framebuffer* picture() const { return last_picture_; }
  Hand& hand() { return hand_; }
  PanelState& panels() { return panels_; }
  // How long a frame waits for input and news: one frame of the display while the user is at work,
  // else the nap of a window at rest.
  void set_pace(bool is_used) {
    pace_ = is_used ? std::chrono::microseconds(16'667) : std::chrono::milliseconds(100);
  }
  void set_display(int width, int height) {
    width_ = width;
    height_ = height;
  }

  // Runs frames until `ended`, or for this many seconds: none of them waits for anything but its
  // turn. Throws errors that the session reports to the user.
  void run(
      WindowUse& use, const char* what, const std::function<void(int)>& user, double seconds,
      const std::function<bool()>& ended = [] { return false; }) {
    const auto begin = Clock::now();
    for (int n = 0; milliseconds_since(begin) < 1e3 * seconds && !ended(); ++n) {
      const auto frame_begin = Clock::now();
      user(n);
      frame(use, what);
      if (input_.empty()) hand_.wait_until(frame_begin + pace_);
    }
  }

 private:
  void frame(WindowUse& use, const char* what) {
    const auto begin = Clock::now();
    for (const InputEvent& event : hand_.take()) input_.push(event);
    const InputFrame input = input_.next();
    show_input(input, ImGui::GetIO());
    layer_.set_display(width_, height_, 1.0 / 60.0);
    layer_.begin_frame();
    panels_.fonts = layer_.fonts();
    draw_panels(model_, panels_);
    session_.set_view(std::max(static_cast<int>(panels_.view.width), 1),
                      std::max(static_cast<int>(panels_.view.height), 1));
    session_.update();
    const double panels_ms = milliseconds_since(begin);
    use.panels_ms.push_back(panels_ms);
    seen_.insert(seen_.end(), input.events.begin(), input.events.end());
    if (input_.is_behind()) {
      ImGui::EndFrame();
      return;
    }
    const Framebuffer* const picture = session_.picture();
    if (picture != std::exchange(last_picture_, picture) && picture) {
      // A scene that computes its picture for each view has a new one once it saw a new view.
      const std::optional<FrameView> last = std::exchange(last_seen_, model_.results->seen);
      if (!last || last != last_seen_) ++pictures_;
    }
    if (picture)
      layer_.show_picture(picture->texture(), picture->width(), picture->height(), panels_.view);
    whole_.bind();
    layer_.end_frame();
    glFinish();  // as a window's buffer swap waits for it
    const double whole_ms = milliseconds_since(begin);
    if (use.whole_ms.empty() ||
        whole_ms > *std::max_element(use.whole_ms.begin(), use.whole_ms.end()))
      use.busiest = what;
    for (const InputEvent& event : std::exchange(seen_, {}))
      use.input_ms.push_back(1e3 * (seconds_now() - event.seconds));
    use.whole_ms.push_back(whole_ms);
    use.computed = model_.results->frames;
    for (const Notice& notice : panels_.notices)
      if (notice.message.kind == Message::Kind::error)
        throw std::runtime_error(notice.message.text);
  }

  Framebuffer whole_;
  ImguiLayer layer_;
  PanelState panels_;
  Model model_;
  std::chrono::microseconds pace_{16'667};
  int width_ = 1280;
  int height_ = 800;
  Hand hand_;
  Session session_;  // its threads tell the hand
  InputQueue input_;
  std::vector<InputEvent> seen_;  // taken by the panels, and in no picture yet
  const Framebuffer* last_picture_ = nullptr;
  std::optional<FrameView> last_seen_;  // with last_picture_
  std::uint64_t pictures_ = 0;
};

// One use after the other, each for its share of the seconds.
void use_scene(FakeWindow& window, WindowUse& use, const SceneDescription& scene, double seconds) {
  Model& model = window.model();
  const auto none = [](int) {};
  constexpr double longest_load = 600.0;
  model.requests.add(request::Open{scene});
  const std::string spec = scene.spec();
  window.run(use, "opening it", none, longest_load, [&] { return model.scene_spec == spec; });
  if (model.scene_spec != spec) throw std::runtime_error(spec + " was not open after ten minutes");

  using Action = std::function<void(int)>;
  const std::vector<std::pair<const char*, Action>> script = {
      {"looking around",
       [&](int n) { model.camera.orbit(0.02F, 0.01F * std::sin(0.1F * static_cast<float>(n))); }},
      {"coming closer", [&](int n) { model.camera.zoom(n % 40 < 20 ? 0.97F : 1.03F); }},
      {"switching outputs",
       [&](int n) {
         if (n % 10 != 0 || model.outputs.empty()) return;
         OutputRow& output = model.outputs[static_cast<std::size_t>(n / 10) % model.outputs.size()];
         output.shown = !output.shown;
       }},
      {"moving sliders",
       [&](int n) {
         const std::size_t level = model.controls.find("level");
         model.controls.set(level, static_cast<double>(n / 5 % 16));
       }},
      {"choosing variants",
       [&](int n) {
         if (n % 20 != 0) return;
         for (StageRow& row : model.stages) {
           if (row.variants.empty()) continue;
           const std::size_t next = static_cast<std::size_t>(n / 20) % row.variants.size();
           if (row.why_not[next].empty()) row.variant = row.variants[next];
         }
       }},
      {"pointing at it",
       [&](int n) {
         const float x = 0.3F + 0.01F * static_cast<float>(n % 40);
         if (n % 5 == 0) model.requests.add(request::Pick{model.camera.ray(x, 0.5F, 1.5F)});
       }},
      {"resizing the window",
       [&](int n) { window.set_display(900 + n * 7 % 380, 600 + n * 5 % 200); }},
      {"asking the laboratory",
       [&](int n) {
         window.set_display(1280, 800);
         window.panels().show_lab = true;
         if (n % 60 != 0 || model.lab.busy()) return;
         model.lab.question = {.primitive = Primitive::sort, .n = 1U << 14U};
         model.requests.add(request::RunLab{LabTask::results});
       }},
      {"setting things in the panels",
       [&](int n) {
         window.panels().show_lab = false;
         window.hand().allow_presses(true);
         // Whatever was pressed, the same scene is computed.
         model.playing = true;
         for (const auto& [name, value] : scene.controls) model.controls.set(name, value);
         if (n % 30 == 0) model.output("mesh")->shown = true;
       }},
      {"opening something else and cancelling", [&](int n) {
         window.hand().allow_presses(false);
         window.panels().show_lab = false;
         model.requests.add(request::CancelLab{});
         if (n % 20 == 0)
           model.requests.add(request::Open{describe_scene({"generated:sphere:2000000"})});
         if (n % 20 == 10) model.requests.add(request::CancelLoad{});
       }}};
  for (const auto& [what, action] : script)
    window.run(use, what, action, seconds / static_cast<double>(script.size()));
}

// Milliseconds from the request to the scene's first picture.
double time_to_picture(FakeWindow& window, WindowUse& use, const std::string& name) {
  constexpr double longest_load = 600.0;
  const auto begin = Clock::now();
  Model& model = window.model();
  const std::uint64_t before = model.scene_number;
  model.requests.add(request::Open{describe_scene({name})});
  window.run(
      use, "opening it", [](int) {}, longest_load,
      [&] {
        return model.scene_number != before && model.results->frames > 0 &&
               window.picture() != nullptr;
      });
  if (model.scene_number == before)
    throw std::runtime_error(name + " was not open after ten minutes");
  return milliseconds_since(begin);
}

WindowPlay watch(FakeWindow& window, const std::string& name, double seconds) {
  const char* const other = name == "mesh" ? "cloth" : "mesh";
  window.hand().rest(true);
  window.set_pace(false);
  WindowUse use;
  WindowPlay play{.scene = name, .cold_ms = time_to_picture(window, use, name)};
  time_to_picture(window, use, other);
  play.warm_ms = time_to_picture(window, use, name);
  Model& model = window.model();
  play.moves = model.moves() && !model.results->seen;  // samples of a still picture do not move it
  model.camera_dragged = !play.moves;
  window.set_pace(!play.moves);
  const auto turn = [&](int) {
    if (!play.moves) model.camera.orbit(0.02F, 0.0F);
  };
  window.run(use, "playing", turn, 1.0);
  for (int run = 0; run < WindowPlay::runs; ++run) {
    const std::uint64_t pictures = window.pictures();
    const double simulated = model.results->seconds;
    const auto begin = Clock::now();
    window.run(use, "playing", turn, seconds);
    const double passed = 1e-3 * milliseconds_since(begin);
    play.per_second.push_back(static_cast<double>(window.pictures() - pictures) / passed);
    play.seconds_passed.push_back((model.results->seconds - simulated) / passed);
  }
  play.draw_ms = model.draw_ms;
  play.kernels_ms = model.results->kernels_ms;
  play.width = window.picture()->width();
  play.height = window.picture()->height();
  play.renderer = model.gl_renderer;
  for (const Fact& fact : model.results->facts)
    if (const auto* const count = std::get_if<std::uint64_t>(&fact.value); count && play.items == 0)
      play.items = *count;
  return play;
}

}  // namespace

std::vector<WindowPlay> measure_play(const warpview::Options& options,
                                     const std::vector<std::string>& scenes, double seconds) {
  std::vector<WindowPlay> plays;
  for (const std::string& name : scenes) {
    std::cerr << "window/" << name << std::endl;
    HeadlessContext context;
    FakeWindow window(options, context, open_device(options));
    plays.push_back(watch(window, name, seconds));
  }
  return plays;
}

void write_play_table(std::ostream& out, const std::vector<WindowPlay>& plays) {
  out << "| scene | items | pictures a second | of runs | draw ms | kernels ms | simulated s/s | "
         "first picture ms, cold | warm |\n"
         "| ----- | ----: | ----------------: | ------: | ------: | ---------: | ------------: | "
         "---------------------: | ---: |\n";
  for (const WindowPlay& play : plays)
    out << fmt::format(
        "| {}{} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.2f} | {:.0f} | {:.0f} |\n",
        play.scene, play.moves ? "" : ", camera turns", play.items, median(play.per_second),
        fmt::join(play.per_second, " "), play.draw_ms, play.kernels_ms, median(play.seconds_passed),
        play.cold_ms, play.warm_ms);
  out << '\n';
  for (const WindowPlay& play : plays)
    out << fmt::format("- {}: last picture {} x {} pixels, drawn by {}.\n", play.scene, play.width,
                       play.height, play.renderer);
}

std::vector<WindowUse> measure_window(const warpview::Options& options, WindowScene scene,
                                      double seconds) {
  struct Case {
    const char* spec;
    const char* animation;
    const char* words;
  };
  static constexpr std::array cases = {
      Case{"generated:sphere:3000000", "off", "3 000 000 triangles at rest"},
      Case{"generated:sphere:200000", "rebuild", "200 000 triangles, rebuilt each frame"}};
  std::vector<WindowUse> uses;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& each = cases[i];
    if (scene != WindowScene::both && static_cast<std::size_t>(scene) != i) continue;
    std::cerr << "window/" << each.spec << std::endl;
    HeadlessContext context;
    FakeWindow window(options, context, open_device(options));
    WindowUse& use = uses.emplace_back();
    use.scene = each.words;
    SceneDescription description = describe_scene({each.spec});
    description.controls.emplace_back("animation", each.animation);
    use_scene(window, use, description, seconds);
    use.renderer = window.model().gl_renderer;
  }
  return uses;
}

void write_window_table(std::ostream& out, const std::vector<WindowUse>& uses) {
  out << "| scene | what | n | p50 ms | p95 ms | p99 ms | max ms | longest while |\n"
         "| ----- | ---- | -: | -----: | -----: | -----: | -----: | ------------- |\n";
  for (const WindowUse& use : uses)
    for (const auto& [what, times] :
         {std::pair{"panels", &use.panels_ms}, std::pair{"whole frame", &use.whole_ms},
          std::pair{"panel input to picture", &use.input_ms}})
      out << fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", use.scene,
                         what, times->size(), median(*times), quantile(*times, 0.95),
                         quantile(*times, 0.99), quantile(*times, 1.0),
                         times == &use.whole_ms ? use.busiest : "");
  out << '\n';
  for (const WindowUse& use : uses)
    out << fmt::format("- {}: {} frames of the scene meanwhile, drawn by {}.\n", use.scene,
                       use.computed, use.renderer);
  out << "- panels: what the session's update and the panels take of a frame; whole frame: until "
         "the last finished picture and the panels are composed and OpenGL has finished.\n"
         "- panel input to picture: from a move or a press of the mouse over the panels, which "
         "come "
         "every 4 to 40 ms at their own times and wait in the window's queue, which lets a "
         "frame "
         "see one press or release, until the first picture whose panels had seen it is finished. "
         "Without a display: its own delay comes on top.\n";
}

}  // namespace warpview::bench
