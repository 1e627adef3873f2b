// A BVH over sorted Morton codes: topology and boxes in one bottom-up pass.
//
//   C. Apetrei, Fast and Simple Agglomerative LBVH Construction, 2014.
//
// The tree is Karras' (the binary radix tree of the keys), but no node searches for its range. A
// node that covers the keys [first, last] is a left child if key `last` shares a longer prefix with
// its right neighbour than key `first` does with its left one, otherwise a right child. A finished
// node thus knows its parent, whose index is its split: the last key of its left child. One thread
// starts at every leaf. Of the two that reach a parent, the first stores its result and ends, and
// the second goes on as the parent.
#include <algorithm>

#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/build/prefix.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// What the first thread at a parent leaves for the second, in one word, so that one exchange passes
// it: the outer end of its range (the inner one follows from the parent's index) and its node.
__device__ inline std::uint64_t pack_arrival(std::uint32_t outer_end, std::uint32_t node) {
  return std::uint64_t{outer_end} << 32U | node;
}
constexpr std::uint64_t no_arrival = ~std::uint64_t{0};  // no node has the index 2^32 - 1

// Thread i starts at leaf i. arrivals[capacity - 1] are all `no_arrival`.
//
// A node's box is written by one thread and read by another, in a block on another SM. The two
// fences make that safe, whatever caches lie between. The writer's fence orders its box before its
// arrival for every observer. The reader's keeps every load of the box from being served from
// before the arrival, by reordering or from a stale line in its L1 (on cuda and hip the fence
// invalidates those). After it, ordinary 16-byte loads are enough. The links and parents are read
// only by later kernels and need no fence.
template <class Code>
__global__ void apetrei_kernel(const Code* __restrict__ codes,
                               const std::uint32_t* __restrict__ primitives,
                               const std::uint32_t* __restrict__ count,
                               const Aabb* __restrict__ boxes, Bvh bvh, std::uint64_t* arrivals) {
  const std::uint32_t n = *count;
  const std::uint32_t i = global_thread();
  if (n == 0 && i == 0) *bvh.root = Bvh::no_node;
  if (i >= n) return;

  std::uint32_t first = i;
  std::uint32_t last = i;
  std::uint32_t node = bvh.first_leaf() + i;
  Aabb box = boxes[primitives[i]].with_positive_zeros();
  bvh.nodes[node] = {box.min, primitives[i], box.max, BvhNode::leaf_mark};

  while (first != 0 || last != n - 1) {
    const bool is_left =
        first == 0 || (last != n - 1 && bvh::common_prefix(codes, last, last + 1) >
                                            bvh::common_prefix(codes, first - 1, first));
    const std::uint32_t parent = is_left ? last : first - 1;
    bvh.parent[node] = parent;

    __threadfence();  // release: my box before my arrival
    const std::uint64_t before =
        atomicExch(&arrivals[parent], pack_arrival(is_left ? first : last, node));
    if (before == no_arrival) return;
    __threadfence();  // acquire: the sibling's box after its arrival

    const auto sibling = static_cast<std::uint32_t>(before);
    const auto outer_end = static_cast<std::uint32_t>(before >> 32U);
    if (is_left)
      last = outer_end;
    else
      first = outer_end;
    box = merge(box, bvh.nodes[sibling].box());
    bvh.nodes[parent] = {box.min, is_left ? node : sibling, box.max, is_left ? sibling : node};
    node = parent;
  }
  // Exactly one thread ends up covering all keys.
  bvh.parent[node] = Bvh::no_node;
  *bvh.root = node;
}

}  // namespace

void build_apetrei(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  // At least one thread, which writes the root of an empty tree.
  const std::uint32_t threads = std::max(args.bvh.capacity, 1U);
  auto* arrivals = scratch.take<std::uint64_t>(threads, "arrivals");
  if (scratch.measuring()) return;

  stream.fill(arrivals, 0xff, threads * sizeof(std::uint64_t));
  bvh::with_codes(args, [&]<class Code>(const Code* codes) {
    launch(stream, KERNEL(apetrei_kernel<Code>), one_thread_each(threads), codes, args.primitives,
           args.count, args.boxes, args.bvh, arrivals);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
