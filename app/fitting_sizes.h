// Fewer items where pictures are slow, as by software OpenGL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenes/controls.h"

namespace warpview {

// A scene that begins with its usual number of items is looked at for its first coarse pictures.
// Where their median took too long, a smaller number follows: what would take `allowed_ms`
// if time were proportional to it. Where that is too many still, as pictures cost time without any
// item, a second number follows from the line through both measurements. No number is below
// Control::fewest. Where the user has taken a number back, scenes begin as usual from then on.
class FittingSizes {
 public:
  static constexpr std::size_t looked_at = 5;  // pictures of each number: the first compile shaders

  // Another picture of this scene, by its number, came `ms` after the one before. The number of
  // items to set now; none: it stays.
  std::optional<double> after_picture(std::uint64_t scene, const Control& control, double value,
                                      double ms, double allowed_ms);
  // Is the number that was returned last the second one?
  bool is_second() const { return done_; }

 private:
  struct Measured {
    double items, ms;
  };
  void look_at(std::uint64_t scene);

  std::uint64_t scene_ = 0;
  std::optional<Measured> first_;  // of the usual number, where another has followed
  double set_ = 0.0;               // that followed
  bool done_ = false;              // no number follows any more
  std::vector<double> ms_;         // of the pictures that were looked at
};

}  // namespace warpview
