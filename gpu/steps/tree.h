// Steps on a bounding volume hierarchy.
#pragma once

#include <cstdint>

#include "gpu/primitives/trace/trace.h"

namespace warpview {

// The result of `tree_statistics`, in device memory.
struct TreeStatistics {
  std::uint32_t inner_nodes;
  std::uint32_t max_depth;  // edges from the root to the deepest leaf; 0 for one leaf
  double sah_cost;          // sum over inner nodes of A(node)/A(root) + over leaves of A/A(root)
};

// Writes depth[node] of every node, and the statistics of the tree.
struct TreeStatisticsArgs {
  const std::uint32_t* count = nullptr;  // primitives, device memory
  Bvh bvh;
  std::uint32_t* depth = nullptr;  // [2 capacity - 1]
  TreeStatistics* out = nullptr;
};

// Copies the corners of each leaf's triangle to the leaf's place: what rays come to together then
// lies together, and a ray loads neither indices nor vertices.
struct LeafTrianglesArgs {
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  LeafTriangle* out = nullptr;  // [bvh.capacity]
};

// The result of `tree_overlap`, in device memory: areas.
struct TreeOverlap {
  double triangles;  // of all triangles
  double foreign;  // in boxes of nodes that they are not below: over all nodes, clipped to the box

  // End-point overlap: how many nodes, on average, a point of the surface lies in needlessly. A ray
  // that ends there visits them for nothing, which the SAH does not see.
  //   T. Aila, T. Karras, S. Laine, On Quality Metrics of Bounding Volume Hierarchies, 2013; each
  //   node costs 1 here, a leaf too.
  double epo() const { return triangles > 0.0 ? foreign / triangles : 0.0; }
};

// Clips each triangle to all boxes that it touches: where all triangles overlap, as often as the
// square of their number.
struct TreeOverlapArgs {
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;
  const LeafTriangle* leaves = nullptr;  // [bvh.capacity], as by leaf_triangles
  TreeOverlap* out = nullptr;
};

}  // namespace warpview
