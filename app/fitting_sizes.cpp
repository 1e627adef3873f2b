#include "app/fitting_sizes.h"

#include <algorithm>
#include <cmath>

#include "gpu/runtime/statistics.h"

namespace warpview {

void FittingSizes::look_at(std::uint64_t scene) {
  scene_ = scene;
  ms_.clear();
}

std::optional<double> FittingSizes::after_picture(std::uint64_t scene, const Control& control,
                                                  double value, double ms, double allowed_ms) {
  if (scene != scene_) look_at(scene);
  if (first_ && value != set_) done_ = true;
  if (done_ || (!first_ && value != control.initial) || ms_.size() == looked_at) return {};
  ms_.push_back(ms);
  if (ms_.size() < looked_at) return {};
  const double median_ms = median(ms_);
  if (!(median_ms > allowed_ms)) return {};
  double fitting = value * allowed_ms / median_ms;
  if (first_) {
    const double ms_of_item = (first_->ms - median_ms) / (first_->items - value);
    if (ms_of_item > 0.0) fitting = value - (median_ms - allowed_ms) / ms_of_item;
  }
  const double hundreds = 100.0 * std::round(fitting / 100.0);
  set_ = std::max(hundreds, control.fewest);
  done_ = first_ || set_ >= value;
  if (set_ >= value) return {};
  first_ = {value, median_ms};
  look_at(scene);
  return set_;
}

}  // namespace warpview
