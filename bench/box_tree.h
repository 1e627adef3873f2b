// A BVH of boxes as a whole: bounds, Morton codes, sort, topology and boxes of the nodes, queued as
// one library call would queue it. The boxes are those that other builders are timed with: boxes of
// small triangles, one corner anywhere in the unit cube and the others within n^(-1/3) / 2 of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/operators/bounds.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::bench {

class BoxTree {
 public:
  // Where `builder` does not fit, the default refit follows. All else is done by defaults.
  BoxTree(Device& device, Stream& stream, std::uint32_t n, VariantId builder);

  void run();  // queues only
  // The work that run() queues, as one graph to launch.
  std::unique_ptr<Graph> captured();
  // How the tree differs from that of the boxes, after one run over overwritten output; empty if it
  // does not.
  std::string difference();

  // The fewest bytes that the stages need.
  double least_bytes() const;

 private:
  Bvh bvh() const;

  Device& device_;
  Stream& stream_;
  VariantId builder_;
  std::vector<Aabb> host_boxes_;
  Buffer<Aabb> boxes_;
  Buffer<std::uint32_t> count_, codes_, sorted_codes_, primitives_, parent_, root_;
  Buffer<SceneBounds> bounds_;
  Buffer<BvhNode> nodes_;
  ScratchMemory scratch_;
};

}  // namespace warpview::bench
