// Does what the user asks for, and tells compute and render what is wished.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/common/editor.h"
#include "app/common/trouble.h"
#include "app/render/screenshot.h"
#include "app/report.h"
#include "app/session_state.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {

void Session::State::take_requests() {
  for (Request& each : model.requests.take())
    std::visit(
        [this]<class Kind>(Kind& asked) {
          if (must_wait<Kind>())
            model.requests.keep(std::move(asked));
          else
            act(std::move(asked));
        },
        each);
  model.switching_to = other.wanted();
}

template <class Kind>
bool Session::State::must_wait() const {
  if constexpr (std::is_same_v<Kind, request::RunLab>)
    return other.has_device();  // for the other device
  return request::Waits<Kind> && lab_run;
}

void Session::State::act(request::Open asked) { start_opening(std::move(asked.scene)); }

void Session::State::act(request::CancelLoad /*asked*/) {
  if (loader) loader->cancel();
}

void Session::State::act(request::Reload /*asked*/) {
  if (opened) reload_files();
}

void Session::State::act(request::ResetSettings /*asked*/) {
  if (opened) reset_settings();
}

void Session::State::act(request::ForgetScenes /*asked*/) { forget_scenes(); }

void Session::State::act(request::Repeat asked) { repeat(std::move(asked.stage)); }

void Session::State::act(request::Compare asked) { compute->compare(std::move(asked.stage)); }

void Session::State::act(request::CancelComparison /*asked*/) { compute->cancel_comparison(); }

void Session::State::act(request::ResetScene /*asked*/) { compute->begin_again(); }

void Session::State::act(request::Step /*asked*/) { compute->advance(1.0 / 60.0); }

void Session::State::act(request::Undo /*asked*/) { undo(); }

void Session::State::act(request::Redo /*asked*/) { redo(); }

void Session::State::act(request::FitCamera /*asked*/) { fit_camera(); }

void Session::State::act(request::LookFrom asked) {
  model.camera.look_from(asked.side);
  fit_camera();
}

void Session::State::act(request::Pick asked) {
  compute->ask([events = events, ray = asked.ray](Scene& scene) {
    events->post(event::Picked{scene.pick(ray)});
  });
}

void Session::State::act(request::Pivot asked) {
  compute->peek([events = events, ray = asked.ray](Scene* scene) {
    if (scene == nullptr) return;
    try {
      if (const auto place = scene->glance(ray).place) events->post(event::PivotFound{*place});
    } catch (const std::exception& error) {
      events->post(Message{Message::Kind::error, in_words(error)});
    }
  });
}

void Session::State::act(const request::SavePicture& asked) { save_picture(asked); }

void Session::State::act(request::SwitchBackend asked) {
  if (!other.wanted() && asked.backend != device->info().backend)
    other.start(asked.backend, opener, news);
}

void Session::State::act(request::RunLab asked) {
  if (!lab_run) start_lab(asked.task);
}

void Session::State::act(request::CancelLab /*asked*/) { cancel_lab(); }

void Session::State::act(request::WriteFile asked) { write_file(std::move(asked)); }

void Session::State::act(request::WriteReport asked) { write_report(std::move(asked.file)); }

void Session::State::act(const request::EditFile& asked) { edit_file(asked); }

void Session::State::act(request::Disassemble asked) { disassemble(std::move(asked.question)); }

void Session::State::repeat(std::string stage) const {
  compute->ask([name = std::move(stage)](Scene& scene) {
    if (const auto id = scene.timeline().find(name)) scene.repeat(*id);
  });
}

std::function<void(std::string, bool)> Session::State::teller() const {
  return [events = events](std::string text, bool failed) {
    events->post(Message{failed ? Message::Kind::error : Message::Kind::info, std::move(text)});
  };
}

void Session::State::save_picture(const request::SavePicture& picture) {
  const bool is_as_shown = picture.width == 0;
  View large{.camera = model.camera,
             .options = model.show,
             .shown = {},
             .width = is_as_shown ? view.width : picture.width,
             .height = is_as_shown ? view.height : picture.height};
  for (const OutputRow& output : model.outputs) large.shown.push_back(output.shown);
  large.options.transparent = picture.transparent;
  const auto side = [](int pixels) { return static_cast<float>(std::max(pixels, 1)); };
  // Lines are as wide beside the scene as they are in the view.
  large.options.pixel_scale *= side(large.height) / side(view.height);
  if (!is_as_shown && fitted == model.camera)
    large.camera.fit(model.scene_bounds, side(large.width) / side(large.height));
  to_save.push_back({.file = picture.file, .view = std::move(large)});
}

void Session::State::save_pictures() {
  for (; !to_save.empty() && is_computed(to_save.front()); to_save.pop_front())
    render.save_view(to_save.front().file, to_save.front().view, teller());
  // What the scene draws itself is not there then; all else is as the last frame left it.
  if (model.results.failed && model.results.seen) give_up_pictures("its frame failed");
}

