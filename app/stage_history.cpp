#include "app/stage_history.h"

#include <algorithm>
#include <utility>

namespace warpview {
namespace {

bool has_new_times(const StageResult& was, const StageResult& now) {
  return now.has_times() && (was.variant != now.variant || was.cold_ms != now.cold_ms ||
                             was.milliseconds != now.milliseconds);
}

}  // namespace

bool runs_in_frames(const StageRow& row, bool moves, bool is_set_as_before) {
  return moves && row.result->done_by.empty() &&
         (row.result->runs > 0 || (is_set_as_before && row.every_frame));
}

void StageHistory::look_at_load(bool kernels_on_cpu) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < 250ms) return;
  last_look_ = now;
  others_ = other_load_.look();
  if (!kernels_on_cpu) others_.reset();
}

void StageHistory::take(StageRow& row, Published<StageResult> now, bool moving) const {
  const StageResult& was = *row.result;
  const bool is_other = was.variant != now->variant;
  if (is_other && !was.name.empty()) {
    row.before.reset();
    if (was.has_times() && was.done_by.empty()) row.before = row.times();
  }
  if (is_other) row.taken = {};
  if (has_new_times(was, *now)) note_taken(row.taken, moving);
  row.result = std::move(now);
}

void StageHistory::note_taken(TimesTaken& taken, bool moving) const {
  constexpr int as_many_as_are_kept = 120;
  taken.at = std::chrono::system_clock::now();
  taken.moving = moving;
  if (!others_) return;
  taken.count = std::min(taken.count + 1, as_many_as_are_kept);
  const double average = taken.others.value_or(*others_);
  taken.others = average + (*others_ - average) / taken.count;
}

std::optional<std::string> StageHistory::next_run(const Model& model, std::uint64_t scene) {
  for (const StageRow& row : model.stages) {
    if (row.warm_up != WarmUp::to_come) continue;
    const StageResult& result = *row.result;
    // One at a time; and not again where one brought nothing.
    AskedRun now{scene, result.name, result.variant, result.milliseconds.size()};
    if (now == warming_) return std::nullopt;
    warming_ = std::move(now);
    return result.name;
  }
  return std::nullopt;
}

}  // namespace warpview
