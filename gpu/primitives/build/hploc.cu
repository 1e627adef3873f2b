// A BVH by joining near clusters, bottom-up in one launch behind that of the leaves (H-PLOC).
//
//   C. Benthin, D. Meister, J. Barczak, R. Mehalwal, J. Tsakok, A. Kensler, H-PLOC: Hierarchical
//   Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction, 2024.
//   D. Meister, J. Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//   Construction, 2018 (PLOC: mutual nearest neighbours along a space-filling curve are joined).
//   C. Apetrei, Fast and Simple Agglomerative LBVH Construction, 2014 (the climb).
//
// The radix tree of the codes decides by a bit of a code which leaves belong together. Here it only
// says in which order to look. Threads climb it as in apetrei.cu, but a node of it is not a node of
// the result: it stands for a range of leaves, of which at most 16 clusters are left, in their
// order along the curve. Where two ranges meet, 32 lanes take a cluster each and join clusters
// until 16 are left again: every cluster looks for the neighbour, up to 8 places away, with which
// its box has the least area, and two that chose each other become one. Only the root joins all
// that is left.
//
// So what is near is joined first, whatever the codes say, and boxes overlap less: rays take fewer
// steps than in the radix tree. In return a node's leaves are not consecutive, and paths may be
// long.
//
// The result is the same in every run. A range is complete before it is read, and ties go to the
// cluster that comes first. An inner node is numbered without a counter: each cluster answers to
// one of its leaves, at first to its only one. When two are joined, the earlier one's leaf answers
// for both, and the place of the later one's, which never answers again, is the new node's number.
//
// 32 lanes work together whatever the warp (gpu/warp/team.h).
#include <algorithm>

#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/build/prefix.h"
#include "gpu/warp/team.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned hploc_threads = tile_extent(128, 64);
using warp::Team;
using warp::team_lanes;
constexpr unsigned most_clusters = team_lanes / 2;  // that a range leaves
constexpr unsigned search_radius = 8;

// A cluster as it is stored between ranges: its node, and the leaf that answers for it.
using StoredCluster = std::uint64_t;
constexpr StoredCluster no_cluster = ~StoredCluster{0};  // no node has the index 2^32 - 1

struct Cluster {
  std::uint32_t node;
  std::uint32_t leaf;
  Aabb box;
};

// Leaves [first, last], the right half beginning with leaf `split`.
struct Range {
  std::uint32_t first, last, split;
  __device__ std::uint32_t size() const { return last - first + 1; }
};

// The rank of the bit of `bits` that has `before` set bits below it; there are more than `before`.
__device__ inline unsigned nth_bit(std::uint32_t bits, unsigned before) {
  unsigned at = 0;
  for (unsigned width = 16; width > 0; width /= 2) {
    const unsigned below = warp::count(bits >> at & ((1U << width) - 1));
    if (before >= below) {
      before -= below;
      at += width;
    }
  }
  return at;
}

// What a cluster is willing to pay for a neighbour: the smaller area, and of equal ones the
// neighbour that comes first. So the two clusters of the cheapest pair, and of equal ones the
// first, choose each other: there is always one to join.
struct Choice {
  float area = 3.402823466e38F;
  unsigned rank = team_lanes;  // none

  __device__ void consider(float other_area, unsigned other) {
    if (other_area < area || (other_area == area && other < rank)) {
      area = other_area;
      rank = other;
    }
  }
};

// The neighbour that each of the first `count` members' clusters would be joined with.
__device__ inline unsigned nearest_neighbour(const Team& team, const Aabb& box, unsigned count) {
  const unsigned rank = team.rank();
  Choice choice;
  for (unsigned step = 1; step <= search_radius; ++step) {
    // Each pair is measured once, by its earlier member, which tells the later one.
    const float area = merge(box, team.from(box, rank + step)).finite_half_area();
    const float area_before = team.from(area, rank - step);
    if (rank + step < count) choice.consider(area, rank + step);
    if (rank >= step && rank < count) choice.consider(area_before, rank - step);
  }
  return choice.rank;
}

