#include "app/fitting_sizes.h"

#include <algorithm>
#include <cmath>

namespace warpview {

std::optional<double> FittingSizes::after_picture(std::uint64_t scene, const Control& control,
                                                  double value, double ms, double allowed_ms) {
  if (scene != scene_) {
    const bool done = done_;
    *this = {};
    done_ = done;
    scene_ = scene;
  }
  if (done_ || value != control.initial || pictures_ >= looked_at) return {};
  fastest_ms_ = std::min(fastest_ms_, ms);
  if (++pictures_ < looked_at || !(fastest_ms_ > allowed_ms)) return {};
  done_ = true;
  const double fitting = control.initial * allowed_ms / fastest_ms_;
  const double hundreds = 100.0 * std::round(fitting / 100.0);
  return std::clamp(hundreds, control.fewest, control.initial);
}

}  // namespace warpview
