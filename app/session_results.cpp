// Takes what the other threads found out.
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/session_state.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/statistics.h"

namespace warpview {

void Session::State::take_news() {
  for (Message& message : compute->take_messages()) say(message.kind, std::move(message.text));
  if (std::string error = render.take_error(); !error.empty())
    say(Message::Kind::error, std::move(error));
  const std::lock_guard lock(found->mutex);
  for (Message& message : std::exchange(found->messages, {}))
    say(message.kind, std::move(message.text));
  if (auto picked = std::exchange(found->picked, {})) model.picked = *std::move(picked);
  if (const auto point = std::exchange(found->pivot, {}))
    model.camera.set_pivot({point->x, point->y, point->z});
  for (SassAnswer& answer : std::exchange(found->sass, {}))
    for (SassAnswer& waiting : model.lab.sass)
      if (waiting.question == answer.question) waiting = answer;
  if (const auto most = std::exchange(found->most_items, {}))
    if (most->first == model.lab.question.primitive) model.lab.most_items = most->second;
}

void Session::State::take_results(bool all) {
  SceneResults results = compute->results();
  if (!opened || results.scene != opened->number) {
    model.results.copy_gb_per_s = results.copy_gb_per_s;
    return;
  }
  // A choice that was refused is taken back, once the latest wishes were acted on.
  const bool is_answer = results.wishes == wishes.number;
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    StageRow& row = model.stages[i];
    note_switch(row, results.stages[i]);
    row.result = std::move(results.stages[i]);
    if (all) row.row = results.rows[i];
    if (is_answer && !wishes.rows.empty() && wishes.rows[i] != results.rows[i]) {
      // Unless the user has chosen yet another one meanwhile.
      if (row.row == wishes.rows[i]) row.row = results.rows[i];
      habits.add(row.result.name, variant_at(results.rows[i]).name);
      wishes.rows[i] = results.rows[i];
    }
  }
  results.stages.clear();
  model.results = std::move(results);
  constexpr std::uint64_t launch_bound = 1'000'000;  // bytes
  for (StageRow& row : model.stages) {
    row.launch_bound = row.result.work.bytes < launch_bound;
    row.every_frame = model.moves() && row.result.runs > 0 && row.result.done_by.empty();
    row.has_run |= !row.result.milliseconds.empty() || !row.result.done_by.empty();
    const Comparison& compared = model.results.comparison;
    if (compared.stage == row.result.name && !compared.under_way &&
        (!row.compared || row.compared->number != compared.number))
      row.compared = compared;
  }
}

void Session::State::note_switch(StageRow& row, const StageResult& now) {
  const StageResult& was = row.result;
  if (was.name.empty() || was.row == now.row) return;
  row.before.reset();
  if (was.milliseconds.empty() || !was.done_by.empty()) return;
  const std::vector<double> times(was.milliseconds.begin(), was.milliseconds.end());
  row.before = {.row = was.row,
                .items = was.work.items,
                .median_ms = was.median_ms,
                .quartile_1_ms = quantile(times, 0.25),
                .quartile_3_ms = quantile(times, 0.75),
                .runs = times.size()};
}

void Session::State::warm_up() {
  constexpr std::size_t enough = 5;
  // A first run, while all is cold, may well be ten times as long as those after it.
  constexpr double most_ms = 100.0;
  constexpr double most_cold_ms = 1000.0;
  if (mode == Mode::headless || !opened || model.results.moving || model.results.failed || busy())
    return;
  for (const StageRow& row : model.stages) {
    const StageResult& result = row.result;
    const std::size_t runs = result.milliseconds.size();
    if (runs == 0 || runs >= enough || !result.repeatable || !result.done_by.empty() ||
        result.least_ms > (runs == 1 ? most_cold_ms : most_ms))
      continue;
    // One at a time; and not again where one brought nothing.
    WarmUp now{opened->number, result.name, result.row, runs};
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

}  // namespace warpview
