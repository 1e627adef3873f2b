// A BVH over sorted Morton codes, top-down in one launch: a waterfall.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Waterfall.
//   C. Lauterbach, M. Garland, S. Sengupta, D. Luebke, D. Manocha, Fast BVH Construction on GPUs,
//   2009 (the split of a range of codes, one launch per level).
//
// A node of the tree is a range of codes. Splitting it is simple: its codes share a prefix, and a
// binary search finds the first whose next bit is 1. But a node's range is known only when its
// parent has been split. With one launch per level the end of the launch guarantees that. Here one
// launch does all. Every node has a slot in a queue, and every slot has a thread, by the ticket of
// its block; the thread waits until the parent's thread has put the node there. The tree runs down
// the queue like water down a waterfall.
//
// The result is Karras' tree with Karras' numbering: an inner node's index is the end of its range
// at which its parent was cut. The order in which slots are handed out therefore does not show.
#include <algorithm>

#include "gpu/block/ticket.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/build/prefix.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned threads = tile_extent(256, 64);

// A node in its slot: its index, which is one end of its range, and the other end, in one word. A
// thread that reads it has everything it waited for, so neither side needs a fence.
using Slot = std::uint64_t;
constexpr Slot not_ready = ~Slot{0};  // no node has the index 2^32 - 1
__device__ inline Slot pack(std::uint32_t node, std::uint32_t other_end) {
  return Slot{node} << 32U | other_end;
}

// Returns the last key of the left part: the keys of the left part share more with key `first` than
// the whole range has in common.
template <class Code>
__device__ std::uint32_t split(const Code* codes, std::uint32_t first, std::uint32_t last) {
  const int shared = bvh::common_prefix(codes, first, last);
  std::uint32_t left = first;  // certainly in the left part
  std::uint32_t right = last;  // certainly in the right part
  while (right - left > 1) {
    const std::uint32_t middle = left + (right - left) / 2;
    if (bvh::common_prefix(codes, first, middle) > shared)
      left = middle;
    else
      right = middle;
  }
  return left;
}

// The thread of slot t makes leaf t and the inner node that is put into the slot; n keys have n - 1
// inner nodes. slots[capacity] are all `not_ready`. *taken and *filled start at 0; they count the
// blocks that have their slots, and the slots that have been promised to a node.
//
// Why it terminates: a node's slot lies before those of its children, because these are taken from
// `filled` after the node has its own. Blocks take slots in the order in which they start (a
// ticket). A waiting thread thus waits for a thread of a lower slot, which has started; the thread
// of the lowest waiting slot waits for no other.
//
// Why the loop ends for the whole warp: lanes wait for lanes of their own warp. Where these share
// an instruction pointer, `while (!ready) {} work()` hangs: the lane that has work waits after the
// loop for the lanes that wait for it. Here a lane that finds its node works at once, inside the
// loop, and the ballot, which all lanes must reach, keeps the compiler from moving that work out.
template <class Code>
__global__ void __launch_bounds__(threads)
    waterfall_kernel(const Code* __restrict__ codes, const std::uint32_t* __restrict__ primitives,
                     const std::uint32_t* __restrict__ count, Bvh bvh, Slot* slots,
                     std::uint32_t* taken, std::uint32_t* filled) {
  __shared__ std::uint32_t ticket;
  const std::uint32_t t = block::take_ticket(taken, ticket) * threads + threadIdx.x;
  const std::uint32_t n = *count;
  constexpr Aabb no_box = Aabb::empty();

  if (t < n)
    bvh.nodes[bvh.first_leaf() + t] = {no_box.min, primitives[t], no_box.max, BvhNode::leaf_mark};
  if (t == 0) {
    const std::uint32_t root = n == 0 ? Bvh::no_node : n == 1 ? bvh.first_leaf() : 0;
    *bvh.root = root;
    if (root != Bvh::no_node) bvh.parent[root] = Bvh::no_node;
    if (n > 1) {
      atomicAdd(filled, 1U);
      store_relaxed(&slots[0], pack(0, n - 1));
    }
  }

  bool waits = n > 1 && t < n - 1;
  for (Spin spin; warp::any(warp::all_lanes(), waits);) {
    const Slot slot = waits ? load_relaxed(&slots[t]) : not_ready;
    if (slot == not_ready) {
      if (waits) spin.back_off();
      continue;
    }
    const auto node = static_cast<std::uint32_t>(slot >> 32U);
    const auto other_end = static_cast<std::uint32_t>(slot);
    const std::uint32_t first = node < other_end ? node : other_end;
    const std::uint32_t last = node < other_end ? other_end : node;
    const std::uint32_t cut = split(codes, first, last);

    // Children with more than one key are inner nodes, with their end at the cut as index.
    const bool is_left_leaf = first == cut;
    const bool is_right_leaf = last == cut + 1;
    const std::uint32_t inner = (is_left_leaf ? 0U : 1U) + (is_right_leaf ? 0U : 1U);
    std::uint32_t next = inner > 0 ? atomicAdd(filled, inner) : 0;
    if (!is_left_leaf) store_relaxed(&slots[next++], pack(cut, first));
    if (!is_right_leaf) store_relaxed(&slots[next], pack(cut + 1, last));

    const std::uint32_t left = is_left_leaf ? bvh.first_leaf() + cut : cut;
    const std::uint32_t right = is_right_leaf ? bvh.first_leaf() + cut + 1 : cut + 1;
    bvh.nodes[node] = {no_box.min, left, no_box.max, right};
    bvh.parent[left] = node;
    bvh.parent[right] = node;
    waits = false;
  }
}

}  // namespace

void build_waterfall(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  // At least one thread, which writes the root of an empty tree.
  const std::uint32_t most = std::max(args.bvh.capacity, 1U);
  auto* slots = scratch.take<Slot>(most, "slots");
  auto* counters = scratch.take<std::uint32_t>(2, "counters");
  if (scratch.measuring()) return;

  stream.fill(slots, 0xff, most * sizeof(Slot));
  stream.fill(counters, 0, 2 * sizeof(std::uint32_t));
  const Shape shape = one_thread_each(most, threads);
  bvh::with_codes(args, [&]<class Code>(const Code* codes) {
    launch(stream, KERNEL(waterfall_kernel<Code>), shape, codes, args.primitives, args.count,
           args.bvh, slots, counters, counters + 1);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