// Joins all pairs that chose each other, and moves the clusters up behind one another, in order.
// Returns how many are left.
__device__ inline unsigned join_pairs(const Team& team, const Bvh& bvh, Cluster& mine,
                                      unsigned count) {
  const unsigned rank = team.rank();
  const unsigned chosen = nearest_neighbour(team, mine.box, count);
  const unsigned chosen_by_it = team.from(chosen, chosen);
  const bool is_joined = rank < count && chosen_by_it == rank;
  const Cluster other{team.from(mine.node, chosen), team.from(mine.leaf, chosen),
                      team.from(mine.box, chosen)};
  const bool is_earlier = is_joined && rank < chosen;
  if (is_earlier) {
    const std::uint32_t node = other.leaf - 1;
    const Aabb box = merge(mine.box, other.box);
    bvh.nodes[node] = {box.min, mine.node, box.max, other.node};
    bvh.parent[mine.node] = node;
    bvh.parent[other.node] = node;
    mine = {node, mine.leaf, box};
  }
  const std::uint32_t kept = team.ballot(rank < count && (!is_joined || is_earlier));
  const unsigned left = warp::count(kept);
  const unsigned source = rank < left ? nth_bit(kept, rank) : rank;
  mine = {team.from(mine.node, source), team.from(mine.leaf, source), team.from(mine.box, source)};
  return left;
}

// The clusters of leaves [first, end), as many as members from `from` on have room for: the number
// that the range left. Up to most_clusters leaves nothing has been joined yet, and nothing stored.
__device__ inline unsigned load_clusters(const Team& team, const Bvh& bvh,
                                         const StoredCluster* clusters, std::uint32_t first,
                                         std::uint32_t end, unsigned from, Cluster& mine) {
  const std::uint32_t leaves = end - first;
  const unsigned place = team.rank() - from;  // beyond all for members before `from`
  StoredCluster stored = no_cluster;
  if (place < most_clusters && place < leaves) {
    const std::uint32_t leaf = first + place;
    stored = leaves > most_clusters ? clusters[leaf]
                                    : StoredCluster{bvh.first_leaf() + leaf} << 32U | leaf;
  }
  if (stored != no_cluster) {
    mine.node = static_cast<std::uint32_t>(stored >> 32U);
    mine.leaf = static_cast<std::uint32_t>(stored);
    mine.box = bvh.nodes[mine.node].box();
  }
  return warp::count(team.ballot(stored != no_cluster));
}

// Joins the clusters of a range's two halves until at most `most` are left, and stores them from
// the range's first place on. Called by the whole team with the same arguments.
__device__ inline void join_range(const Team& team, const Bvh& bvh, StoredCluster* clusters,
                                  const Range& range, unsigned most) {
  team.sync();  // all see what the member saw that came with the range
  Cluster mine{Bvh::no_node, 0, Aabb::empty()};
  const unsigned left = load_clusters(team, bvh, clusters, range.first, range.split, 0, mine);
  unsigned count =
      left + load_clusters(team, bvh, clusters, range.split, range.last + 1, left, mine);
  while (count > most) count = join_pairs(team, bvh, mine, count);

  const unsigned rank = team.rank();
  team.sync();  // all have read what is overwritten
  if (rank < most_clusters && rank < range.size())
    clusters[range.first + rank] =
        rank < count ? StoredCluster{mine.node} << 32U | mine.leaf : no_cluster;
  // The member that passes the range on answers for what the others wrote.
  team.sync();
  if (most == 1 && rank == 0) {
    *bvh.root = mine.node;
    bvh.parent[mine.node] = Bvh::no_node;
  }
}

