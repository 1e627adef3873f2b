// Takes what the other threads found out.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/common/steps.h"
#include "app/kept_runs.h"
#include "app/pinned_times.h"
#include "app/session_state.h"
#include "app/warm_up.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/digits.h"

namespace warpview {

void Session::State::take_events() {
  for (SessionEvent& each : events->take())
    attempt([this](const std::exception& error) { fail(error); },
            [&] { std::visit([this](auto& event) { take(std::move(event)); }, each); });
  if (std::string error = render.take_error(); !error.empty())
    model.say({Message::Kind::error, std::move(error)});
}

void Session::State::take(Message message) { model.say(std::move(message)); }

void Session::State::take(event::Picked picked) { model.picked = std::move(picked.result.facts); }

void Session::State::take(event::Glanced glanced) { glance.take(std::move(glanced), model); }

void Session::State::take(event::PivotFound found) {
  model.camera.set_pivot({found.place.x, found.place.y, found.place.z});
}

void Session::State::take(const event::BackendsTried& tried) {
  backends_awaited = false;
  for (const BackendStatus& status : tried.all)
    model.absent[static_cast<std::size_t>(status.backend)] = status.why;
}

namespace {

bool is_same_box(const Aabb& a, const Aabb& b) {
  const auto same = [](const Vec3& p, const Vec3& q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
  };
  return same(a.min, b.min) && same(a.max, b.max);
}

}  // namespace

void Session::State::take_results(bool all) {
  const Published<Snapshot> results = compute->results();
  if (!opening.scene() || results->scene != opening.number()) {
    model.results.change().copy_gb_per_s = results->copy_gb_per_s;
    return;
  }
  times.look_at_load(model.device.backend == Backend::cpu);
  // A choice that was refused is taken back, once the latest wishes were acted on.
  const bool is_answer = results->wishes == wishes.number;
  const bool is_set_as_before =
      results->scene == model.results->scene && results->wishes == model.results->wishes;
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    StageRow& row = model.stages[i];
    times.take(row, results.part(results->stages[i]), model.moves());
    const std::optional<VariantId> chosen = row.result->variant;
    if (all) row.variant = chosen;
    const auto wished = wishes.choices.variants.find(row.result->name);
    if (is_answer && wished != wishes.choices.variants.end() && wished->second != chosen) {
      // Unless the user has chosen yet another one meanwhile.
      if (row.variant == wished->second) row.variant = chosen;
      opening.add_habit(row.result->name, (*chosen)->name);
      wished->second = *chosen;
    }
  }
  model.results = results;
  if (!is_same_box(results->reach, model.scene_bounds) || results->outline != model.scene_outline)
    viewing.set_bounds(results->reach, results->outline);
  constexpr std::uint64_t launch_bound = 1'000'000;  // bytes
  for (StageRow& row : model.stages) {
    row.launch_bound = row.result->work.bytes < launch_bound;
    row.every_frame = runs_in_frames(row, model.moves(), is_set_as_before);
    row.has_run |= row.result->has_times() || !row.result->done_by.empty();
    const Comparison& compared = model.results->comparison;
    if (compared.stage == row.result->name && !compared.under_way &&
        (!row.compared || row.compared->number != compared.number)) {
      row.compared = compared;
      for (MeasuredRun& run : measured_runs(model.device, *row.result, compared))
        model.lab.runs.add(std::move(run));
    }
  }
  take_times_of_pinned(model);
}

void Session::State::warm_up() {
  if (mode == Mode::headless || !opening.scene()) return;
  for (StageRow& row : model.stages) row.warm_up = warm_up_of(model, row);
  if (model.results->failed || model.camera_dragged || model.is_setting || occupied()) return;
  if (auto stage = times.next_run(model, opening.number())) compute->repeat(*std::move(stage));
}

void Session::State::note_pictures() {
  const PictureStatistics statistics = render.statistics();
  model.draw_ms = statistics.draw_ms;
  model.difference = render.difference();
  if (statistics.pictures == pictures_seen) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> passed = now - last_picture;
  model.picture_ms = passed.count() / static_cast<double>(statistics.pictures - pictures_seen);
  pictures_seen = statistics.pictures;
  last_picture = now;
  if (mode == Mode::window && statistics.scene == opening.number()) fit_sizes();
}

// Where the user has not said how many items there are to be.
void Session::State::fit_sizes() {
  if (!opening.scene() || opening.is_busy() || !viewing.is_coarse() || model.camera_dragged) return;
  if (opening.scene()->of_file) return;  // the file says how many there are
  const auto& asked = opening.scene()->description.as_asked().controls;
  for (std::size_t i = 0; i < model.controls.size(); ++i) {
    const Control& control = model.controls.all()[i];
    const bool is_chosen = std::any_of(asked.begin(), asked.end(), [&control](const auto& each) {
      return each.first == control.name;
    });
    if (control.fewest == 0.0 || is_chosen) continue;
    const auto fitting = sizes.after_picture(opening.number(), control, model.controls.value(i),
                                             model.picture_ms, 1.5 * model.coarse_above_ms);
    if (!fitting) continue;
    model.controls.set(i, *fitting);
    // Both numbers are one step for undo.
    if (sizes.is_second())
      history.follow(set_in(model));
    else
      history.note(set_in(model), false);
    model.say(
        {Message::Kind::info,
         fmt::format("{}: {} instead of {}, as pictures are slow here. Undo brings them back.",
                     control.title, group_digits(static_cast<std::uint64_t>(*fitting)),
                     group_digits(static_cast<std::uint64_t>(control.initial)))});
  }
}

void Session::State::note_lag() {
  const std::uint64_t unanswered = wishes.number - std::min(model.results->wishes, wishes.number);
  while (sent.size() > unanswered) sent.pop_front();
  std::optional<std::chrono::steady_clock::time_point> since = render.overtaken();
  if (!sent.empty() && (!since || sent.front() < *since)) since = sent.front();
  model.behind_ms = model.first_picture_ms = 0.0;
  // While the laboratory is at work the scene waits, which is told elsewhere.
  if (mode == Mode::headless || !opening.scene() || lab.is_busy() || !viewing.is_shown()) return;
  const auto milliseconds_since = [](std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  if (since) model.behind_ms = milliseconds_since(*since);
  // While something loads, or a frame has failed, that is what is told.
  if (!opening.is_busy() && !model.results->failed &&
      render.statistics().scene < opening.oldest_picture())
    model.first_picture_ms = milliseconds_since(opening.opened_at());
}

}  // namespace warpview
