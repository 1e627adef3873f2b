// Takes what the other threads found out.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/session_state.h"
#include "app/warm_up.h"
#include "gpu/catalogue.h"

namespace warpview {

void Session::State::take_events() {
  for (SessionEvent& each : events->take())
    std::visit([this](auto& event) { take(std::move(event)); }, each);
  if (std::string error = render.take_error(); !error.empty())
    say(Message::Kind::error, std::move(error));
}

void Session::State::take(Message message) { say(std::move(message)); }

void Session::State::take(event::Picked picked) { model.picked = std::move(picked.result.facts); }

void Session::State::take(event::Glanced glanced) { glance.take(std::move(glanced), model); }

void Session::State::take(event::PivotFound found) {
  model.camera.set_pivot({found.place.x, found.place.y, found.place.z});
}

namespace {

bool has_new_times(const StageResult& was, const StageResult& now) {
  return now.has_times() && (was.variant != now.variant || was.cold_ms != now.cold_ms ||
                             was.milliseconds != now.milliseconds);
}

}  // namespace

void Session::State::take_results(bool all) {
  SceneResults results = compute->results();
  if (!opened || results.scene != opened->number) {
    model.results.copy_gb_per_s = results.copy_gb_per_s;
    return;
  }
  look_at_load();
  // A choice that was refused is taken back, once the latest wishes were acted on.
  const bool is_answer = results.wishes == wishes.number;
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    StageRow& row = model.stages[i];
    StageResult& now = results.stages[i];
    note_switch(row, now);
    if (row.result.variant != now.variant) row.taken = {};
    if (has_new_times(row.result, now)) note_taken(row.taken);
    row.result = std::move(now);
    if (all) row.variant = results.variants[i];
    if (is_answer && !wishes.variants.empty() && wishes.variants[i] != results.variants[i]) {
      // Unless the user has chosen yet another one meanwhile.
      if (row.variant == wishes.variants[i]) row.variant = results.variants[i];
      habits.add(row.result.name, (*results.variants[i])->name);
      wishes.variants[i] = results.variants[i];
    }
  }
  results.stages.clear();
  model.results = std::move(results);
  constexpr std::uint64_t launch_bound = 1'000'000;  // bytes
  for (StageRow& row : model.stages) {
    row.launch_bound = row.result.work.bytes < launch_bound;
    row.every_frame = model.moves() && row.result.runs > 0 && row.result.done_by.empty();
    row.has_run |= row.result.has_times() || !row.result.done_by.empty();
    const Comparison& compared = model.results.comparison;
    if (compared.stage == row.result.name && !compared.under_way &&
        (!row.compared || row.compared->number != compared.number))
      row.compared = compared;
  }
}

void Session::State::note_switch(StageRow& row, const StageResult& now) {
  const StageResult& was = row.result;
  if (was.name.empty() || was.variant == now.variant) return;
  row.before.reset();
  if (was.has_times() && was.done_by.empty()) row.before = row.times();
}

void Session::State::note_taken(TimesTaken& taken) {
  constexpr int as_many_as_are_kept = 120;
  taken.at = std::chrono::system_clock::now();
  taken.moving = model.moves();
  if (!others) return;
  taken.count = std::min(taken.count + 1, as_many_as_are_kept);
  const double average = taken.others.value_or(*others);
  taken.others = average + (*others - average) / taken.count;
}

void Session::State::look_at_load() {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look < 250ms) return;
  last_look = now;
  others = other_load.look();
  if (device->info().backend != Backend::cpu) others.reset();
}

void Session::State::warm_up() {
  if (mode == Mode::headless || !opened) return;
  for (StageRow& row : model.stages) row.warm_up = warm_up_of(model, row);
  if (model.results.failed || model.camera_dragged || model.is_setting || occupied()) return;
  for (const StageRow& row : model.stages) {
    if (row.warm_up != WarmUp::to_come) continue;
    const StageResult& result = row.result;
    // One at a time; and not again where one brought nothing.
    AskedRun now{opened->number, result.name, result.variant, result.milliseconds.size()};
    if (now == warming) return;
    warming = std::move(now);
    repeat(result.name);
    return;
  }
}

void Session::State::note_pictures() {
  const PictureStatistics statistics = render.statistics();
  model.draw_ms = statistics.draw_ms;
  if (statistics.pictures == pictures_seen) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> passed = now - last_picture;
  model.picture_ms = passed.count() / static_cast<double>(statistics.pictures - pictures_seen);
  pictures_seen = statistics.pictures;
  last_picture = now;
}

void Session::State::note_lag() {
  const std::uint64_t unanswered = wishes.number - std::min(model.results.wishes, wishes.number);
  while (sent.size() > unanswered) sent.pop_front();
  std::optional<std::chrono::steady_clock::time_point> since = render.overtaken();
  if (!sent.empty() && (!since || sent.front() < *since)) since = sent.front();
  model.behind_ms = model.first_picture_ms = 0.0;
  // While the laboratory is at work the scene waits, which is told elsewhere.
  if (mode == Mode::headless || !opened || lab_run) return;
  const auto milliseconds_since = [](std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  if (since) model.behind_ms = milliseconds_since(*since);
  // While something loads, or a frame has failed, that is what is told.
  if (!loader && !model.results.failed && render.statistics().scene < oldest_picture)
    model.first_picture_ms = milliseconds_since(opened_at);
}

}  // namespace warpview
