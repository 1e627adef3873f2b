#include "app/headless.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include "app/gl/headless_context.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/render/framebuffer.h"
#include "app/render/screenshot.h"
#include "app/report.h"
#include "app/session.h"
#include "gpu/pipeline/verify.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

constexpr double time_step = 1.0 / 60.0;  // seconds; fixed, so that pictures can be repeated

HeadlessOptions context_for(const Device& device, bool software) {
  HeadlessOptions options{.prefer_software = software};
  if (device.info().backend == Backend::cuda) options.cuda_device = device.info().index;
  return options;
}

void open_scene_of(Session& session, const Options& options) {
  try {
    session.open(options.scene);
  } catch (const Error& error) {
    throw InputError(error.what());
  }
}

// A session tells the user of errors and goes on; a headless run has no user to wait for.
void throw_on_error(const WorkspaceModel& workspace) {
  for (const Message& message : workspace.messages)
    if (message.kind == Message::Kind::error) throw Error(message.text);
}

// Checks what is on the device now. A stage that failed once stays failed.
void verify_now(const Session& session, RunResults& results) {
  MeshPipeline& pipeline = *session.pipeline();
  const MeshPipeline::Snapshot snapshot = pipeline.snapshot();
  const auto difference =
      verify(snapshot, session.corners(), session.triangle_material(), pipeline.choice());
  for (const Stage stage : verifiable_stages(snapshot)) {
    auto& verified = results.verified[static_cast<std::size_t>(stage)];
    if (difference && difference->stage == stage) {
      verified = false;
      fmt::print(stderr, "warpview: verify: stage {}: {}\n", to_string(stage), difference->text);
      return;
    }
    if (!verified) verified = true;
  }
}

bool all_verified(const RunResults& results) {
  return std::none_of(results.verified.begin(), results.verified.end(),
                      [](std::optional<bool> verified) { return verified && !*verified; });
}

void write_report(const std::filesystem::path& file, const WorkspaceModel& workspace,
                  const RunResults& results) {
  // File names need not be UTF-8, JSON must be.
  write_whole_file(file, make_report(workspace, results)
                                 .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                             '\n');
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The whole of the viewer's window, without a window.
class PanelPicture {
 public:
  PanelPicture(WorkspaceModel& workspace, const Options& options)
      : whole_(options.width, options.height, 1) {
    if (options.panel_lab) {
      panels_.show_lab = true;
      workspace.lab.question.primitive = *options.panel_lab;
      panels_.lab.row = options.panel_code;
      if (options.panel_code >= 0) panels_.lab.open = LabView::Tab::code;
      if (options.panel_counters) panels_.lab.open = LabView::Tab::counters;
    }
    lay_out(workspace);
  }

  // A framebuffer as large as the part of the window that shows the mesh.
  Framebuffer make_view() const {
    return {static_cast<int>(panels_.view.width), static_cast<int>(panels_.view.height)};
  }

  // Takes the workspace's messages into the picture.
  Picture compose(WorkspaceModel& workspace, const Framebuffer& view) {
    lay_out(workspace);
    begin_frame(workspace);
    layer_.show_picture(view.texture(), panels_.view);
    whole_.bind();
    layer_.end_frame();
    return whole_.read_back();
  }

 private:
  void begin_frame(WorkspaceModel& workspace) {
    layer_.set_display(whole_.width(), whole_.height(), time_step);
    layer_.begin_frame();
    panels_.fonts = layer_.fonts();
    draw_panels(workspace, panels_);
  }

  // ImGui's windows find their sizes in a few frames.
  void lay_out(WorkspaceModel& workspace) {
    constexpr int frames = 3;
    for (int n = 0; n < frames; ++n) {
      begin_frame(workspace);
      whole_.bind();
      layer_.end_frame();
    }
  }

  Framebuffer whole_;
  ImguiLayer layer_;
  PanelState panels_;
};

// Lets the laboratory answer what the workspace asks it.
void answer_in_lab(WorkspaceModel& workspace, Session& session, bool counting) {
  (counting ? workspace.requests.count_lab : workspace.requests.run_lab) = true;
  do {
    session.update(time_step);
    throw_on_error(workspace);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (workspace.lab.busy());
}

}  // namespace

int run_headless(WorkspaceModel& workspace, const Options& options) {
  auto device = open_device(options);
  const HeadlessContext context(context_for(*device, options.software));
  Session session(workspace, options, std::move(device));
  std::optional<PanelPicture> panels;
  if (options.panels) panels.emplace(workspace, options);
  const Framebuffer framebuffer =
      panels ? panels->make_view() : Framebuffer(options.width, options.height);
  open_scene_of(session, options);

  RunResults results;
  if (options.verify) verify_now(session, results);

  // Opening was the warm-up of every stage. Without animation the frames repeat them; with it, they
  // run once more, and each frame repeats what the animation needs.
  const int frames = std::max(options.frames, 1);
  const bool measured = frames > 1 || !options.report.empty();
  const bool animated = options.animation != Animation::once;
  if (measured) session.pipeline()->forget_times();
  if (measured && animated) session.reload();
  for (int frame = 0; frame < frames; ++frame) {
    const auto begin = std::chrono::steady_clock::now();
    if (measured && !animated) session.reload();
    session.update(time_step);
    throw_on_error(workspace);
    session.draw(framebuffer);
    glFinish();
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    results.frame_ms.push_back(spent.count());
  }
  session.settle();

  if (options.verify && all_verified(results)) verify_now(session, results);
  if (!options.report.empty() || panels) session.measure_copies();
  if (!options.report.empty()) write_report(options.report, workspace, results);
  if (options.panel_lab) answer_in_lab(workspace, session, options.panel_counters);
  if (!options.screenshot.empty()) {
    if (panels) workspace.frame_ms = median_of(results.frame_ms);
    write_png(options.screenshot,
              panels ? panels->compose(workspace, framebuffer) : framebuffer.read_back());
  }
  return all_verified(results) ? exit_success : exit_verify;
}

}  // namespace warpview
