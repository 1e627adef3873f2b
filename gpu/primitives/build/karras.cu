// A BVH over sorted Morton codes, all inner nodes in parallel.
//
//   T. Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012.
//
// The tree is the binary radix tree of the codes: a node covers a range of keys with a common
// prefix and splits where the first bit after it changes from 0 to 1. Karras' numbering makes the
// nodes independent: inner node i is the one whose range begins or ends at key i. A thread finds
// its node's range and split by binary search in the codes alone, without communication.
#include <algorithm>

#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/build/prefix.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Thread i makes leaf i and inner node i. Numbers are signed, because searches run in both
// directions and step over the ends; they suffice for 2^30 primitives. A node is written as a
// whole, with the empty box, because two 16-byte stores cost less than patching its links.
template <class Code>
__global__ void karras_kernel(const Code* __restrict__ codes,
                              const std::uint32_t* __restrict__ primitives,
                              const std::uint32_t* __restrict__ count, Bvh bvh) {
  const int n = static_cast<int>(*count);
  const int i = static_cast<int>(global_thread());
  const int first_leaf = static_cast<int>(bvh.first_leaf());
  constexpr Aabb no_box = Aabb::empty();

  if (i == 0) {
    // Node 0 begins at key 0 and ends at the last key: the root.
    const std::uint32_t root = n == 0 ? Bvh::no_node : n == 1 ? bvh.first_leaf() : 0;
    *bvh.root = root;
    if (root != Bvh::no_node) bvh.parent[root] = Bvh::no_node;
  }
  if (i < n)
    bvh.nodes[first_leaf + i] = {no_box.min, primitives[i], no_box.max, BvhNode::leaf_mark};
  if (i >= n - 1) return;

  // Length of the common prefix of keys i and j; -1 for keys past the ends.
  const auto shared_prefix = [=](int j) {
    if (j < 0 || j >= n) return -1;
    return bvh::common_prefix(codes, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  };

  // The node lies on the side of the neighbour that shares the longer prefix with key i. All its
  // keys share more with key i than `outside`, the prefix shared with the neighbour on the other
  // side.
  const int direction = shared_prefix(i + 1) > shared_prefix(i - 1) ? 1 : -1;
  const int outside = shared_prefix(i - direction);

  // Its other end: double the reach until it is too far, then halve the steps.
  int reach = 2;
  while (shared_prefix(i + reach * direction) > outside) reach *= 2;
  int length = 0;
  for (int step = reach / 2; step > 0; step /= 2)
    if (shared_prefix(i + (length + step) * direction) > outside) length += step;
  const int end = i + length * direction;

  // The split: the farthest key that shares more with key i than the whole node does.
  const int node_prefix = shared_prefix(end);
  int same_side = 0;
  for (int step = length; step > 1;) {
    step = ceil_div(step, 2);
    if (shared_prefix(i + (same_side + step) * direction) > node_prefix) same_side += step;
  }
  // Left child: [first, split]; right child: [split + 1, last].
  const int first = direction > 0 ? i : end;
  const int last = direction > 0 ? end : i;
  const int split = direction > 0 ? i + same_side : i - same_side - 1;

  const auto left = static_cast<std::uint32_t>(first == split ? first_leaf + split : split);
  const auto right =
      static_cast<std::uint32_t>(last == split + 1 ? first_leaf + split + 1 : split + 1);
  bvh.nodes[i] = {no_box.min, left, no_box.max, right};
  bvh.parent[left] = static_cast<std::uint32_t>(i);
  bvh.parent[right] = static_cast<std::uint32_t>(i);
}

}  // namespace

void build_karras(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;  // needs none
  // At least one thread, which writes the root of an empty tree.
  const Shape shape = one_thread_each(std::max(args.bvh.capacity, 1U));
  bvh::with_codes(args, [&]<class Code>(const Code* codes) {
    launch(stream, KERNEL(karras_kernel<Code>), shape, codes, args.primitives, args.count,
           args.bvh);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
