// Axis-aligned bounds by parallel reduction.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

class Stream;
class Workspace;

struct SceneBounds {
  Aabb points;   // union of the boxes: the bounds of every point in them
  Aabb centres;  // bounds of the boxes' centres, the domain of the Morton codes
};

// Reduces n boxes (a point is a box with min == max) to the union of the boxes and the bounds of
// their centres. Empty boxes are skipped; with none left both results are empty.
// min and max are exact, so every variant gives the same bits in any order.
struct BoundsArgs {
  const Aabb* boxes = nullptr;
  std::uint32_t n = 0;
  SceneBounds* out = nullptr;  // device memory, one element
};

using BoundsFunction = void(Stream&, const BoundsArgs&, Workspace&);

}  // namespace warpview
