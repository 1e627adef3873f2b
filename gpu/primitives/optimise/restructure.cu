// Treelets of seven subtrees get their best possible nodes, from the leaves up.
//
//   T. Karras, T. Aila, Fast Parallel Construction of High-Quality Bounding Volume Hierarchies,
//   2013.
//
// A node's treelet is its top: of its subtree, the largest nodes are opened until seven subtrees
// are left below six inner nodes. How these six join the seven is free: whatever they do, the same
// leaves are below the node. There are 10 395 ways. The best one is found without trying them, by
// dynamic programming over the 127 sets of subtrees: the best tree of a set is the best of all ways
// to split the set in two, each half by its best tree, which a smaller set has found already.
//
// Threads climb from the leaves (gpu/primitives/refit/climb.h). So both children of a node are at
// their best before the node's turn comes. 32 lanes then make one treelet together, a set for each
// lane at a time. Subtrees of fewer leaves than a round wants are left alone: 7 in the first round,
// then twice as many in each.
//
// The result is the same in every run: a treelet depends only on what is below it, and of equal
// splits the first wins.
#include <limits>

#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/refit/climb.h"
#include "gpu/runtime/scratch.h"
#include "gpu/warp/team.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

using warp::Team;

constexpr unsigned restructure_threads = tile_extent(128, 64);
constexpr unsigned treelet_inner = treelet_leaves - 1;
// A set of a treelet's subtrees: bit i for the i-th of them.
constexpr unsigned treelet_sets = 1U << treelet_leaves;
constexpr unsigned whole_treelet = treelet_sets - 1;

// What is known of each node's subtree.
struct Below {
  float cost;            // the sum of half_area() over its nodes
  std::uint32_t leaves;  // out of date below the root of a treelet, where no thread reads it again
};

// A treelet while its team works on it.
struct Treelet {
  float cost[treelet_sets];          // of the best tree of a set
  std::uint8_t split[treelet_sets];  // the half with the set's lowest member
  Aabb box[treelet_leaves];          // of the subtrees
  std::uint32_t node[treelet_leaves];
  std::uint32_t inner[treelet_inner];  // nodes to use, the root first
};

__device__ inline bool is_single(unsigned set) { return (set & (set - 1)) == 0; }

// The box around the subtrees of a set.
__device__ inline Aabb box_of(const Treelet& treelet, unsigned set) {
  Aabb box = Aabb::empty();
  for (unsigned rest = set; rest != 0; rest &= rest - 1)
    box = merge(box, treelet.box[warp::first(rest)]);
  return box;
}

// Opens the node until it has seven subtrees. Each of the first members ends with one of them.
__device__ inline void open_node(const Team& team, const Bvh& bvh, std::uint32_t node,
                                 const Below* below, Treelet& treelet) {
  const unsigned rank = team.rank();
  std::uint32_t mine = node;  // member 0 begins with the node itself
  for (unsigned count = 1; count < treelet_leaves; ++count) {
    // The largest subtree that is no leaf; of equal ones the first.
    const bool can_open = rank < count && mine < bvh.first_leaf();
    const float area = can_open ? bvh.nodes[mine].box().finite_half_area() : -1.0F;
    unsigned largest = 0;
    float largest_area = -1.0F;
    for (unsigned i = 0; i < count; ++i) {
      const float other = team.from(area, i);
      if (!(other > largest_area)) continue;
      largest_area = other;
      largest = i;
    }
    const std::uint32_t opened = team.from(mine, largest);
    const BvhNode here = bvh.nodes[opened];
    if (rank == 0) treelet.inner[count - 1] = opened;
    if (rank == largest) mine = here.left;
    if (rank == count) mine = here.right;
  }
  if (rank < treelet_leaves) {
    treelet.node[rank] = mine;
    treelet.box[rank] = bvh.nodes[mine].box();
    treelet.cost[1U << rank] = below[mine].cost;
  }
}

// The best split of a set whose subsets are done, and its cost.
__device__ inline void split_set(Treelet& treelet, unsigned set) {
  const unsigned lowest = set & (0U - set);
  const unsigned others = set ^ lowest;
  float least = std::numeric_limits<float>::infinity();
  unsigned best = lowest;
  // All halves with the lowest member, which leave something for the other half.
  for (unsigned part = (others - 1) & others;; part = (part - 1) & others) {
    const unsigned half = part | lowest;
    const float cost = treelet.cost[half] + treelet.cost[set ^ half];
    if (cost < least) {
      least = cost;
      best = half;
    }
    if (part == 0) break;
  }
  treelet.split[set] = static_cast<std::uint8_t>(best);
  treelet.cost[set] = box_of(treelet, set).finite_half_area() + least;
}

