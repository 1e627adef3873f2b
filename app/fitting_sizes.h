// Fewer items where pictures are slow, as by software OpenGL.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "scenes/controls.h"

namespace warpview {

// A scene that begins with its usual number of items is looked at for its first coarse pictures.
// Where the fastest of them took too long, a number follows that would have taken `allowed_ms`, if
// time grows with the number, but at least Control::fewest. It follows once: where the user has
// taken it back, the scene begins as usual from then on.
class FittingSizes {
 public:
  static constexpr int looked_at = 3;  // pictures: the first compile shaders

  // Another picture of this scene, by its number, came `ms` after the one before. The number of
  // items to set now; none: it stays.
  std::optional<double> after_picture(std::uint64_t scene, const Control& control, double value,
                                      double ms, double allowed_ms);

 private:
  std::uint64_t scene_ = 0;
  bool done_ = false;
  int pictures_ = 0;
  double fastest_ms_ = std::numeric_limits<double>::infinity();
};

}  // namespace warpview