// Thread i starts at leaf i; of two that meet at a node of the radix tree the second goes on with
// the range of both. arrivals[capacity] are all `no_arrival`. For the fences see apetrei.cu. Ranges
// of up to most_clusters leaves, nearly all, need none: what is read of them was there before the
// launch.
constexpr std::uint32_t no_arrival = 0xffffffffU;

template <class Code>
__device__ bool climb(const Code* codes, std::uint32_t n, Range& range, std::uint32_t* arrivals) {
  const std::uint32_t first = range.first;
  const std::uint32_t last = range.last;
  const bool is_left =
      first == 0 || (last != n - 1 && bvh::common_prefix(codes, last, last + 1) >
                                          bvh::common_prefix(codes, first - 1, first));
  // Release: my range's clusters before my arrival.
  if (range.size() > most_clusters) __threadfence();
  const std::uint32_t other_end =
      atomicExch(&arrivals[is_left ? last : first - 1], is_left ? first : last);
  if (other_end == no_arrival) return false;
  const Range mine = range;
  if (is_left)
    range = {first, other_end, last + 1};
  else
    range = {other_end, last, first};
  // Acquire: the other half's clusters after its arrival.
  if (range.size() - mine.size() > most_clusters) __threadfence();
  return true;
}

// A thread for each leaf, and one at least.
__global__ void __launch_bounds__(hploc_threads)
    hploc_leaves_kernel(const std::uint32_t* __restrict__ primitives,
                        const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes,
                        Bvh bvh, std::uint32_t* arrivals) {
  const std::uint32_t n = *count;
  const std::uint32_t i = global_thread();
  if (n < 2 && i == 0) {
    *bvh.root = n == 0 ? Bvh::no_node : bvh.first_leaf();
    if (n == 1) bvh.parent[bvh.first_leaf()] = Bvh::no_node;
  }
  if (i >= n) return;
  arrivals[i] = no_arrival;
  const Aabb box = boxes[primitives[i]].with_positive_zeros();
  bvh.nodes[bvh.first_leaf() + i] = {box.min, primitives[i], box.max, BvhNode::leaf_mark};
}

template <class Code>
__global__ void __launch_bounds__(hploc_threads)
    hploc_kernel(const Code* __restrict__ codes, const std::uint32_t* __restrict__ count, Bvh bvh,
                 StoredCluster* clusters, std::uint32_t* arrivals) {
  const std::uint32_t n = *count;
  const std::uint32_t i = global_thread();
  const Team team = Team::mine();
  Range range{i, i, i};
  bool climbs = i < n && n > 1;
  while (team.ballot(climbs) != 0) {
    if (climbs) climbs = climb(codes, n, range, arrivals);
    const bool is_all = climbs && range.size() == n;
    for (std::uint32_t waiting = team.ballot(climbs && (range.size() > most_clusters || is_all));
         waiting != 0; waiting &= waiting - 1) {
      const unsigned rank = warp::first(waiting);
      const Range theirs{team.from(range.first, rank), team.from(range.last, rank),
                         team.from(range.split, rank)};
      join_range(team, bvh, clusters, theirs, theirs.size() == n ? 1 : most_clusters);
    }
    if (is_all) climbs = false;
  }
}

}  // namespace

void build_hploc(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  // At least one thread, which writes the root of an empty tree.
  const std::uint32_t most = std::max(args.bvh.capacity, 1U);
  auto* clusters = scratch.take<StoredCluster>(most, "clusters");
  auto* arrivals = scratch.take<std::uint32_t>(most, "arrivals");
  if (scratch.measuring()) return;

  const Shape leaves = one_thread_each(most, hploc_threads);
  launch(stream, KERNEL(hploc_leaves_kernel), leaves, args.primitives, args.count, args.boxes,
         args.bvh, arrivals);
  bvh::with_codes(args, [&]<class Code>(const Code* codes) {
    launch(stream, KERNEL(hploc_kernel<Code>), leaves, codes, args.count, args.bvh, clusters,
           arrivals);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
