#include "app/warm_up.h"

namespace warpview {

WarmUp warm_up_of(const Model& model, const StageRow& row) {
  const StageResult& result = *row.result;
  if (!result.has_times() || !result.done_by.empty() || !result.repeatable || row.every_frame ||
      result.milliseconds.size() >= enough_warm_runs)
    return WarmUp::none;
  if (!result.repeats_alone) return WarmUp::changes;
  const auto fits = [&result](const LongestRun& longest) {
    return result.least_ms <= (result.is_cold() ? longest.cold_ms : longest.warm_ms);
  };
  if (!fits(longest_at_rest)) return WarmUp::too_slow;
  return model.moves() && !fits(longest_between_frames) ? WarmUp::waits : WarmUp::to_come;
}

}  // namespace warpview
