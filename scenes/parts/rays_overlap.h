// How much the boxes of the scene of rays overlap its triangles, where that is asked for.
#pragma once

#include <vector>

#include "gpu/timeline/timeline.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

class RaysOverlap {
 public:
  // Adds the stage `overlap`. `tree` and `leaves`, which are in the order of its leaves, outlive
  // it.
  RaysOverlap(Timeline& timeline, const Tree& tree, const Buffer<LeafTriangle>& leaves);

  StageId stage() const { return stage_; }
  Fact fact() const;
  // Against a sequential measurement; sums are in any order, of clipped areas.
  Check verify(const Tree::Snapshot& tree, const std::vector<LeafTriangle>& leaves) const;

 private:
  StageId stage_{};
  Buffer<TreeOverlap> found_;
  ReadBack<TreeOverlap> read_;
};

}  // namespace warpview
