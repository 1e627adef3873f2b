// The values that a refit computes: where a node's value is stored, and how it follows from its
// children's.
#pragma once

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/scratch.h"

namespace warpview::WARPVIEW_BACKEND::refit {

// The boxes, in the nodes themselves.
struct Boxes {
  Bvh bvh;

  // The box of a primitive's leaf.
  __device__ Aabb put_leaf(std::uint32_t node, std::uint32_t primitive, const Aabb& of) const {
    const Aabb box = of.with_positive_zeros();
    bvh.nodes[node] = {box.min, primitive, box.max, BvhNode::leaf_mark};
    return box;
  }
  __device__ Aabb of(std::uint32_t node) const { return bvh.nodes[node].box(); }
  // The box of an inner node, from its children's. It rewrites the links unchanged: two whole
  // 16-byte stores.
  __device__ Aabb put(std::uint32_t node, std::uint32_t left, std::uint32_t right, const Aabb& a,
                      const Aabb& b) const {
    const Aabb box = merge(a, b);
    bvh.nodes[node] = {box.min, left, box.max, right};
    return box;
  }
};

// Number and area of a subtree's primitives, in a separate array. A sum of two is the same in
// either order of the children.
struct Totals {
  NodeTotals* totals;

  __device__ NodeTotals put_leaf(std::uint32_t node, std::uint32_t /*primitive*/,
                                 const Aabb& box) const {
    return totals[node] = {1, box.half_area()};
  }
  __device__ NodeTotals of(std::uint32_t node) const { return totals[node]; }
  __device__ NodeTotals put(std::uint32_t node, std::uint32_t /*left*/, std::uint32_t /*right*/,
                            const NodeTotals& a, const NodeTotals& b) const {
    return totals[node] = {a.primitives + b.primitives, a.half_area + b.half_area};
  }
};

// Calls refit(values) with the kind of values that the arguments request.
template <class Refit>
void with_values(const RefitArgs& args, Refit refit) {
  if (args.totals)
    refit(Totals{args.totals});
  else
    refit(Boxes{args.bvh});
}

}  // namespace warpview::WARPVIEW_BACKEND::refit
