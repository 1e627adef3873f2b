// Subtrees move to better places, many at a time.
//
//   D. Meister, J. Bittner, Parallel Reinsertion for Bounding Volume Hierarchy Optimization, 2018.
//   J. Bittner, M. Hapala, V. Havran, Fast Insertion-Based Optimization of Bounding Volume
//   Hierarchies, 2013 (one move at a time).
//
// A subtree x moves beside a node y: x's parent p leaves its place to x's sibling, and becomes the
// parent of x and y instead. What that gains is known without doing it: p's area, and what every
// node above it shrinks by, less the area of p in its new place, and less what every node above y
// grows by. One round is
//
//   search   every node looks for the y that gains the most
//   claim    each move claims the nodes whose links it changes; the larger gain is the better claim
//   settle   a move that holds all it claimed is to be made
//   move     links are changed
//   refit    boxes are fitted from the leaves up
//
// No two moves of a round change the same link. Could they still make a cycle, x moving to below z
// while z moves to below x? A place below z gains more than the one beside z only if z's box is
// larger than x's. The search therefore enters only nodes that are larger than x. Around a cycle
// each subtree would have to be larger than the one before it, which is impossible. The paper locks
// the whole paths of a move, or the changed nodes alone.
//
// A gain is what the move would bring if it were made alone. Two moves out of one box or into one
// box may bring more or less together. Claims are maxima, so the result is the same in every run.
//
// The search climbs from x to the root. At each node it comes to, the other child's subtree is
// searched with a short stack, depth first. A subtree is skipped if not even its least possible
// price, x's own area, leaves a gain above the best so far.
#include <bit>

#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/refit/climb.h"
#include "gpu/runtime/scratch.h"
#include "gpu/steps/node_places.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned reinsert_threads = tile_extent(128, 64);

// Where a subtree would go. gain 0: nowhere.
struct Move {
  float gain = 0.0F;
  std::uint32_t beside = Bvh::no_node;
};

// A claim to a node: the gain's bits above the subtree's. The better claim is the larger number,
// and of equal gains that of the lower index. 0: no claim.
using Claim = std::uint64_t;
__device__ inline Claim claim_of(const Move& move, std::uint32_t x) {
  return Claim{std::bit_cast<std::uint32_t>(move.gain)} << 32U | ~x;
}

// By node, [2 capacity - 1].
struct Moves {
  Move* moves;
  Claim* claims;  // the best one to the node
};

__device__ inline std::uint32_t sibling_of(const Bvh& bvh, std::uint32_t node) {
  const BvhNode& parent = bvh.nodes[bvh.parent[node]];
  return parent.left == node ? parent.right : parent.left;
}

// A subtree that waits to be searched: what a place in it saves before its own price.
struct Waiting {
  std::uint32_t node;
  float saved;
};

// The search for a place of subtree x.
class PlaceSearch {
 public:
  __device__ PlaceSearch(const Bvh& bvh, std::uint32_t x)
      : bvh_(bvh), box_(bvh.nodes[x].box()), area_(box_.finite_half_area()), x_(x) {}

  __device__ Move best() {
    const std::uint32_t parent = bvh_.parent[x_];
    std::uint32_t sibling = sibling_of(bvh_, x_);
    // The box, without x, of the node that the search has climbed to.
    Aabb rest = bvh_.nodes[sibling].box();
    float saved = bvh_.nodes[parent].box().finite_half_area();
    search_children(sibling, saved);
    std::uint32_t top = parent;
    for (unsigned level = 0; level < ReinsertLimits::levels; ++level) {
      const std::uint32_t above = bvh_.parent[top];
      if (above == Bvh::no_node) break;
      sibling = sibling_of(bvh_, top);
      if (top != parent) {
        const float area = bvh_.nodes[top].box().finite_half_area();
        saved += area - rest.finite_half_area();
      }
      top = above;
      search(sibling, saved);
      rest = merge(rest, bvh_.nodes[sibling].box());
    }
    return best_;
  }

 private:
  // x's sibling is where x is already: only what is below it can be better.
  __device__ void search_children(std::uint32_t node, float saved) {
    const BvhNode here = bvh_.nodes[node];
    if (here.is_leaf() || !(here.box().finite_half_area() > area_)) return;
    const float grown = merge(here.box(), box_).finite_half_area();
    const float below = saved - grown + here.box().finite_half_area();
    search(here.left, below);
    search(here.right, below);
  }

  // Looks at every place of the subtree that may be better than the best so far.
  __device__ void search(std::uint32_t node, float saved) {
    Waiting waiting[ReinsertLimits::waiting];
    unsigned count = 0;
    Waiting next{node, saved};
    for (;;) {
      if (next.saved - area_ > best_.gain && looks_ < ReinsertLimits::looks) {
        ++looks_;
        const BvhNode here = bvh_.nodes[next.node];
        const float price = merge(here.box(), box_).finite_half_area();
        const float gain = next.saved - price;
        if (gain > best_.gain) best_ = {gain, next.node};
        const float area = here.box().finite_half_area();
        if (!here.is_leaf() && area > area_) {
          const float below = gain + area;
          // A full stack gives the right child up.
          if (count < ReinsertLimits::waiting) waiting[count++] = {here.right, below};
          next = {here.left, below};
          continue;
        }
      }
      if (count == 0) return;
      next = waiting[--count];
    }
  }

