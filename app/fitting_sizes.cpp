#include "app/fitting_sizes.h"

#include <algorithm>
#include <cmath>

namespace warpview {

void FittingSizes::look_at(std::uint64_t scene) {
  scene_ = scene;
  pictures_ = 0;
  fastest_ms_ = std::numeric_limits<double>::infinity();
}

std::optional<double> FittingSizes::after_picture(std::uint64_t scene, const Control& control,
                                                  double value, double ms, double allowed_ms) {
  if (scene != scene_) look_at(scene);
  if (first_ && value != set_) done_ = true;
  if (done_ || (!first_ && value != control.initial) || pictures_ >= looked_at) return {};
  fastest_ms_ = std::min(fastest_ms_, ms);
  if (++pictures_ < looked_at || !(fastest_ms_ > allowed_ms)) return {};
  double fitting = value * allowed_ms / fastest_ms_;
  if (first_) {
    const double ms_of_item = (first_->ms - fastest_ms_) / (first_->items - value);
    if (ms_of_item > 0.0) fitting = value - (fastest_ms_ - allowed_ms) / ms_of_item;
  }
  const double hundreds = 100.0 * std::round(fitting / 100.0);
  set_ = std::max(hundreds, control.fewest);
  done_ = first_ || set_ >= value;
  if (set_ >= value) return {};
  first_ = {value, fastest_ms_};
  look_at(scene);
  return set_;
}

}  // namespace warpview
