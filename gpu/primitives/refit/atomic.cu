// Boxes of a built tree, bottom-up, without levels.
//
//   T. Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012
//   (the parallel reduction that fits the boxes).
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bottom-up traversal.
//
// A thread starts at every leaf and climbs. One counter per node tells it whether it is the first
// or the second to arrive from below. The first ends there; the second finds both children
// finished, merges their boxes and climbs on. Each node is thus made once, as early as possible, in
// one launch. The values need not be boxes: see values.h.
#include "gpu/primitives/refit/climb.h"
#include "gpu/primitives/refit/values.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Thread i starts at leaf i. Links and parents were written by an earlier kernel.
template <class Values>
__global__ void refit_atomic_kernel(const std::uint32_t* __restrict__ count,
                                    const Aabb* __restrict__ boxes, Bvh bvh, Values values,
                                    std::uint32_t* arrived) {
  const std::uint32_t i = global_thread();
  if (i >= *count) return;

  std::uint32_t node = bvh.first_leaf() + i;
  const std::uint32_t primitive = bvh.nodes[node].left;
  auto value = values.put_leaf(node, primitive, boxes[primitive]);

  for (std::uint32_t child = node; refit::climb(bvh, node, arrived); child = node) {
    const std::uint32_t left = bvh.nodes[node].left;
    const std::uint32_t right = bvh.nodes[node].right;
    value = values.put(node, left, right, value, values.of(child == left ? right : left));
  }
}

}  // namespace

void refit_atomic(Stream& stream, const RefitArgs& args, Scratch& scratch) {
  if (args.bvh.capacity == 0) return;
  auto* arrived = scratch.take<std::uint32_t>(args.bvh.capacity, "arrived");
  if (scratch.measuring()) return;

  stream.fill(arrived, 0, args.bvh.capacity * sizeof(std::uint32_t));
  refit::with_values(args, [&](auto values) {
    launch(stream, KERNEL(refit_atomic_kernel<decltype(values)>),
           one_thread_each(args.bvh.capacity), args.count, args.boxes, args.bvh, values, arrived);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
