// A BVH by joining near clusters, all along the curve at once (PLOC).
//
//   D. Meister, J. Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//   Construction, 2018.
//   C. Benthin, R. Drabinski, L. Tessari, A. Dittebrandt, PLOC++: Parallel Locally-Ordered
//   Clustering for Bounding Volume Hierarchy Construction Revisited, 2022 (one kernel, whose last
//   rounds one block does alone).
//
// At first each leaf is a cluster, in Morton order. A round has three steps, with a grid barrier
// behind each:
//
//   choose   every cluster looks at the 16 before and the 16 after it, and chooses the one with
//            which its box has the least area
//   join     two clusters that chose each other become a node; each block counts what it keeps
//   move up  each block writes the clusters that it keeps, in order, behind those of all blocks
//            before it
//
// until one cluster is left, the root. The number of rounds is not known to the host, so all of
// them are one launch of co-resident blocks. Once the clusters fit into one tile, block 0 goes on
// alone, and a barrier of the block is enough.
//
// Ties: of neighbours with the same area, cluster i chooses the one whose place differs from i in
// the lowest bits (the least i xor j). That measure is the same from both sides, so the cheapest
// pair always joins, and equal boxes join in pairs: half of them in one round. If the first one
// were chosen, a row of equal boxes would join one pair a round.
//
// Boxes that grow along the curve may still all choose their neighbour before them, and one pair
// joins. So where a round joins fewer than one cluster in 64, the next one joins neighbours in
// pairs, whatever they cost (our own). While there are many clusters, two rounds then leave at most
// 63/64 of them, whatever the boxes; the last hundred may take a round each.
//
// Nodes are numbered as in hploc.cu: each cluster answers to one of its leaves, and the place of
// the later one's becomes the new node's number. The result is the same in every run.
#include <algorithm>

#include "gpu/block/grid_barrier.h"
#include "gpu/block/reduce.h"
#include "gpu/block/scan.h"
#include "gpu/operators/operator.h"
#include "gpu/primitives/build/bvh.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned ploc_threads = tile_extent(256, 64);
constexpr unsigned ploc_radius = 16;
constexpr unsigned ploc_window = ploc_threads + 2 * ploc_radius;
constexpr std::uint32_t slow_share = 64;

// A cluster: its box, its node, and the leaf that answers for it.
struct alignas(16) PlocCluster {
  Vec3 min;
  std::uint32_t node;
  Vec3 max;
  std::uint32_t leaf;

  __device__ Aabb box() const { return {min, max}; }
};

struct PlocMemory {
  PlocCluster* now;       // [capacity] clusters of this round
  PlocCluster* next;      // [capacity] and of the next one
  std::uint32_t* chosen;  // [capacity] the place of the cluster that each chose
  std::uint32_t* kept;    // [blocks] clusters that each block keeps
  std::uint32_t* arrived;
};

struct PlocShared {
  Aabb window[ploc_window];
  block::ReduceStorage<std::uint32_t, ploc_threads> before, all;
  block::SumStorage<ploc_threads> scan;
};

// The blocks that work together: all of the grid, or in the end one.
class Crew {
 public:
  __device__ explicit Crew(std::uint32_t* arrived) : arrived_(arrived), blocks_(gridDim.x) {}

  __device__ std::uint32_t blocks() const { return blocks_; }
  __device__ void become_one() { blocks_ = 1; }
  __device__ void wait_for_all() {
    if (blocks_ == 1)
      __syncthreads();
    else
      block::wait_for_all_blocks(arrived_, ++barriers_);
  }

 private:
  std::uint32_t* arrived_;
  std::uint32_t blocks_;
  std::uint32_t barriers_ = 0;
};

// This block's part of the clusters, in whole tiles of one cluster a thread.
struct Part {
  std::uint32_t begin, end;

  __device__ Part(std::uint32_t clusters, std::uint32_t blocks) {
    const std::uint32_t tiles = (clusters + ploc_threads - 1) / ploc_threads;
    const std::uint32_t each = (tiles + blocks - 1) / blocks * ploc_threads;
    begin = blockIdx.x < (clusters + each - 1) / each ? blockIdx.x * each : clusters;
    end = clusters - begin < each ? clusters : begin + each;
  }
};

