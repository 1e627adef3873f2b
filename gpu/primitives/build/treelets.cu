// A BVH over sorted Morton codes: topology and boxes bottom-up, in shared memory.
//
//   C. Apetrei, Fast and Simple Agglomerative LBVH Construction, 2014: finding the parent.
//   T. Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, HPG
//   2012: the search for a node's range.
//
// The tree is that of the other builders. The keys of a tile of neighbouring leaves determine which
// nodes have all their leaves in it, and their links. A node that covers the keys [first, last] has
// its split as its index. It is a left child if key `last` shares a longer prefix with its right
// neighbour than key `first` does with its left one. A block thus builds and fits these nodes in
// one climb in shared memory, and writes each once, in whole lines.
//
// This leaves the roots of some ten treelets and about as many open nodes, which have leaves in
// other tiles. The tile's keys do not determine their parents: a warp searches for each, all its
// lanes probing at once. From there on it works as refit=treelets: the next launches climb over the
// open nodes of many tiles, and link their children, too.
#include "gpu/primitives/build/prefix.h"
#include "gpu/primitives/refit/treelet_groups.h"
#include "gpu/primitives/refit/treelets.h"

namespace warpview::WARPVIEW_BACKEND {

namespace treelets {
namespace {

// The keys of a tile, as common prefixes of neighbours.
struct SharedPrefixes {
  // [k]: common bits of keys k - 1 and k of the tile, plus 1; 0 where there is no such pair.
  std::uint8_t with_previous[tile + 1];

  // The split above the node that covers keys [first, last] of the tile: its place relative to the
  // tile's first key, -1 for the key before the tile; `nothing` above the root.
  static constexpr int nothing = -2;
  __device__ int above(int first, int last) const {
    const int before = with_previous[first];
    const int behind = with_previous[last + 1];
    if (before == 0 && behind == 0) return nothing;
    return behind > before ? last : first - 1;
  }
};

// Finds the parent of the node that is split between keys i and i + 1, by a full warp; returns its
// index. Half of the lanes search for the node's first key, half for its last; each step cuts the
// rest into as many pieces.
template <class Code>
__device__ inline std::uint32_t search_parent(const Code* __restrict__ codes, std::uint32_t n,
                                              std::uint32_t i) {
  const unsigned half = warp::size() / 2;
  const bool is_left = warp::lane() < half;
  const auto lane = static_cast<int>(warp::lane() % half);
  const int shared_prefix = bvh::common_prefix(codes, i, i + 1);
  const auto me = static_cast<int>(i);
  const int direction = is_left ? -1 : 1;
  const int most = is_left ? me : static_cast<int>(n) - 1 - me;  // keys on this side
  // `inside` keys from i on are known to belong to the node; key `outside` is known not to.
  int inside = 0;
  int outside = most + 1;
  while (warp::any(warp::all_lanes(), outside - inside > 1)) {
    const int step = (outside - inside - 1) / (static_cast<int>(half) + 1) + 1;
    const int probe = inside + (lane + 1) * step;
    const bool belongs =
        probe < outside &&
        bvh::common_prefix(codes, i, static_cast<std::uint32_t>(me + direction * probe)) >=
            shared_prefix;
    const warp::LaneMask mask = warp::ballot(warp::all_lanes(), belongs) >> (is_left ? 0 : half) &
                                ((warp::LaneMask{1} << half) - 1);
    const auto belonging = static_cast<int>(warp::count(mask));  // the node's, the first probes
    const int first_outside = inside + (belonging + 1) * step;
    inside += belonging * step;
    outside = first_outside < outside ? first_outside : outside;
  }
  const auto first = i - static_cast<std::uint32_t>(warp::shuffle(warp::all_lanes(), inside, 0));
  const auto last = i + static_cast<std::uint32_t>(warp::shuffle(warp::all_lanes(), inside, half));
  if (first == 0 && last == n - 1) return Bvh::no_node;
  if (first == 0) return last;
  if (last == n - 1) return first - 1;
  return bvh::common_prefix(codes, last, last + 1) > bvh::common_prefix(codes, first - 1, first)
             ? last
             : first - 1;
}

// The first and the last key that a leaf or node of the tile covers.
struct Ends {
  std::uint16_t first;
  std::uint16_t last;
};

// A tile under construction, in shared memory.
struct BuiltTile {
  Ends ends[tile];  // of finished nodes
  TileTree tree;    // of finished nodes
  SharedPrefixes shared_prefixes;
  std::uint32_t searched_count;

  // The index of the node above keys [first, last]; Bvh::no_node above the root.
  __device__ std::uint32_t above(int first, int last) const {
    const int split = shared_prefixes.above(first, last);
    return split == SharedPrefixes::nothing ? Bvh::no_node
                                            : TileTree::begin() + static_cast<std::uint32_t>(split);
  }

  // Builds a node of the tile from its two children.
  __device__ void make(const Bvh& bvh, std::uint32_t node, const Aabb& fitted, std::uint32_t a,
                       std::uint32_t b) {
    const Ends of_a = covered(bvh, a);
    const Ends of_b = covered(bvh, b);
    const Ends both{of_a.first < of_b.first ? of_a.first : of_b.first,
                    of_a.last > of_b.last ? of_a.last : of_b.last};
    ends[node] = both;
    tree.parents[node] = above(both.first, both.last);
    if (tree.parents[node] == Bvh::no_node) *bvh.root = TileTree::begin() + node;
    tree.nodes.put(node, join(bvh, fitted, a, b));
  }