// The best trees of all sets, by size: those of a size need only smaller ones.
__device__ inline void find_best(const Team& team, Treelet& treelet) {
  for (unsigned size = 2; size <= treelet_leaves; ++size) {
    team.sync();
    for (unsigned set = team.rank(); set < treelet_sets; set += warp::team_lanes)
      if (warp::count(set) == size) split_set(treelet, set);
  }
  team.sync();
}

// What a member's inner node will be: the set of its subtrees, and its halves' nodes.
struct NewNode {
  unsigned set = 0;
  std::uint32_t left = Bvh::no_node;
  std::uint32_t right = Bvh::no_node;
};

// The i-th inner node's is member i's. All members follow the splits from the root on, breadth
// first.
__device__ inline NewNode new_node(const Team& team, const Treelet& treelet) {
  NewNode mine;
  std::uint64_t sets = whole_treelet;  // 8 bits each, in the order of their inner nodes
  unsigned count = 1;
  for (unsigned i = 0; i < treelet_inner; ++i) {
    const auto set = static_cast<unsigned>(sets >> 8U * i) & whole_treelet;
    const unsigned half = treelet.split[set];
    const auto node_of = [&](unsigned part) {
      if (is_single(part)) return treelet.node[warp::first(part)];
      sets |= std::uint64_t{part} << 8U * count;
      return treelet.inner[count++];
    };
    const std::uint32_t left = node_of(half);
    const std::uint32_t right = node_of(set ^ half);
    if (team.rank() == i) mine = {set, left, right};
  }
  return mine;
}

// Writes the six inner nodes.
__device__ inline void write_nodes(const Team& team, const Bvh& bvh, const Treelet& treelet,
                                   Below* below) {
  const NewNode mine = new_node(team, treelet);
  if (team.rank() >= treelet_inner) return;
  const std::uint32_t node = treelet.inner[team.rank()];
  const Aabb box = box_of(treelet, mine.set);
  bvh.nodes[node] = {box.min, mine.left, box.max, mine.right};
  bvh.parent[mine.left] = node;
  bvh.parent[mine.right] = node;
  below[node].cost = treelet.cost[mine.set];
}

// Replaces the top of the node's subtree where another one costs less. Called by the whole team
// with the same node, of at least seven leaves.
__device__ inline void restructure(const Team& team, const Bvh& bvh, std::uint32_t node,
                                   Below* below, Treelet& treelet) {
  team.sync();  // all see what the member saw that came to the node
  const float cost = below[node].cost;
  open_node(team, bvh, node, below, treelet);
  find_best(team, treelet);
  // Sums beyond what floats hold are equal, and the nodes stay.
  if (treelet.cost[whole_treelet] < cost) write_nodes(team, bvh, treelet, below);
  // The member that climbs on answers for what the others wrote; and all have read the treelet.
  team.sync();
}

// Thread i starts at leaf i. arrived[capacity - 1] are all 0.
__global__ void __launch_bounds__(restructure_threads)
    restructure_kernel(const std::uint32_t* __restrict__ count, Bvh bvh, Below* below,
                       std::uint32_t* arrived, std::uint32_t least_leaves) {
  __shared__ Treelet treelets[restructure_threads / warp::team_lanes];
  const std::uint32_t i = global_thread();
  const Team team = Team::mine();
  std::uint32_t node = bvh.first_leaf() + i;
  bool climbs = i < *count;
  if (climbs) below[node] = {bvh.nodes[node].box().finite_half_area(), 1};

  while (team.ballot(climbs) != 0) {
    if (climbs) climbs = refit::climb(bvh, node, arrived);
    if (climbs) {
      const BvhNode here = bvh.nodes[node];
      const Below left = below[here.left];
      const Below right = below[here.right];
      below[node] = {here.box().finite_half_area() + (left.cost + right.cost),
                     left.leaves + right.leaves};
    }
    for (std::uint32_t waiting = team.ballot(climbs && below[node].leaves >= least_leaves);
         waiting != 0; waiting &= waiting - 1)
      restructure(team, bvh, team.from(node, warp::first(waiting)), below, treelets[team.index()]);
  }
}

}  // namespace

void optimise_restructure(Stream& stream, const OptimiseArgs& args, Scratch& scratch) {
  const Bvh& bvh = args.bvh;
  if (args.rounds == 0) return;
  auto* below = scratch.take<Below>(bvh.node_count(), "below");
  auto* arrived = scratch.take<std::uint32_t>(bvh.capacity, "arrived");
  if (scratch.measuring() || bvh.capacity < treelet_leaves) return;

  std::uint32_t least_leaves = treelet_leaves;
  for (std::uint32_t round = 0; round < args.rounds && least_leaves <= bvh.capacity; ++round) {
    stream.fill(arrived, 0, bvh.capacity * sizeof(std::uint32_t));
    launch(stream, KERNEL(restructure_kernel), one_thread_each(bvh.capacity, restructure_threads),
           args.count, bvh, below, arrived, least_leaves);
    least_leaves *= 2;
  }
}

}  // namespace warpview::WARPVIEW_BACKEND
