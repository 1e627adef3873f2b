// Binary nodes become wide ones, top-down in one launch: the waterfall of gpu/primitives/build/
// waterfall.cu, whose slots are the wide nodes.
//
// The thread of slot w makes wide node w. It waits until the node's parent has put the binary node
// there, opens it (Opened), takes places for the wide nodes and the triangles below it from two
// counters, and puts its inner children into their slots.
//
// Why it terminates: a parent takes its children's slots after it has its own, and blocks take
// slots in the order in which they start (a ticket). A waiting thread waits for a thread that has
// started.
//
// Why no fence is needed: a slot's word is all that a thread waits for, and it carries its own
// data. The tree and the leaves are only read. And the number of wide nodes, which is known at the
// end alone, is not asked for: below a wide node that is still to be made lie triangles without a
// place. Once all triangles have places, no waiting slot will be filled.
#pragma once

#include <algorithm>

#include "gpu/block/ticket.h"
#include "gpu/operators/load_whole.h"
#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::collapse {

inline constexpr unsigned threads = tile_extent(128, 64);
inline constexpr std::uint32_t not_ready = 0xffffffffU;  // no node has this index

struct Counters {
  std::uint32_t blocks;     // that have their slots
  std::uint32_t nodes;      // wide nodes that have a slot
  std::uint32_t triangles;  // that have a place
};

// The waterfall: a slot for each wide node that there may be, and the counters.
struct Queue {
  std::uint32_t* slots;
  Counters* counters;
  std::uint32_t capacity;  // slots

  static Queue take(Scratch& scratch, std::uint32_t triangles) {
    const std::uint32_t capacity = WideTree::node_capacity(triangles);
    return {scratch.take<std::uint32_t>(capacity, "slots"), scratch.take<Counters>(1, "counters"),
            capacity};
  }
  // No slot is ready, and all counters are 0.
  void clear(Stream& stream) const {
    stream.fill(slots, 0xff, capacity * sizeof(std::uint32_t));
    stream.fill(counters, 0, sizeof(Counters));
  }
  Shape shape() const { return one_thread_each(capacity, threads); }
};

// How many triangles a binary node has, if it is to be a leaf of the wide tree; else 0.
__device__ inline unsigned leaf_triangles(const Bvh& bvh, const BvhNode& node) {
  if (node.is_leaf()) return 1;
  const BvhNode left = load_whole(bvh.nodes + node.left);
  const BvhNode right = load_whole(bvh.nodes + node.right);
  if (left.is_leaf() && right.is_leaf()) return 2;
  if (!left.is_leaf() && !right.is_leaf()) return 0;
  const BvhNode& inner = left.is_leaf() ? right : left;
  const bool has_two =
      load_whole(bvh.nodes + inner.left).is_leaf() && load_whole(bvh.nodes + inner.right).is_leaf();
  return has_two ? 3 : 0;
}

// The binary nodes that become the children of a wide node. Each is loaded once. The compiler knows
// every index into the arrays, so they stay in registers.
template <unsigned width>
struct Opened {
  std::uint32_t indices[width] = {};
  BvhNode nodes[width] = {};
  float areas[width] = {};  // of inner nodes; -1 of leaves, which cannot be opened
  unsigned count = 0;

  __device__ void put(unsigned place, std::uint32_t index, const BvhNode& node) {
    const float area = node.is_leaf() ? -1.0F : node.box().finite_half_area();
    UNROLL
    for (unsigned i = 0; i < width; ++i) {
      if (i != place) continue;
      indices[i] = index;
      nodes[i] = node;
      areas[i] = area;
    }
  }

  // Opens the largest of its inner nodes, of equal ones the first. False: there is none.
  __device__ bool open_largest(const Bvh& bvh) {
    float largest = -1.0F;
    unsigned place = width;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    UNROLL
    for (unsigned i = 0; i < width; ++i) {
      if (i >= count || !(areas[i] > largest)) continue;
      largest = areas[i];
      place = i;
      left = nodes[i].left;
      right = nodes[i].right;
    }
    if (place == width) return false;
    const BvhNode left_node = load_whole(bvh.nodes + left);
    const BvhNode right_node = load_whole(bvh.nodes + right);
    put(place, left, left_node);
    put(count, right, right_node);
    ++count;
    return true;
  }

