#include "app/warm_up.h"

namespace warpview {

WarmUp warm_up_of(const Model& model, const StageRow& row) {
  const StageResult& result = row.result;
  if (!result.has_times() || !result.done_by.empty() || !result.repeatable || row.every_frame ||
      result.milliseconds.size() >= enough_warm_runs)
    return WarmUp::none;
  if (model.results.moving) return WarmUp::moves;
  const double longest = result.is_cold() ? longest_cold_run_ms : longest_warm_run_ms;
  return result.least_ms > longest ? WarmUp::too_slow : WarmUp::to_come;
}

}  // namespace warpview
