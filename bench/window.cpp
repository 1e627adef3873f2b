#include "bench/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/gl/headless_context.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/render/framebuffer.h"
#include "app/session.h"
#include "gpu/runtime/statistics.h"

namespace warpview::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The viewer without its window.
class FakeWindow {
 public:
  FakeWindow(const warpview::Options& options, HeadlessContext& context,
             std::unique_ptr<Device> device)
      : whole_(1280, 800, 1),
        session_(model_, options, std::move(device), context.shared(), Session::Mode::window) {}

  Model& model() { return model_; }
  PanelState& panels() { return panels_; }
  void set_display(int width, int height) {
    width_ = width;
    height_ = height;
  }

  // Frames for as long as it takes until `ended`, or for so many seconds: none of them waits for
  // anything but its turn. Throws what the session tells the user of errors.
  void run(
      WindowUse& use, const char* what, const std::function<void(int)>& user, double seconds,
      const std::function<bool()>& ended = [] { return false; }) {
    constexpr auto each = std::chrono::microseconds(16'667);
    const auto begin = Clock::now();
    for (int n = 0; milliseconds_since(begin) < 1e3 * seconds && !ended(); ++n) {
      const auto frame_begin = Clock::now();
      user(n);
      frame(use, what);
      std::this_thread::sleep_until(frame_begin + each);
    }
  }

 private:
  void frame(WindowUse& use, const char* what) {
    const auto begin = Clock::now();
    layer_.set_display(width_, height_, 1.0 / 60.0);
    layer_.begin_frame();
    panels_.fonts = layer_.fonts();
    draw_panels(model_, panels_);
    session_.set_view(std::max(static_cast<int>(panels_.view.width), 1),
                      std::max(static_cast<int>(panels_.view.height), 1));
    session_.update();
    const double panels_ms = milliseconds_since(begin);
    if (const Framebuffer* picture = session_.picture())
      layer_.show_picture(picture->texture(), panels_.view);
    whole_.bind();
    layer_.end_frame();
    glFinish();  // as a window's change of buffers waits for it
    const double whole_ms = milliseconds_since(begin);
    if (use.whole_ms.empty() ||
        whole_ms > *std::max_element(use.whole_ms.begin(), use.whole_ms.end()))
      use.busiest = what;
    use.panels_ms.push_back(panels_ms);
    use.whole_ms.push_back(whole_ms);
    use.computed = model_.results.frames;
    for (const Notice& notice : panels_.notices)
      if (notice.message.kind == Message::Kind::error)
        throw std::runtime_error(notice.message.text);
  }

  Framebuffer whole_;
  ImguiLayer layer_;
  PanelState panels_;
  Model model_;
  int width_ = 1280;
  int height_ = 800;
  Session session_;
};

// One thing after the other, each for its share of the seconds.
void use_scene(FakeWindow& window, WindowUse& use, const SceneDescription& scene, double seconds) {
  Model& model = window.model();
  const auto none = [](int) {};
  constexpr double longest_load = 600.0;
  model.requests.open = scene;
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
           if (row.why_not[next].empty()) row.row = row.variants[next];
         }
       }},
      {"pointing at it",
       [&](int n) {
         const float x = 0.3F + 0.01F * static_cast<float>(n % 40);
         if (n % 5 == 0) model.requests.pick = model.camera.ray(x, 0.5F, 1.5F);
       }},
      {"resizing the window",
       [&](int n) { window.set_display(900 + n * 7 % 380, 600 + n * 5 % 200); }},
      {"asking the laboratory",
       [&](int n) {
         window.set_display(1280, 800);
         window.panels().show_lab = true;
         if (n % 60 != 0 || model.lab.busy()) return;
         model.lab.question = {.primitive = Primitive::sort, .n = 1U << 14U};
         model.requests.run_lab = true;
       }},
      {"opening something else and cancelling", [&](int n) {
         window.panels().show_lab = false;
         model.requests.cancel_lab = true;
         if (n % 20 == 0) model.requests.open = describe_scene({"generated:sphere:2000000"});
         if (n % 20 == 10) model.requests.cancel_load = true;
       }}};
  for (const auto& [what, action] : script)
    window.run(use, what, action, seconds / static_cast<double>(script.size()));
}

}  // namespace

std::vector<WindowUse> measure_window(const warpview::Options& options, double seconds) {
  struct Case {
    const char* spec;
    const char* animation;
    const char* words;
  };
  static constexpr std::array cases = {
      Case{"generated:sphere:3000000", "once", "3 000 000 triangles at rest"},
      Case{"generated:sphere:200000", "rebuild", "200 000 triangles, rebuilt each frame"}};
  std::vector<WindowUse> uses;
  for (const Case& each : cases) {
    std::cerr << "window/" << each.spec << std::endl;
    HeadlessContext context;
    FakeWindow window(options, context, open_device(options));
    WindowUse& use = uses.emplace_back();
    use.scene = each.words;
    SceneDescription scene = describe_scene({each.spec});
    scene.controls.emplace_back("animation", each.animation);
    use_scene(window, use, scene, seconds);
    use.renderer = window.model().gl_renderer;
  }
  return uses;
}

void write_window_table(std::ostream& out, const std::vector<WindowUse>& uses) {
  out << "| scene | what | n | p50 ms | p99 ms | max ms | longest while |\n"
         "| ----- | ---- | -: | -----: | -----: | -----: | ------------- |\n";
  for (const WindowUse& use : uses)
    for (const auto& [what, times] :
         {std::pair{"panels", &use.panels_ms}, std::pair{"whole frame", &use.whole_ms}})
      out << fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {} |\n", use.scene, what,
                         times->size(), median(*times), quantile(*times, 0.99),
                         quantile(*times, 1.0), times == &use.whole_ms ? use.busiest : "");
  out << '\n';
  for (const WindowUse& use : uses)
    out << fmt::format("- {}: {} frames of the scene meanwhile, drawn by {}.\n", use.scene,
                       use.computed, use.renderer);
  out << "- panels: what the session's update and the panels take of a frame; whole frame: until "
         "the last finished picture and the panels are composed and OpenGL has finished.\n";
}

}  // namespace warpview::bench
