#include "app/pinned_times.h"

#include <algorithm>

namespace warpview {
namespace {

bool is_unchanged(const Model& model, const PinnedRun& a) {
  return model.results->scene == a.scene && model.controls == a.controls &&
         model.choices().shown == a.shown && model.show == a.show &&
         std::all_of(model.stages.begin(), model.stages.end(), [&a](const StageRow& row) {
           const VariantTimes* const of_a = a.stage(row.result->name);
           return of_a == nullptr || !of_a->variant || of_a->variant == row.variant;
         });
}

}  // namespace

void take_times_of_pinned(Model& model) {
  if (!model.pinned || !model.pinned->takes_times) return;
  PinnedRun& a = *model.pinned;
  a.takes_times = is_unchanged(model, a);
  if (!a.takes_times) return;
  for (const StageRow& row : model.stages) {
    VariantTimes& of_a = a.stages[row.result->name];
    VariantTimes now = row.times();
    const bool has_more = warm_runs(now) > warm_runs(of_a) ||
                          (of_a.milliseconds.empty() && !now.milliseconds.empty());
    if (has_more && row.result->variant == row.variant) of_a = std::move(now);
  }
  const std::vector<float>& wholes = model.results->frame_parts.last_wholes;
  if (model.moves() && wholes.size() > a.frames_ms.size())
    a.frames_ms = {wholes.begin(), wholes.end()};
}

}  // namespace warpview