// The cheapest neighbour so far, by finite_half_area().
struct PlocChoice {
  float area = 3.402823466e38F;
  std::uint32_t place;  // its own: none yet

  __device__ void consider(float other_area, std::uint32_t other, std::uint32_t mine) {
    const bool is_nearer = place == mine || (other ^ mine) < (place ^ mine);
    if (other_area < area || (other_area == area && is_nearer)) {
      area = other_area;
      place = other;
    }
  }
};

// --- choose

// Fills the window with the boxes of clusters [first - radius, first + threads + radius).
__device__ inline void load_window(const PlocCluster* now, std::uint32_t first,
                                   std::uint32_t clusters, Aabb* window) {
  for (unsigned k = threadIdx.x; k < ploc_window; k += ploc_threads) {
    const std::uint32_t place = first + k - ploc_radius;  // beyond all where it is before the first
    if (place < clusters) window[k] = now[place].box();
  }
}

__device__ inline std::uint32_t cheapest_neighbour(const Aabb* window, std::uint32_t i,
                                                   std::uint32_t clusters) {
  const unsigned at = threadIdx.x + ploc_radius;
  const Aabb box = window[at];
  PlocChoice choice{.place = i};
  for (unsigned step = 1; step <= ploc_radius; ++step) {
    if (i >= step) choice.consider(merge(box, window[at - step]).finite_half_area(), i - step, i);
    if (clusters - i > step)
      choice.consider(merge(box, window[at + step]).finite_half_area(), i + step, i);
  }
  return choice.place;
}

__device__ inline void choose(const PlocMemory& memory, const Part& part, std::uint32_t clusters,
                              bool in_pairs, Aabb* window) {
  for (std::uint32_t first = part.begin; first < part.end; first += ploc_threads) {
    load_window(memory.now, first, clusters, window);
    __syncthreads();
    const std::uint32_t i = first + threadIdx.x;
    if (i < part.end)
      memory.chosen[i] = !in_pairs             ? cheapest_neighbour(window, i, clusters)
                         : (i ^ 1U) < clusters ? i ^ 1U
                                               : i;
    __syncthreads();  // the window is read
  }
}

// --- join

// Does cluster i go on, alone or as the earlier one of two?
__device__ inline bool is_kept(const std::uint32_t* chosen, std::uint32_t i) {
  const std::uint32_t other = chosen[i];
  return other >= i || chosen[other] != i;
}

__device__ inline void count_kept(const PlocMemory& memory, const Part& part, PlocShared& shared) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = part.begin + threadIdx.x; i < part.end; i += ploc_threads)
    kept += is_kept(memory.chosen, i) ? 1U : 0U;
  const std::uint32_t of_block = block::reduce<SumU32, ploc_threads>(kept, shared.all);
  if (threadIdx.x == 0) memory.kept[blockIdx.x] = of_block;
}

// Cluster i, joined with the one that it chose if that chose it.
__device__ inline PlocCluster joined(const PlocMemory& memory, const Bvh& bvh, std::uint32_t i) {
  const PlocCluster mine = memory.now[i];
  const std::uint32_t chosen = memory.chosen[i];
  if (chosen == i || memory.chosen[chosen] != i) return mine;
  const PlocCluster other = memory.now[chosen];
  const std::uint32_t node = other.leaf - 1;
  const Aabb box = merge(mine.box(), other.box());
  bvh.nodes[node] = {box.min, mine.node, box.max, other.node};
  bvh.parent[mine.node] = node;
  bvh.parent[other.node] = node;
  return {box.min, node, box.max, mine.leaf};
}

// --- move up