// What the scene's own picture is made for is asked of compute in send_wishes(), one at a time.
bool Session::State::is_computed(PictureToDraw& picture) const {
  if (!opened) return true;  // which is an error
  if (loader && purpose == Purpose::same) return false;
  if (picture.scene != opened->number) {
    picture.scene = opened->number;
    picture.wishes = wishes.number;
  }
  const SceneResults& now = model.results;
  if (now.scene != picture.scene || now.wishes < picture.wishes) return false;
  return now.seen ? !now.failed && *now.seen == frame_view(picture.view) : true;
}

void Session::State::give_up_pictures(const std::string& why) {
  for (const PictureToDraw& picture : to_save)
    say(Message::Kind::error, in_words(Error("saving " + picture.file, why, "Save it again")));
  to_save.clear();
}

void Session::State::write_file(request::WriteFile file) {
  if (!writer_runs) writer.start([] { return false; });
  writer_runs = true;
  writer.post([events = events, file = std::move(file)] {
    try {
      if (file.picture)
        write_png(file.file, *file.picture);
      else
        write_whole_file(file.file, file.bytes);
      events->post(Message{Message::Kind::info, "Saved " + file.file});
    } catch (const std::exception& error) {
      events->post(Message{Message::Kind::error, in_words(error)});
    }
  });
}

void Session::State::write_report(std::string file) {
  RunResults results;
  if (opened) results.warnings = opened->mesh->warnings;
  const std::vector<float>& frames = model.results.frame_parts.last_wholes;
  if (model.moves()) results.frame_ms = {frames.begin(), frames.end()};
  std::string bytes = report_for(file, make_report(model, results));
  write_file({.file = std::move(file), .bytes = std::move(bytes)});
}

void Session::State::edit_file(const request::EditFile& file) {
  try {
    editors.emplace_back(editor_command(file.command, file.file, file.line));
    edited = std::chrono::steady_clock::now();
  } catch (const std::exception& error) {
    say(Message::Kind::error, in_words(error));
  }
}

bool Session::State::awaits_editor() const {
  constexpr std::chrono::seconds soon(5);
  return !editors.empty() && std::chrono::steady_clock::now() - edited < soon;
}

void Session::State::poll_editors() {
  std::erase_if(editors, [this](const LaunchedProcess& editor) {
    const std::optional<int> code = editor.ended();
    if (code && *code != 0)
      say(Message::Kind::error, fmt::format("{} ended with {}: the file may not have been opened.",
                                            editor.name(), *code));
    return code.has_value();
  });
}

void Session::State::send_wishes() {
  if (opened) {
    SceneWishes now = wishes_now();
    remember_habits(now);
    const bool has_size = model.controls.same(opened->controls, Effect::remake);
    if (!has_size && !loader) {
      remake();
      return;
    }
    const bool is_new = now.scene != wishes.scene || now.variants != wishes.variants ||
                        now.shown != wishes.shown || now.playing != wishes.playing ||
                        !(now.controls == wishes.controls);
    // While another scene of this kind is made with other sizes, these wishes are not for the old
    // one.
    if (is_new && has_size) {
      ++now.number;
      sent.push_back(std::chrono::steady_clock::now());
      wishes = now;
      compute->set_wishes(std::move(now));
    }
    view.shown = wishes.shown;
  }
  view.camera = model.camera;
  view.options = model.show;
  save_pictures();
  const View seen = coarse_view() ? coarsened(view) : view;
  render.set_view(seen);
  compute->set_view(frame_view(to_save.empty() ? seen : to_save.front().view));
}

SceneWishes Session::State::wishes_now() const {
  SceneWishes now{.scene = opened->number,
                  .number = wishes.number,
                  .controls = model.controls,
                  .variants = {},
                  .shown = {},
                  .playing = model.playing};
  for (const StageRow& stage : model.stages) now.variants.push_back(stage.variant);
  for (const OutputRow& output : model.outputs) now.shown.push_back(output.shown);
  return now;
}

bool Session::State::coarse_view() {
  is_coarse = model.camera_dragged && (is_coarse || model.draw_ms > model.coarse_above_ms);
  return is_coarse;
}

bool Session::State::shows_all() const {
  if (is_coarse || !to_save.empty() || !sent.empty() || model.first_picture_ms > 0.0) return false;
  // What moves is overtaken all the time.
  return model.moves() ? render.shows(view) : !render.overtaken();
}

View Session::State::coarsened(View view) {
  view.width = (view.width + 1) / 2;
  view.height = (view.height + 1) / 2;
  view.options.shadows = false;
  view.options.pixel_scale *= 0.5F;
  return view;
}

void Session::State::remember_habits(const SceneWishes& now) {
  if (now.scene != wishes.scene) return;
  for (std::size_t i = 0; i < now.variants.size(); ++i)
    if (now.variants[i] && now.variants[i] != wishes.variants[i])
      habits.add(model.stages[i].result.name, (*now.variants[i])->name);
}

}  // namespace warpview
