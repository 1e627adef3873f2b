// Counts up to any of many steps.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/recording/instructions.h"
#include "gpu/recording/playback.h"

namespace warpview::step_views {

// Keeps sums at regular distances, since a run may have as many steps as events.
class CountSeries {
 public:
  // Steps are added in order.
  void add(std::size_t step, const StepCounts& counts) {
    if (steps_.size() % distance == 0) sums_.push_back(sum_);
    steps_.push_back(static_cast<std::uint32_t>(step));
    sum_ += counts;
  }
  // Counts of the steps before `step`.
  StepCounts before(const Playback& playback, std::size_t step) const;

 private:
  static constexpr std::size_t distance = 32;
  std::vector<std::uint32_t> steps_;
  std::vector<StepCounts> sums_;  // before the steps at multiples of the distance
  StepCounts sum_;
};

}  // namespace warpview::step_views