// Returns how many clusters are left in all.
__device__ inline std::uint32_t move_up(const PlocMemory& memory, const Bvh& bvh, const Part& part,
                                        std::uint32_t blocks, PlocShared& shared) {
  std::uint32_t before = 0, all = 0;
  for (std::uint32_t b = threadIdx.x; b < blocks; b += ploc_threads) {
    all += memory.kept[b];
    before += b < blockIdx.x ? memory.kept[b] : 0U;
  }
  std::uint32_t place = block::reduce_to_all<SumU32, ploc_threads>(before, shared.before);
  const std::uint32_t left = block::reduce_to_all<SumU32, ploc_threads>(all, shared.all);
  for (std::uint32_t first = part.begin; first < part.end; first += ploc_threads) {
    const std::uint32_t i = first + threadIdx.x;
    const bool kept = i < part.end && is_kept(memory.chosen, i);
    const auto prefix = block::exclusive_sum<ploc_threads>(kept ? 1U : 0U, shared.scan);
    if (kept) memory.next[place + prefix.before] = joined(memory, bvh, i);
    place += prefix.all;
    __syncthreads();  // the sums are read
  }
  return left;
}

// --- all rounds

__device__ inline void make_leaves(const std::uint32_t* primitives, const Aabb* boxes,
                                   std::uint32_t n, const Bvh& bvh, PlocCluster* clusters) {
  for (std::uint32_t i = global_thread(); i < n; i += gridDim.x * ploc_threads) {
    const Aabb box = boxes[primitives[i]].with_positive_zeros();
    const std::uint32_t leaf = bvh.first_leaf() + i;
    bvh.nodes[leaf] = {box.min, primitives[i], box.max, BvhNode::leaf_mark};
    clusters[i] = {box.min, leaf, box.max, i};
  }
}

__global__ void __launch_bounds__(ploc_threads)
    ploc_kernel(const std::uint32_t* __restrict__ primitives,
                const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes, Bvh bvh,
                PlocMemory memory) {
  __shared__ PlocShared shared;
  Crew crew(memory.arrived);
  const std::uint32_t n = *count;
  make_leaves(primitives, boxes, n, bvh, memory.now);
  crew.wait_for_all();

  std::uint32_t clusters = n;
  for (bool in_pairs = false; clusters > 1;) {
    if (clusters <= ploc_threads) {
      if (blockIdx.x > 0) return;
      crew.become_one();
    }
    const Part part(clusters, crew.blocks());
    choose(memory, part, clusters, in_pairs, shared.window);
    crew.wait_for_all();
    count_kept(memory, part, shared);
    crew.wait_for_all();
    const std::uint32_t left = move_up(memory, bvh, part, crew.blocks(), shared);
    crew.wait_for_all();
    const PlocMemory done = memory;
    memory.now = done.next;
    memory.next = done.now;
    in_pairs = clusters - left < clusters / slow_share;
    clusters = left;
  }
  if (global_thread() == 0) {
    *bvh.root = n > 0 ? memory.now[0].node : Bvh::no_node;
    if (n > 0) bvh.parent[*bvh.root] = Bvh::no_node;
  }
}

}  // namespace

void build_ploc(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  // At least one block, which writes the root of an empty tree.
  const std::uint32_t most = std::max(args.bvh.capacity, 1U);
  const auto kernel = KERNEL(ploc_kernel);
  const std::uint32_t blocks = std::min(ceil_div(most, ploc_threads),
                                        concurrent_blocks(stream, kernel.function, ploc_threads));
  const PlocMemory memory = {.now = scratch.take<PlocCluster>(most, "clusters"),
                             .next = scratch.take<PlocCluster>(most, "next_clusters"),
                             .chosen = scratch.take<std::uint32_t>(most, "chosen"),
                             .kept = scratch.take<std::uint32_t>(blocks, "kept"),
                             .arrived = scratch.take<std::uint32_t>(1, "arrived")};
  if (scratch.measuring()) return;
  stream.fill(memory.arrived, 0, sizeof(std::uint32_t));
  launch_concurrent(stream, kernel, Shape(blocks, ploc_threads), args.primitives, args.count,
                    args.boxes, args.bvh, memory);
}

}  // namespace warpview::WARPVIEW_BACKEND
