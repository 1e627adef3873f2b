// A BVH of boxes, all in: bounds, Morton codes, sort, topology and boxes of the nodes, queued as
// one call of a library would. Boxes as other builders are timed by: of small triangles, a centre
// anywhere in the unit cube and the other corners within n^(-1/3) / 2 of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  // What run() queues, to be launched at once.
  std::unique_ptr<Graph> captured();
  // How the tree differs from that of the boxes, after one run over spoiled output; empty where it
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