  const Bvh& bvh_;
  Aabb box_;
  float area_;
  std::uint32_t x_;
  Move best_;
  unsigned looks_ = 0;
};

// Calls visit(node) for the nodes whose links the move reads or changes. Some may come twice.
template <class Visit>
__device__ void for_claimed(const Bvh& bvh, std::uint32_t x, const Move& move, Visit&& visit) {
  const std::uint32_t parent = bvh.parent[x];
  visit(x);
  visit(parent);
  visit(sibling_of(bvh, x));
  visit(bvh.parent[parent]);
  visit(move.beside);
  visit(bvh.parent[move.beside]);
}

// A thread for each node. Neither the root nor its children move.
__global__ void __launch_bounds__(reinsert_threads)
    reinsert_search_kernel(const std::uint32_t* __restrict__ count, Bvh bvh, Moves all) {
  const std::uint32_t x = global_thread();
  if (x >= bvh.node_count()) return;
  all.claims[x] = 0;
  all.moves[x] = {};
  if (!is_node(bvh, x, *count)) return;
  const std::uint32_t parent = bvh.parent[x];
  if (parent == Bvh::no_node || bvh.parent[parent] == Bvh::no_node) return;
  all.moves[x] = PlaceSearch(bvh, x).best();
}

__global__ void __launch_bounds__(reinsert_threads) reinsert_claim_kernel(Bvh bvh, Moves all) {
  const std::uint32_t x = global_thread();
  if (x >= bvh.node_count() || !(all.moves[x].gain > 0.0F)) return;
  const Move move = all.moves[x];
  const Claim mine = claim_of(move, x);
  for_claimed(bvh, x, move, [&](std::uint32_t node) { atomicMax(&all.claims[node], mine); });
}

__global__ void __launch_bounds__(reinsert_threads) reinsert_settle_kernel(Bvh bvh, Moves all) {
  const std::uint32_t x = global_thread();
  if (x >= bvh.node_count()) return;
  const Move move = all.moves[x];
  if (!(move.gain > 0.0F)) return;
  const Claim mine = claim_of(move, x);
  bool holds_all = true;
  for_claimed(bvh, x, move,
              [&](std::uint32_t node) { holds_all = holds_all && all.claims[node] == mine; });
  if (!holds_all) all.moves[x].gain = 0.0F;
}

// Puts `now` in the place of `before` below `parent`.
__device__ inline void replace_child(const Bvh& bvh, std::uint32_t parent, std::uint32_t before,
                                     std::uint32_t now) {
  BvhNode& node = bvh.nodes[parent];
  (node.left == before ? node.left : node.right) = now;
  bvh.parent[now] = parent;
}

__global__ void __launch_bounds__(reinsert_threads) reinsert_move_kernel(Bvh bvh, Moves all) {
  const std::uint32_t x = global_thread();
  if (x >= bvh.node_count() || !(all.moves[x].gain > 0.0F)) return;
  const std::uint32_t beside = all.moves[x].beside;
  const std::uint32_t parent = bvh.parent[x];
  replace_child(bvh, bvh.parent[parent], parent, sibling_of(bvh, x));
  replace_child(bvh, bvh.parent[beside], beside, parent);
  bvh.nodes[parent].left = beside;
  bvh.nodes[parent].right = x;
  bvh.parent[beside] = parent;
}

// A thread for each leaf.
__global__ void __launch_bounds__(reinsert_threads)
    reinsert_refit_kernel(const std::uint32_t* __restrict__ count, Bvh bvh,
                          std::uint32_t* arrived) {
  const std::uint32_t i = global_thread();
  if (i >= *count) return;
  std::uint32_t node = bvh.first_leaf() + i;
  Aabb box = bvh.nodes[node].box();
  for (std::uint32_t child = node; refit::climb(bvh, node, arrived); child = node) {
    const BvhNode here = bvh.nodes[node];
    box = merge(box, bvh.nodes[child == here.left ? here.right : here.left].box());
    bvh.nodes[node] = {box.min, here.left, box.max, here.right};
  }
}

}  // namespace

void optimise_reinsert(Stream& stream, const OptimiseArgs& args, Scratch& scratch) {
  const Bvh& bvh = args.bvh;
  if (args.rounds == 0) return;
  const Moves all{scratch.take<Move>(bvh.node_count(), "moves"),
                  scratch.take<Claim>(bvh.node_count(), "claims")};
  auto* arrived = scratch.take<std::uint32_t>(bvh.capacity, "arrived");
  if (scratch.measuring() || bvh.capacity < 2) return;

  const Shape nodes = one_thread_each(bvh.node_count(), reinsert_threads);
  for (std::uint32_t round = 0; round < args.rounds; ++round) {
    launch(stream, KERNEL(reinsert_search_kernel), nodes, args.count, bvh, all);
    launch(stream, KERNEL(reinsert_claim_kernel), nodes, bvh, all);
    launch(stream, KERNEL(reinsert_settle_kernel), nodes, bvh, all);
    launch(stream, KERNEL(reinsert_move_kernel), nodes, bvh, all);
    stream.fill(arrived, 0, bvh.capacity * sizeof(std::uint32_t));
    launch(stream, KERNEL(reinsert_refit_kernel), one_thread_each(bvh.capacity, reinsert_threads),
           args.count, bvh, arrived);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND
