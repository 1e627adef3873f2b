#include "app/headless.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "app/gl/headless_context.h"
#include "app/message.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/panels.h"
#include "app/panels/parts.h"
#include "app/render/framebuffer.h"
#include "app/render/screenshot.h"
#include "app/report.h"
#include "app/session.h"
#include "app/video/turntable.h"
#include "app/video/writer.h"
#include "app/video_desk.h"
#include "gpu/runtime/statistics.h"
#include "gpu/runtime/whole_file.h"
#include "scenes/files/input_error.h"

namespace warpview {
namespace {

constexpr double time_step = 1.0 / 60.0;  // seconds; fixed, so that pictures can be repeated

HeadlessOptions context_for(const Device& device, bool software) {
  HeadlessOptions options{.prefer_software = software};
  if (device.info().backend == Backend::cuda) options.cuda_device = device.info().index;
  return options;
}

// What was mended or left out on the way goes to stderr, once: of the messages those from `from`
// on. Returns how many there are now.
std::size_t print_warnings(const Model& model, std::size_t from) {
  const std::vector<Message>& messages = model.messages;
  for (std::size_t i = from; i < messages.size(); ++i)
    if (messages[i].kind == Message::Kind::warning)
      fmt::print(stderr, "warpview: warning: {}\n", printable(messages[i].text));
  return messages.size();
}

// A session tells the user of errors and goes on; a headless run has no user to wait for.
template <class Kind = Error>
void throw_on_error(const Model& model) {
  for (const Message& message : model.messages)
    if (message.kind == Message::Kind::error) throw Kind(message.text);
}

// Checks what is on the device now. A stage that failed once stays failed.
void verify_now(Session& session, RunResults& results) {
  for (const Check& check : session.verify()) {
    bool& verified = results.verified.try_emplace(check.stage, true).first->second;
    if (check.difference.empty()) continue;
    verified = false;
    fmt::print(stderr, "warpview: verify: stage {}: {}\n", check.stage, check.difference);
  }
}

bool all_verified(const RunResults& results) {
  return std::all_of(results.verified.begin(), results.verified.end(),
                     [](const auto& verified) { return verified.second; });
}

void write_report(const std::filesystem::path& file, const Model& model,
                  const RunResults& results) {
  write_whole_file(file, report_for(file, make_report(model, results)));
}

// The whole of the viewer's window, without a window.
class PanelPicture {
 public:
  PanelPicture(Model& model, const Options& options) : whole_(options.width, options.height, 1) {
    panels_.settings.theme = options.theme.value_or(Theme::dark);
    layer_.set_scale(options.ui_scale.value_or(1.0F), 1.0F);
    layer_.set_theme(panels_.settings.theme);
    if (const auto& lab = options.panel_lab) {
      open_laboratory(model, panels_, lab->primitive, lab->variant, lab->tab);
      panels_.lab.kind = lab->listing;
      panels_.lab.steps.asked = lab->tab == LabTask::steps && !lab->unasked;
      panels_.lab.steps.begin_at = options.lab.step;
      if (lab->fault != nullptr) show_fault(panels_.lab.faults, *lab->fault);
    }
    if (!options.recording.empty() || !options.watch.empty())
      panels_.lab.steps.begin_at = options.lab.step;
    lay_out(model);
  }

  // The part of the window that shows the scene, in pixels.
  int view_width() const { return static_cast<int>(panels_.view.width); }
  int view_height() const { return static_cast<int>(panels_.view.height); }

  // ImGui's windows find their sizes in a few frames. What the panels want to know beside the
  // model's results, as SASS, is then in its requests.
  void lay_out(Model& model) {
    constexpr int frames = 3;
    for (int n = 0; n < frames; ++n) {
      begin_frame(model);
      whole_.bind();
      layer_.end_frame();
    }
  }

  // Takes the model's messages into the picture.
  Picture compose(Model& model, GLuint scene) {
    lay_out(model);
    begin_frame(model);
    layer_.show_picture(scene, view_width(), view_height(), panels_.view);
    whole_.bind();
    layer_.end_frame();
    return whole_.read_back();
  }

