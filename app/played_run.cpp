#include "app/played_run.h"

#include <algorithm>
#include <utility>

namespace warpview {
namespace {

// Do both events do the same? Arrays of two runs are compared by their names.
bool is_same(const Recording& a, const RecordedEvent& x, const Recording& b,
             const RecordedEvent& y) {
  if (x.kind != y.kind || x.block != y.block || x.thread != y.thread || x.offset != y.offset ||
      x.bytes != y.bytes || x.value != y.value || x.other != y.other)
    return false;
  if (is_access(x.kind)) return a.arrays[x.subject].name == b.arrays[y.subject].name;
  if (x.kind != EventKind::launch) return true;
  const RecordedLaunch& first = a.launches[x.subject];
  const RecordedLaunch& second = b.launches[y.subject];
  return first.blocks() == second.blocks() && first.threads() == second.threads();
}

}  // namespace

PlayedRun::PlayedRun(const std::shared_ptr<const Recording>& recording) : playback(recording) {
  for (const StepViewRow& row : all_step_views())
    if (row.is_for(*recording)) views.push_back({&row, row.make(recording)});
  for (const Landmark landmark : {Landmark::barrier, Landmark::publish, Landmark::conflict,
                                  Landmark::divergence, Landmark::launch})
    landmarks[static_cast<std::size_t>(landmark)] = playback.find_all(landmark);
}

std::optional<std::size_t> first_difference(const PlayedRun& a, const PlayedRun& b) {
  const Recording& first = a.recording();
  const Recording& second = b.recording();
  const auto [x, y] = std::mismatch(
      first.events.begin(), first.events.end(), second.events.begin(), second.events.end(),
      [&](const RecordedEvent& i, const RecordedEvent& j) { return is_same(first, i, second, j); });
  if (x == first.events.end() && y == second.events.end()) return {};
  // A run that ends earlier differs behind its last step.
  const auto step = [](const PlayedRun& run, std::size_t event) {
    return event < run.recording().events.size() ? run.playback.step_of(event)
                                                 : run.playback.steps();
  };
  return std::min(step(a, static_cast<std::size_t>(x - first.events.begin())),
                  step(b, static_cast<std::size_t>(y - second.events.begin()))) +
         1;
}

}  // namespace warpview
