// A few points that stand for the outline of many, from wherever it is seen.
#pragma once

#include <memory>
#include <vector>

#include "gpu/runtime/vec.h"

namespace warpview {

// Points of a scene around which no other point lies farther out by more than a hundredth of the
// scene's size. Null: the corners of its bounds have to do.
using Outline = std::shared_ptr<const std::vector<Vec3>>;

class OutlineFinder {
 public:
  OutlineFinder();

  void add(const Vec3& point);
  // Null where none was added.
  Outline found() const;

 private:
  struct Farthest {
    Vec3 direction{};
    Vec3 point{};
    float along = 0.0F;
  };
  std::vector<Farthest> farthest_;
  bool has_any_ = false;
};

}  // namespace warpview