 private:
  void begin_frame(Model& model) {
    layer_.set_display(whole_.width(), whole_.height(), time_step);
    layer_.begin_frame();
    panels_.fonts = layer_.fonts();
    draw_panels(model, panels_);
  }

  Framebuffer whole_;
  ImguiLayer layer_;
  PanelState panels_;
};

// Draws what `advance` makes of the scene, and notes how long both took. Error where a stage
// failed.
template <class Advance>
void draw_frame(Session& session, Model& model, RunResults& results, Advance&& advance) {
  const auto begin = std::chrono::steady_clock::now();
  advance();
  throw_on_error(model);
  session.draw();
  session.texture();  // finished
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
  results.frame_ms.push_back(spent.count());
}

// Opens the scene with A's settings, runs as many frames, and keeps the picture as A of the scene
// that is opened in its place.
void open_beside_a(Session& session, Model& model, const Options& options) {
  const AbOptions& ab = *options.ab;
  const RenderOptions of_b = model.show;
  choose_look(model.show, ab.look);
  session.open(ab.a);
  const bool has_time = options.scene.seconds || model.results->seconds > 0.0;
  for (int frame = 0; frame < std::max(options.frames, 1); ++frame)
    session.advance(frame == 0 && has_time ? 0.0 : time_step);
  throw_on_error(model);
  pin(model);
  session.finish();
  throw_on_error(model);
  model.show = of_b;
  session.open_as_described(options.scene, true);
  model.ab.gain = ab.gain;
}

// Draws what the last frame left, seen so.
Picture draw_ab_as(AbView::Mode mode, Session& session, Model& model) {
  model.ab.mode = mode;
  session.advance(0.0);
  throw_on_error(model);
  session.draw();
  return session.read_back();
}

AbView::Mode mode_of_video(const AbOptions& ab) {
  if (ab.form == AbOptions::Form::a) return AbView::Mode::only_a;
  return ab.form == AbOptions::Form::difference ? AbView::Mode::difference : AbView::Mode::divided;
}

// Prints how A and B differ. What is drawn last is what the options say; with a sheet, that.
std::optional<Picture> compare_with_a(Session& session, Model& model, const Options& options) {
  using Form = AbOptions::Form;
  using Mode = AbView::Mode;
  const Picture difference = draw_ab_as(Mode::difference, session, model);
  if (!model.difference)
    throw Error("comparing A and B", "the picture of A is gone", "Use a smaller picture");
  fmt::print("A|B: {}\n", difference_in_words(*model.difference));
  switch (options.ab->form.value_or(options.panels ? Form::divider : Form::sheet)) {
    case Form::sheet:
      return side_by_side({draw_ab_as(Mode::only_a, session, model),
                           draw_ab_as(Mode::only_b, session, model), difference});
    case Form::divider:
      draw_ab_as(Mode::divided, session, model);
      break;
    case Form::a:
      draw_ab_as(Mode::only_a, session, model);
      break;
    case Form::difference:
      break;
  }
  return {};
}

// Draws and writes each frame of the video at its own time of the scene. Camera and Play stay as
// they were.
void record_video(Session& session, Model& model, const Options& options, PanelPicture* panels,
                  RunResults& results) {
  const VideoPlan& plan = *options.video;
  const bool played = model.playing;
  if (!plan.turntable) model.playing = true;  // also where the scene file says that it is paused
  if (!plan.turntable && !model.results->moving)
    fmt::print(stderr, "warpview: warning: {}\n",
               "nothing moves in this scene, so all frames of the video are equal: --turntable "
               "moves the camera");
  const std::unique_ptr<VideoWriter> video = open_video(plan);
  const Camera before = model.camera;
  if (plan.turntable) session.fit_all_around();
  const Camera first = model.camera;
  const double each = 1.0 / plan.rate;
  for (std::uint64_t frame = 0; frame < plan.frames(); ++frame) {
    draw_frame(session, model, results, [&] {
      if (plan.turntable) model.camera = turned(first, frame, plan.frames());
      const bool passes = frame > 0 && model.moves();
      const int steps = passes && !model.results->skips_time ? steps_of_frame(each) : 1;
      for (int step = 0; step < steps; ++step) session.advance(passes ? each / steps : 0.0);
    });
    video->add(panels != nullptr ? panels->compose(model, session.texture()) : session.read_back());
  }
  video->finish();
  model.camera = before;
  model.playing = played;
}

}  // namespace

int run_headless(Model& model, const Options& options) {
  auto device = open_device(options);
  HeadlessContext context(context_for(*device, options.software));
  Session session(model, options, std::move(device), context.shared(), Session::Mode::headless);
  std::optional<PanelPicture> panels;
  if (options.panels) panels.emplace(model, options);
  session.set_view(panels ? panels->view_width() : options.width,
                   panels ? panels->view_height() : options.height);
  model.show.theme = options.theme.value_or(Theme::dark);
  choose_look(model.show, options.look);
  model.show.transparent = options.transparent;
  model.show.pixel_scale = std::max(options.ui_scale.value_or(1.0F), 1.0F);
  model.usual_up = options.up.value_or(UpAxis::y);
  if (options.ab)
    open_beside_a(session, model, options);
  else
    session.open(options.scene);
  const std::size_t printed = print_warnings(model, 0);

  RunResults results;
  if (options.verify) verify_now(session, results);

  // Opening was the warm-up of every stage. What stands still repeats them in each frame; what
  // moves runs them once more, and each frame repeats what it needs.
  const int frames = std::max(options.frames, 1);
  const bool measured = frames > 1 || !options.report.empty();
  const bool moves = model.results->moving;
  // What has come to where it was asked for stays there, and so do the times of opening it.
  const bool has_time = options.scene.seconds || model.results->seconds > 0.0;
  const bool begins_anew = measured && !(moves && has_time);
  if (begins_anew) session.forget_times();
  if (begins_anew && moves) session.reload();
  if (options.video && options.ab) model.ab.mode = mode_of_video(*options.ab);
  if (options.video) record_video(session, model, options, panels ? &*panels : nullptr, results);
  for (int frame = 0; !options.video && frame < frames; ++frame)
    draw_frame(session, model, results, [&] {
      if (measured && !moves) session.reload();
      // The first shows the moment that was asked for.
      session.advance(frame == 0 && has_time ? 0.0 : time_step);
    });

  if (options.verify && all_verified(results)) verify_now(session, results);
  std::optional<Picture> sheet;
  if (options.ab) sheet = compare_with_a(session, model, options);
  if (!options.report.empty() || panels) session.measure_copies();
  if (!options.report.empty()) write_report(options.report, model, results);
  if (!options.save_scene.empty())
    write_whole_file(options.save_scene, session.scene_text(options.save_scene.parent_path()));
  if (!options.recording.empty()) {
    model.requests.add(request::OpenRecording{options.recording});
    session.finish();
    throw_on_error<InputError>(model);
  }
  if (!options.watch.empty()) {
    model.requests.add(request::Watch{options.watch});
    session.finish();
    throw_on_error<ChoiceError>(model);
    panels->lay_out(model);  // asks for the recording
    session.finish();
    throw_on_error(model);
  }
  if (options.panel_lab && !options.panel_lab->unasked) {
    if (const FaultForm* const fault = options.panel_lab->fault)
      model.requests.add(request::RunFault{{.form = fault}});
    session.answer_lab(options.panel_lab->tab);
    throw_on_error(model);
  }
  if (!options.screenshot.empty()) {
    if (panels) {
      model.picture_ms = median(results.frame_ms);
      panels->lay_out(model);
      session.finish();
    }
    write_png(options.screenshot, panels  ? panels->compose(model, session.texture())
                                  : sheet ? *sheet
                                          : session.read_back());
  }
  print_warnings(model, printed);
  return all_verified(results) ? exit_success : exit_verify;
}

}  // namespace warpview