  __device__ void open(const Bvh& bvh, std::uint32_t index) {
    put(0, index, load_whole(bvh.nodes + index));
    count = 1;
    while (count < width && open_largest(bvh)) {
    }
  }
};

// A child of a wide node.
struct Child {
  Aabb box;
  std::uint32_t triangles;  // 0: it is an inner node
  std::uint32_t first;      // its number among the inner children; or its first triangle's place
};

// Copies the triangles of a leaf of the wide tree to `to` and behind it.
__device__ inline void copy_triangles(const CollapseArgs& args, std::uint32_t node,
                                      std::uint32_t to) {
  // At most three leaves, two levels down: the path to each is found from the node again.
  std::uint32_t pending = not_ready;
  for (std::uint32_t at = node;;) {
    const BvhNode here = load_whole(args.bvh.nodes + at);
    if (here.is_leaf()) {
      args.out.triangles[to++] = load_whole(args.leaves + (at - args.bvh.first_leaf()));
      if (pending == not_ready) return;
      at = pending;
      pending = not_ready;
      continue;
    }
    // The child that is a leaf comes first: one pending node is enough.
    const bool left_is_leaf = load_whole(args.bvh.nodes + here.left).is_leaf();
    at = left_is_leaf ? here.left : here.right;
    pending = left_is_leaf ? here.right : here.left;
  }
}

// Makes the wide node of slot w from a binary node. Layout::arrange() gives children places within
// their node, and may number the inner ones anew; Layout::write() writes the node.
template <class Layout>
__device__ void make_node(const CollapseArgs& args, std::uint32_t w, std::uint32_t node,
                          const Queue& queue) {
  constexpr unsigned width = Layout::width;
  Opened<width> opened;
  opened.open(args.bvh, node);

  Child children[width];
  std::uint32_t triangles = 0;
  std::uint32_t inner = 0;
  UNROLL
  for (unsigned i = 0; i < width; ++i) {
    if (i >= opened.count) continue;
    const unsigned held = leaf_triangles(args.bvh, opened.nodes[i]);
    children[i] = {opened.nodes[i].box(), held, held > 0 ? triangles : inner};
    triangles += held;
    inner += held > 0 ? 0 : 1;
  }
  const auto places = Layout::arrange(children, opened.count);
  const std::uint32_t first_node = inner > 0 ? atomicAdd(&queue.counters->nodes, inner) : 0;
  const std::uint32_t first_triangle =
      triangles > 0 ? atomicAdd(&queue.counters->triangles, triangles) : 0;

  Layout::write(args.out, w, children, opened.count, places, first_node, first_triangle);
  UNROLL
  for (unsigned i = 0; i < width; ++i) {
    if (i >= opened.count) continue;
    if (children[i].triangles > 0)
      copy_triangles(args, opened.indices[i], first_triangle + children[i].first);
    else
      store_relaxed(&queue.slots[first_node + children[i].first], opened.indices[i]);
  }
}

// The queue was cleared; `ticket` is shared memory. The loop
// ends for the whole warp at a time, for the reason that gpu/primitives/build/waterfall.cu gives.
template <class Layout>
__device__ void make_tree(const CollapseArgs& args, const Queue& queue, std::uint32_t& ticket) {
  const std::uint32_t w =
      block::take_ticket(&queue.counters->blocks, ticket) * threads + threadIdx.x;
  const std::uint32_t n = *args.count;
  bool waits = n > 0 && w < WideTree::node_capacity(n);
  if (w == 0 && n > 0) {
    atomicAdd(&queue.counters->nodes, 1U);
    store_relaxed(&queue.slots[0], *args.bvh.root);
  }
  for (Spin spin; warp::any(warp::all_lanes(), waits);) {
    if (!waits) continue;
    const std::uint32_t node = load_relaxed(&queue.slots[w]);
    if (node != not_ready) {
      make_node<Layout>(args, w, node, queue);
      waits = false;
    } else if (load_relaxed(&queue.counters->triangles) == n) {
      waits = false;
    } else {
      spin.back_off();
    }
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::collapse
