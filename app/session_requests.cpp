// Does what the user asks for, and tells compute and render what is wished.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/common/steps.h"
#include "app/common/trouble.h"
#include "app/remembering.h"
#include "app/report.h"
#include "app/saved_scene.h"
#include "app/session_state.h"
#include "app/watched_stage.h"
#include "gpu/catalogue.h"

namespace warpview {

void Session::State::take_requests() {
  for (Request& each : model.requests.take())
    attempt([this](const std::exception& error) { fail(error); },
            [&] {
              std::visit(
                  [this]<class Kind>(Kind& asked) {
                    if (must_wait<Kind>())
                      model.requests.keep(std::move(asked));
                    else
                      act(std::move(asked));
                  },
                  each);
            });
  model.switching_to = other.wanted();
}

template <class Kind>
bool Session::State::must_wait() const {
  if constexpr (std::is_same_v<Kind, request::RunLab>)
    return other.has_device() || lab.records();  // for the other device, or for idle processors
  if constexpr (std::is_same_v<Kind, request::RunFault> || std::is_same_v<Kind, request::PlayFault>)
    return lab.is_busy() || lab.records();  // the module records one run at a time
  if (std::is_same_v<Kind, request::Watch> && opening.is_busy()) return true;
  return request::Waits<Kind> && lab.is_busy();
}

void Session::State::act(request::Open asked) { opening.open(std::move(asked.scene), here()); }

void Session::State::act(request::CancelLoad /*asked*/) { opening.cancel(); }

void Session::State::act(request::Reload /*asked*/) {
  if (opening.scene()) opening.read_again(here());
}

void Session::State::act(request::ResetSettings /*asked*/) {
  if (opening.scene()) opening.reset(here());
}

void Session::State::act(request::ForgetScenes /*asked*/) { opening.forget_scenes(); }

void Session::State::act(request::Repeat asked) const { compute->repeat(std::move(asked.stage)); }

void Session::State::act(request::Compare asked) const { compute->compare(std::move(asked.stage)); }

void Session::State::act(request::CancelComparison /*asked*/) const {
  compute->cancel_comparison();
}

void Session::State::act(request::ResetScene /*asked*/) const { compute->begin_again(); }

void Session::State::act(request::Step /*asked*/) const { compute->advance(1.0 / 60.0); }

void Session::State::act(request::Undo /*asked*/) {
  if (!opening.scene()) return;
  if (const auto was = history.undo()) set_again(model, *was);
}

void Session::State::act(request::Redo /*asked*/) {
  if (!opening.scene()) return;
  if (const auto next = history.redo()) set_again(model, *next);
}

void Session::State::act(request::FitCamera /*asked*/) { viewing.fit_camera(); }

void Session::State::act(request::LookFrom asked) {
  model.camera.look_from(asked.side);
  viewing.fit_camera();
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

void Session::State::act(request::KeepPicture /*asked*/) {
  if (opening.scene()) ab.keep();
}

void Session::State::act(const request::SavePicture& asked) { viewing.save(asked); }

SceneDescription Session::State::description() const {
  if (!opening.scene()) throw Error("saving the scene", "nothing is open", "Open a scene first");
  return description_of(model, opening.scene()->said, viewing.fits());
}

void Session::State::act(const request::SaveScene& asked) {
  std::string text =
      scene_file_text(description(), std::filesystem::path(asked.file).parent_path());
  files.write({.file = asked.file, .bytes = std::move(text)}, event::SceneSaved{asked.file});
}

void Session::State::act(const request::KeepCamera& asked) {
  if (!opening.scene()) return;
  if (const std::string why = why_no_camera_name(asked.name); !why.empty())
    throw Error(fmt::format("camera \"{}\"", asked.name), why, "Choose another name");
  const SceneMemory now = memory_of(model, {}, viewing.fits());
  for (SceneMemory::NamedCamera& each : model.cameras)
    if (each.name == asked.name) {
      each.view = *now.view;
      return;
    }
  if (model.cameras.size() >= NamedViewpoint::most)
    throw Error("saving the camera",
                fmt::format("the scene has {} cameras, which is the most", NamedViewpoint::most),
                "Delete one first");
  model.cameras.push_back({asked.name, *now.view});
}

void Session::State::act(const request::LookThrough& asked) {
  for (const SceneMemory::NamedCamera& each : model.cameras)
    if (each.name == asked.name) viewing.look_again(each.view, false);
}

void Session::State::act(request::RecordVideo asked) {
  if (!opening.scene()) throw Error("recording a video", "nothing is open", "Open a scene first");
  video.start(std::move(asked.plan), viewing, opening.number());
}

void Session::State::act(request::CancelVideo /*asked*/) { video.cancel(); }

void Session::State::record_video() {
  video.update(*compute, viewing,
               {.scene = opening.number(),
                .wishes = wishes.number,
                .is_busy = opening.is_busy() || lab.is_busy() || other.has_device()});
}

void Session::State::act(request::SwitchBackend asked) {
  if (!other.wanted() && asked.backend != device->info().backend)
    other.start(asked.backend, opener, news);
}

void Session::State::act(request::RunLab asked) { lab.start(asked.task, *device, *compute); }

void Session::State::act(request::CancelLab /*asked*/) { lab.cancel(); }

void Session::State::act(const request::Record& asked) { lab.record(asked.asked, asked.side); }

void Session::State::act(request::CancelRecording /*asked*/) { lab.cancel_recording(); }

void Session::State::act(const request::Watch& asked) {
  if (opening.scene()) watch_stage(model, *opening.scene()->mesh, asked.stage);
}

void Session::State::act(request::OpenRecording asked) {
  lab.open_recording(std::move(asked.file));
}

void Session::State::act(request::WriteFile asked) { files.write(std::move(asked)); }

void Session::State::act(request::WriteReport asked) {
  RunResults results;
  if (opening.scene()) results.warnings = opening.scene()->mesh->warnings;
  const std::vector<float>& frames = model.results->frame_parts.last_wholes;
  if (model.moves()) results.frame_ms = {frames.begin(), frames.end()};
  std::string bytes = report_for(asked.file, make_report(model, results));
  files.write({.file = std::move(asked.file), .bytes = std::move(bytes)});
}

void Session::State::act(const request::EditFile& asked) { files.edit(asked); }

void Session::State::act(const request::RunFault& asked) { lab.run_fault(asked.asked); }

void Session::State::act(request::CancelFault /*asked*/) { lab.cancel_fault(); }

void Session::State::act(const request::PlayFault& asked) {
  lab.play_fault(asked.asked, asked.seed);
}

void Session::State::act(request::Disassemble asked) { lab.disassemble(std::move(asked.question)); }

void Session::State::send_wishes() {
  if (opening.scene()) {
    SceneWishes now{.scene = opening.number(), .number = wishes.number, .choices = model.choices()};
    remember_habits(now);
    if (video.is_recording()) now.choices.playing = false;
    const bool has_size = model.controls.same(opening.scene()->choices.controls, Effect::remake);
    const bool is_held = ab.holds_wishes();
    if (!has_size && !opening.is_busy() && !is_held) {
      opening.remake(here());
      return;
    }
    const bool is_new = now.scene != wishes.scene || now.choices != wishes.choices;
    // While another scene of this kind is made with other sizes, these wishes are not for the old
    // one.
    if (is_new && has_size && !is_held) {
      ++now.number;
      sent.push_back(std::chrono::steady_clock::now());
      wishes = now;
      compute->set_wishes(std::move(now));
    }
    if (has_size) ab.note_wishes(wishes.scene, wishes.number);
    viewing.show(wishes.choices.shown);
  }
  viewing.update(opening.number());
  viewing.draw_saved(
      render,
      {.scene = opening.number(), .wishes = wishes.number, .is_remade = opening.is_remaking()});
  View seen = viewing.seen();
  compute->set_view(frame_view(viewing.saves() ? viewing.next_saved() : seen),
                    viewing.is_shown() || viewing.saves(), model.shows_a());
  if (!viewing.is_shown()) seen.width = seen.height = 0;
  render.set_view(seen);
}

void Session::State::remember_habits(const SceneWishes& now) {
  if (now.scene != wishes.scene) return;
  for (const auto& [stage, variant] : now.choices.variants)
    if (const auto before = wishes.choices.variants.find(stage);
        before == wishes.choices.variants.end() || before->second != variant)
      opening.add_habit(stage, variant->name);
}

}  // namespace warpview