 private:
  __device__ Ends covered(const Bvh& bvh, std::uint32_t node) const {
    if (node < bvh.first_leaf()) return ends[node - TileTree::begin()];
    const auto place = static_cast<std::uint16_t>(node - bvh.first_leaf() - TileTree::begin());
    return {place, place};
  }
};

// 1. Computes the common prefixes of the tile's keys. A barrier must follow.
template <class Code>
__device__ inline void compare_keys(SharedPrefixes& shared_prefixes, const Code* __restrict__ codes,
                                    std::uint32_t n) {
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = TileTree::begin() + me;
  const auto with_next = [&](std::uint32_t key) {
    return static_cast<std::uint8_t>(1 + bvh::common_prefix(codes, key, key + 1));
  };
  shared_prefixes.with_previous[me + 1] = i + 1 < n ? with_next(i) : 0;
  if (me == 0) shared_prefixes.with_previous[0] = i > 0 && i < n ? with_next(i - 1) : 0;
}

// 4. Finds the parents of the listed open nodes, one warp for each.
template <class Code>
__device__ inline void search_parents(BuiltTile& built, const Code* __restrict__ codes,
                                      std::uint32_t n, const Bvh& bvh, const Left& left) {
  for (std::uint32_t o = warp::index(); o < built.searched_count; o += tile / warp::size()) {
    const std::uint32_t node = TileTree::begin() + built.tree.listed[o];
    const std::uint32_t parent = search_parent(codes, n, node);
    if (warp::lane() == 0) {
      bvh.parent[node] = parent;
      if (parent == Bvh::no_node) *bvh.root = node;
      left.add_open({node, parent});
    }
  }
}

template <class Code>
__global__ void RESIDENT_BLOCKS(tile, 2048 / tile)
    build_tiles_kernel(const Code* __restrict__ codes, const std::uint32_t* __restrict__ primitives,
                       const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes,
                       Bvh bvh, Rest rest, std::uint32_t* __restrict__ ranks) {
  __shared__ BuiltTile built;
  TileTree& tree = built.tree;
  let_launch_behind_begin();
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = TileTree::begin() + me;
  const std::uint32_t leaf = bvh.first_leaf() + i;
  const std::uint32_t primitive = i < bvh.capacity ? primitives[i] : 0;
  tree.clear();
  if (me == 0) built.searched_count = 0;

  const std::uint32_t n = *count;
  if (n == 0 && i == 0) *bvh.root = Bvh::no_node;
  const bool exists = i < n;
  compare_keys(built.shared_prefixes, codes, n);
  const Aabb box = exists ? load_box(boxes + primitive).with_positive_zeros() : Aabb::empty();
  store_nodes(bvh.nodes + leaf, {box.min, primitive, box.max, BvhNode::leaf_mark}, exists);
  __syncthreads();

  // 2. The climb.
  const auto key = static_cast<int>(me);
  const std::uint32_t leaf_parent = exists ? built.above(key, key) : Bvh::no_node;
  if (exists) bvh.parent[leaf] = leaf_parent;
  if (exists && leaf_parent == Bvh::no_node) *bvh.root = leaf;
  tree.fit(bvh, exists, leaf, box, leaf_parent,
           [&](std::uint32_t node, const Aabb& fitted, std::uint32_t a, std::uint32_t b) {
             built.make(bvh, node, fitted, a, b);
           });
  tree.write(bvh);

  // 3. The roots and the open nodes. Most of these have indices near the tile's ends. They go into
  // a list, because otherwise the first warp and the last would have them all.
  const Left left{rest, ranks, tree.root_count, tree.open_count};
  const bool has_node = i + 1 < n;  // a node of this index
  const bool is_finished = has_node && tree.nodes.is_finished(me);
  if (is_finished) bvh.parent[i] = tree.parents[me];
  if (exists && tree.is_root(leaf_parent)) tree.roots.add(tree.root_count, tile + me);
  if (is_finished && tree.is_root(tree.parents[me])) tree.roots.add(tree.root_count, me);
  if (has_node && !is_finished)
    tree.listed[atomicAdd(&built.searched_count, 1U)] = static_cast<std::uint16_t>(me);
  __syncthreads();
  search_parents(built, codes, n, bvh, left);
  __syncthreads();
  tree.roots.write(left, bvh, tree.nodes, tree.parents);
  left.finish();
}

}  // namespace
}  // namespace treelets

void build_treelets(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  if (args.bvh.capacity == 0) {
    if (!scratch.measuring()) stream.fill(args.bvh.root, 0xff, sizeof(*args.bvh.root));
    return;
  }
  const treelets::Climb climb(args.bvh, scratch);
  if (scratch.measuring()) return;
  using treelets::tile;
  const Shape shape(ceil_div(args.bvh.capacity, tile), tile);
  bvh::with_codes(args, [&]<class Code>(const Code* codes) {
    launch(stream, KERNEL(treelets::build_tiles_kernel<Code>), shape, codes, args.primitives,
           args.count, args.boxes, args.bvh, climb.of_tiles(), climb.ranks());
  });
  climb.run(stream);
}

}  // namespace warpview::WARPVIEW_BACKEND
