// How much the boxes of a tree overlap triangles that are not below them, where that is asked for.
#pragma once

#include <string>
#include <vector>

#include "gpu/timeline/timeline.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

class RaysOverlap {
 public:
  // Adds the stage `overlap`, its name with `prefix` before it. `tree` and `leaves`, which are in
  // the order of its leaves, outlive it.
  RaysOverlap(Timeline& timeline, const Tree& tree, const Buffer<LeafTriangle>& leaves,
              const std::string& prefix = "");

  StageId stage() const { return stage_; }
  // A fact of this group.
  Fact fact(const std::string& group = "bvh") const;
  // Against a sequential measurement; sums are in any order, of clipped areas.
  Check verify(const Tree::Snapshot& tree, const std::vector<LeafTriangle>& leaves) const;

 private:
  std::string prefix_;
  StageId stage_{};
  Buffer<TreeOverlap> found_;
  ReadBack<TreeOverlap> read_;
};

}  // namespace warpview
