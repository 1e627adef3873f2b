// Boxes of a built tree, bottom-up, level by level.
//
// Unlike the climb of atomic.cu it needs neither counters at the nodes nor fences.
//
// All nodes of one depth can be merged in parallel once the level below them is finished, which the
// end of a launch guarantees:
//   1. depths   find every inner node's depth by walking up from it, and its place on its level;
//   2. place    list the inner nodes level by level: a counting sort by depth;
//   3. merge    for each level, deepest first, one launch over the nodes of that level.
//
// Compared with the climb by atomics (atomic.cu), it reads about depth times as many parents, moves
// 32 more bytes per primitive for the lists, and launches a kernel for every level that a tree of
// this capacity could have: the host does not know the number of levels, and waiting for it would
// prevent capture into a graph. Where the climb has one launch, this has 54 for the levels of 2^24
// leaves with codes of 30 bits, though most of them are empty, and small trees take nearly as long
// as large ones.
#include <algorithm>
#include <bit>

#include "gpu/block/scan.h"
#include "gpu/primitives/refit/values.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned threads = tile_extent(256, 128);

// The most levels of inner nodes. All keys below a node share a prefix; a child's is at least one
// bit longer than its parent's, and only a leaf's is the whole key. There are thus no more levels
// than bits in which two keys can differ: the bits of the code and, where codes are equal, those of
// an index below the capacity. Each level has an inner node, of which there are capacity - 1.
std::uint32_t level_bound(std::uint32_t capacity, int code_bits) {
  const int bits = code_bits + std::bit_width(capacity - 1);
  return std::min(static_cast<std::uint32_t>(bits), capacity - 1);
}
constexpr unsigned max_levels = 64 + 32;

// An inner node's place in the lists.
struct Place {
  std::uint32_t node;  // or Bvh::no_node
  std::uint32_t level;
  std::uint32_t rank;  // on its level
};

// Thread i fits leaf i and places one inner node: the lowest one that has leaf i in its right
// subtree. Every inner node belongs to exactly one leaf, the first of its right subtree, and only
// the very first leaf has none. This finds each node once, whatever the builder's numbering.
// counts[max_levels] start at 0 and become the sizes of the levels. A block takes its ranks on a
// level together.
template <class Values>
__global__ void __launch_bounds__(threads)
    depths_kernel(const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes, Bvh bvh,
                  Values values, Place* __restrict__ places, std::uint32_t* counts) {
  __shared__ std::uint32_t counts_here[max_levels];
  __shared__ std::uint32_t ranks_here[max_levels];
  if (threadIdx.x < max_levels) counts_here[threadIdx.x] = 0;
  __syncthreads();

  const std::uint32_t i = global_thread();
  const bool exists = i < *count;
  Place place{Bvh::no_node, 0, 0};
  if (exists) {
    std::uint32_t below = bvh.first_leaf() + i;
    const std::uint32_t primitive = bvh.nodes[below].left;
    values.put_leaf(below, primitive, boxes[primitive]);

    for (std::uint32_t node = bvh.parent[below]; node != Bvh::no_node; node = bvh.parent[node]) {
      if (place.node != Bvh::no_node)
        ++place.level;
      else if (bvh.nodes[node].right == below)
        place.node = node;
      below = node;
    }
  }
  if (place.node != Bvh::no_node) place.rank = atomicAdd(&counts_here[place.level], 1U);
  __syncthreads();
  if (threadIdx.x < max_levels && counts_here[threadIdx.x] > 0)
    ranks_here[threadIdx.x] = atomicAdd(&counts[threadIdx.x], counts_here[threadIdx.x]);
  __syncthreads();
  if (place.node != Bvh::no_node) place.rank += ranks_here[place.level];
  if (exists) places[i] = place;
}

// Lists the nodes: level l is list[begins[l], begins[l + 1]). Every block sums the counts for
// itself, which is faster than a separate launch.
__global__ void __launch_bounds__(threads)
    place_kernel(const std::uint32_t* __restrict__ count, const Place* __restrict__ places,
                 const std::uint32_t* __restrict__ counts, std::uint32_t* begins,
                 std::uint32_t* __restrict__ list) {
  static_assert(max_levels < threads);
  __shared__ block::SumStorage<threads> storage;
  __shared__ std::uint32_t begins_here[max_levels + 1];
  const std::uint32_t begin =
      block::exclusive_sum(threadIdx.x < max_levels ? counts[threadIdx.x] : 0U, storage).before;
  if (threadIdx.x <= max_levels) {
    begins_here[threadIdx.x] = begin;
    if (blockIdx.x == 0) begins[threadIdx.x] = begin;
  }
  __syncthreads();
  const std::uint32_t i = global_thread();
  if (i >= *count) return;
  const Place place = places[i];
  if (place.node != Bvh::no_node) list[begins_here[place.level] + place.rank] = place.node;
}

// Merges the children of the nodes of one level; the levels below are finished. Works with any
// number of threads; on an empty level all exit at once.
template <class Values>
__global__ void __launch_bounds__(threads)
    merge_kernel(const std::uint32_t* __restrict__ list, const std::uint32_t* __restrict__ begins,
                 std::uint32_t level, Bvh bvh, Values values) {
  const std::uint32_t end = begins[level + 1];
  const std::uint32_t stride = gridDim.x * threads;
  for (std::uint32_t at = begins[level] + global_thread(); at < end; at += stride) {
    const std::uint32_t node = list[at];
    const std::uint32_t left = bvh.nodes[node].left;
    const std::uint32_t right = bvh.nodes[node].right;
    values.put(node, left, right, values.of(left), values.of(right));
  }
}

}  // namespace

void refit_levels(Stream& stream, const RefitArgs& args, Scratch& scratch) {
  const std::uint32_t capacity = args.bvh.capacity;
  if (capacity == 0) return;
  auto* places = scratch.take<Place>(capacity, "places");
  auto* list = scratch.take<std::uint32_t>(capacity, "list");
  auto* counts = scratch.take<std::uint32_t>(max_levels, "counts");
  auto* begins = scratch.take<std::uint32_t>(max_levels + 1, "begins");
  if (scratch.measuring()) return;

  refit::with_values(args, [&](auto values) {
    using Values = decltype(values);
    stream.fill(counts, 0, max_levels * sizeof(std::uint32_t));
    launch(stream, KERNEL(depths_kernel<Values>), one_thread_each(capacity, threads), args.count,
           args.boxes, args.bvh, values, places, counts);
    launch(stream, KERNEL(place_kernel), one_thread_each(capacity, threads), args.count, places,
           counts, begins, list);

    // Level l has at most 2^l nodes, and never more than half as many as there are leaves, because
    // each has two leaves of its own. The grid is at most what is resident, with a grid-stride
    // loop.
    const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
    for (std::uint32_t level = level_bound(capacity, args.code_bits); level-- > 0;) {
      const std::uint32_t most = std::min(1U << std::min(level, 30U), capacity / 2);
      launch(stream, KERNEL(merge_kernel<Values>),
             Shape(std::min(ceil_div(most, threads), resident), threads), list, begins, level,
             args.bvh, values);
    }
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
