// Tests for NaN and infinity, for host code.
#pragma once

#include <cmath>

#include "gpu/runtime/vec.h"

namespace warpview {

// Is each coordinate a finite number?
inline bool is_finite(Vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace warpview
