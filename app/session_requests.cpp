// Does what the user asks for, and tells compute and render what is wished.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
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
  Requests& requests = model.requests;
  if (const auto backend = std::exchange(requests.backend, {});
      backend && !other.wanted() && *backend != device->info().backend)
    other.start(*backend, opener, news);
  model.switching_to = other.wanted();
  if (std::exchange(requests.cancel_lab, false) && lab_run) lab_run->cancel();
  if (!other.has_device())  // else it waits for the other device
    if (const auto task = std::exchange(requests.lab, {}); task && !lab_run) start_lab(*task);
  for (FileToWrite& file : std::exchange(requests.write, {})) write_file(std::move(file));
  for (std::string& file : std::exchange(requests.report, {})) write_report(std::move(file));
  if (const auto file = std::exchange(requests.edit, {})) edit_file(*file);
  if (auto question = std::exchange(requests.sass, {})) disassemble(*std::move(question));
  if (std::exchange(requests.cancel_load, false) && loader) loader->cancel();
  if (std::exchange(requests.cancel_comparison, false)) compute->cancel_comparison();
  if (const auto side = std::exchange(requests.look_from, {})) {
    model.camera.look_from(*side);
    requests.fit_camera = true;
  }
  if (std::exchange(requests.fit_camera, false)) fit_camera();
  if (const auto picture = std::exchange(requests.screenshot, {})) save_picture(*picture);
  if (std::exchange(requests.forget_scenes, false)) forget_scenes();
  undo_or_redo();
  if (lab_run) return;  // the rest waits
  if (auto description = std::exchange(requests.open, {})) start_opening(*std::move(description));
  if (std::exchange(requests.reload, false) && opened) reload_files();
  if (std::exchange(requests.reset_settings, false) && opened) reset_settings();
  for (std::string& stage : std::exchange(requests.repeat, {})) repeat(std::move(stage));
  if (auto stage = std::exchange(requests.compare, {})) compute->compare(*std::move(stage));
  if (std::exchange(requests.reset_scene, false)) compute->begin_again();
  for (; requests.steps > 0; --requests.steps) compute->advance(1.0 / 60.0);
  if (const auto ray = std::exchange(requests.pick, {}))
    compute->ask([found = found, ray = *ray](Scene& scene) {
      std::vector<Fact> picked = scene.pick(ray);
      const std::lock_guard lock(found->mutex);
      found->picked = std::move(picked);
    });
  if (const auto ray = std::exchange(requests.pivot, {}))
    compute->peek([found = found, ray = *ray, say = messenger()](Scene* scene) {
      if (scene == nullptr) return;
      try {
        for (const Fact& fact : scene->glance(ray))
          if (const Vec3* const place = std::get_if<Vec3>(&fact.value);
              place && fact.name == "pick.place") {
            const std::lock_guard lock(found->mutex);
            found->pivot = *place;
          }
      } catch (const std::exception& error) {
        say(Message::Kind::error, in_words(error));
      }
    });
}

void Session::State::repeat(std::string stage) const {
  compute->ask([name = std::move(stage)](Scene& scene) {
    if (const auto id = scene.timeline().find(name)) scene.repeat(*id);
  });
}

std::function<void(std::string, bool)> Session::State::teller() const {
  return [say = messenger()](std::string text, bool failed) {
    say(failed ? Message::Kind::error : Message::Kind::info, std::move(text));
  };
}

void Session::State::save_picture(const PictureToSave& picture) {
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

void Session::State::write_file(FileToWrite file) {
  if (!writer_runs) writer.start([] { return false; });
  writer_runs = true;
  writer.post([say = messenger(), file = std::move(file)] {
    try {
      if (file.picture)
        write_png(file.file, *file.picture);
      else
        write_whole_file(file.file, file.bytes);
      say(Message::Kind::info, "Saved " + file.file);
    } catch (const std::exception& error) {
      say(Message::Kind::error, in_words(error));
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

void Session::State::edit_file(const FileToEdit& file) {
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
