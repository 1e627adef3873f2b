#include "app/step_views/count_series.h"

#include <algorithm>

namespace warpview::step_views {

StepCounts CountSeries::before(const Playback& playback, std::size_t step) const {
  const auto end = static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) -
                                            steps_.begin());
  if (end == steps_.size()) return sum_;
  StepCounts sum = sums_[end / distance];
  for (std::size_t i = end / distance * distance; i < end; ++i)
    sum += counts_of(playback.recording(), playback.events_of(steps_[i]));
  return sum;
}

}  // namespace warpview::step_views
