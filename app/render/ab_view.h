// A and B in one picture: A is a picture's contents that were kept, B the scene as it is now. Both
// are seen by one camera.
#pragma once

#include <algorithm>
#include <cmath>

namespace warpview {

struct AbView {
  enum class Mode {
    only_b,
    divided,     // A at the left of the divider, B at its right
    difference,  // of each pixel's colours, absolute and amplified
    only_a
  };
  static constexpr int most_gain = 64;

  Mode mode = Mode::only_b;
  float divider = 0.5F;  // share of the width at its left, 0 to 1
  bool swapped = false;  // A at its right
  int gain = 8;          // the difference is amplified by this factor, 1 to most_gain

  bool shows_a() const { return mode != Mode::only_b; }
  // Pixels at the left of the divider, of a picture of this width.
  int divided_at(int width) const {
    const float share = std::clamp(divider, 0.0F, 1.0F);
    return static_cast<int>(std::lround(share * static_cast<float>(width)));
  }
  // Is A there, so far from the left of the picture: 0 to 1?
  bool is_of_a(float right) const {
    return mode == Mode::only_a || (mode == Mode::divided && (right < divider) != swapped);
  }
  bool operator==(const AbView&) const = default;
};

}  // namespace warpview
