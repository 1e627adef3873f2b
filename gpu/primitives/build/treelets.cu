// A BVH over sorted Morton codes, topology and boxes from the leaves up, in shared memory.
//
//   C. Apetrei, Fast and Simple Agglomerative LBVH Construction, 2014: which node is above.
//   T. Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, HPG
//   2012: the search for a node's range.
//
// The tree is that of the other builders. The keys of a tile of neighbouring leaves tell which
// nodes have all their leaves in it, and how they hang together: a node that covers the keys
// [first, last] is numbered by its split, and must be a left child if key `last` is more like its
// neighbour after it than key `first` is like the one before it. So a block builds and fits these
// nodes in one climb in shared memory, and writes each once, in whole lines.
//
// What it leaves are the roots of some ten treelets and about as many open nodes, which have leaves
// in other tiles. Their parents are not known from the tile's keys alone: a warp searches for each,
// all its lanes probing at once. From there on it is as in refit=treelets: the next launches climb
// over the open nodes of many tiles, and give them their children, too.
#include "gpu/primitives/build/prefix.h"
#include "gpu/primitives/refit/treelets.h"

namespace warpview::WARPVIEW_BACKEND {

namespace treelets {
namespace {

// The keys in a tile, from the outermost bit on that neighbours differ in.
struct Likeness {
  // [k]: common bits of keys k - 1 and k of the tile, and 1; 0 where there is no such pair.
  std::uint8_t with_previous[tile + 1];

  // The split above the node that covers keys [first, last] of the tile: its place from the tile's
  // first key on, -1 for the one before the tile; `nothing` above the root.
  static constexpr int nothing = -2;
  __device__ int above(int first, int last) const {
    const int before = with_previous[first];
    const int behind = with_previous[last + 1];
    if (before == 0 && behind == 0) return nothing;
    return behind > before ? last : first - 1;
  }
};

// The node that is split between keys i and i + 1, by a full warp: its parent, by number. Half of
// the lanes look for its first key, half for its last; each time they cut what is left into as many
// pieces.
template <class Code>
__device__ inline std::uint32_t search_parent(const Code* __restrict__ codes, std::uint32_t n,
                                              std::uint32_t i) {
  const unsigned half = warp::size() / 2;
  const bool is_left = warp::lane() < half;
  const auto lane = static_cast<int>(warp::lane() % half);
  const int likeness = bvh::common_prefix(codes, i, i + 1);
  const auto me = static_cast<int>(i);
  const int direction = is_left ? -1 : 1;
  const int most = is_left ? me : static_cast<int>(n) - 1 - me;  // keys on this side
  // `inside` keys from i on are known to be the node's, key `outside` is known not to be.
  int inside = 0;
  int outside = most + 1;
  while (warp::any(warp::all_lanes(), outside - inside > 1)) {
    const int step = (outside - inside - 1) / (static_cast<int>(half) + 1) + 1;
    const int probe = inside + (lane + 1) * step;
    const bool belongs =
        probe < outside &&
        bvh::common_prefix(codes, i, static_cast<std::uint32_t>(me + direction * probe)) >=
            likeness;
    const warp::LaneMask mask = warp::ballot(warp::all_lanes(), belongs) >> (is_left ? 0 : half) &
                                ((warp::LaneMask{1} << half) - 1);
    const auto belonging = static_cast<int>(warp::count(mask));  // the first so many probes do
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

// What a leaf or node of the tile covers: its first key and its last.
struct Ends {
  std::uint16_t first;
  std::uint16_t last;
};

template <class Code>
__global__ void RESIDENT_BLOCKS(tile, 2048 / tile)
    build_tiles_kernel(const Code* __restrict__ codes, const std::uint32_t* __restrict__ primitives,
                       const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes,
                       Bvh bvh, Rest rest, std::uint32_t* __restrict__ ranks) {
  __shared__ TileNodes nodes;
  __shared__ Likeness likeness;
  __shared__ Ends ends[tile];              // of finished nodes
  __shared__ std::uint32_t parents[tile];  // likewise
  __shared__ std::uint32_t arrived[tile];  // the child that arrived first at each
  __shared__ std::uint16_t listed[tile];   // nodes above two leaves; later the open ones
  __shared__ std::uint32_t climber_count;
  __shared__ std::uint32_t searched_count;
  __shared__ TileRoots roots;
  __shared__ std::uint32_t root_count;
  __shared__ std::uint32_t open_count;

  let_launch_behind_begin();
  const std::uint32_t begin = blockIdx.x * tile;
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = begin + me;
  const std::uint32_t leaf = bvh.first_leaf() + i;
  const std::uint32_t primitive = i < bvh.capacity ? primitives[i] : 0;
  arrived[me] = nobody;
  nodes.right(me).link = nobody;
  if (me == 0) climber_count = searched_count = root_count = open_count = 0;

  const std::uint32_t n = *count;
  if (n == 0 && i == 0) *bvh.root = Bvh::no_node;
  const bool exists = i < n;
  const auto with_next = [&](std::uint32_t key) {
    return static_cast<std::uint8_t>(1 + bvh::common_prefix(codes, key, key + 1));
  };
  likeness.with_previous[me + 1] = i + 1 < n ? with_next(i) : 0;
  if (me == 0) likeness.with_previous[0] = i > 0 && exists ? with_next(i - 1) : 0;
  const Aabb box = exists ? load_box(boxes + primitive).with_positive_zeros() : Aabb::empty();
  store_nodes(bvh.nodes + leaf, {box.min, primitive, box.max, BvhNode::leaf_mark}, exists);
  __syncthreads();

  // The number of the node above, of which the last is the root's.
  const auto number = [&](int above) {
    return above == Likeness::nothing ? Bvh::no_node : begin + static_cast<std::uint32_t>(above);
  };
  const auto covered = [&](std::uint32_t node) -> Ends {
    if (node < bvh.first_leaf()) return ends[node - begin];
    const auto place = static_cast<std::uint16_t>(node - bvh.first_leaf() - begin);
    return {place, place};
  };
  // Makes a node of the tile of its two children.
  const auto make = [&](std::uint32_t node, const Aabb& fitted, std::uint32_t a, std::uint32_t b) {
    const Ends of_a = covered(a);
    const Ends of_b = covered(b);
    const Ends both{of_a.first < of_b.first ? of_a.first : of_b.first,
                    of_a.last > of_b.last ? of_a.last : of_b.last};
    ends[node] = both;
    parents[node] = number(likeness.above(both.first, both.last));
    if (parents[node] == Bvh::no_node) *bvh.root = begin + node;
    nodes.put(node, join(bvh, fitted, a, b));
  };

  // The leaves arrive at their parents, where the first leaves its box. Once all have, the second
  // makes the node.
  const auto key = static_cast<int>(me);
  const std::uint32_t leaf_parent = exists ? number(likeness.above(key, key)) : Bvh::no_node;
  if (exists && leaf_parent == Bvh::no_node) *bvh.root = leaf;
  const std::uint32_t above_leaf = leaf_parent - begin;
  std::uint32_t sibling = nobody;
  if (exists && above_leaf < tile) {
    sibling = atomicExch(&arrived[above_leaf], leaf);
    if (sibling == nobody) nodes.put(above_leaf, {box.min, nobody, box.max, nobody});
  }
  __syncthreads();
  if (sibling != nobody) {
    make(above_leaf, merge(box, nodes.box(above_leaf)), leaf, sibling);
    listed[atomicAdd(&climber_count, 1U)] = static_cast<std::uint16_t>(above_leaf);
  }
  __syncthreads();

  // The climb goes on from these by as few warps as have room for them.
  if (me < climber_count) {
    std::uint32_t node = listed[me];
    Aabb merged = nodes.box(node);
    for (;;) {
      const std::uint32_t above = parents[node] - begin;
      if (above >= tile) break;
      __threadfence_block();  // release: my box and my ends before my arrival
      const std::uint32_t other = atomicExch(&arrived[above], begin + node);
      if (other == nobody) break;
      __threadfence_block();  // acquire: the sibling's after its arrival
      // A leaf's box is where it arrived.
      merged = merge(merged, nodes.box(other >= bvh.first_leaf() ? above : other - begin));
      make(above, merged, begin + node, other);
      node = above;
    }
  }
  __syncthreads();

  for (std::uint32_t h = me; h < 2 * tile; h += tile)
    if (nodes.is_finished(h / 2)) reinterpret_cast<Half*>(bvh.nodes + begin)[h] = nodes.half(h);

  const Left left{rest, ranks, root_count, open_count};
  const auto is_root = [&](std::uint32_t parent) {
    return parent != Bvh::no_node && (parent - begin >= tile || !nodes.is_finished(parent - begin));
  };
  const bool has_node = i + 1 < n;  // of this number
  const bool is_finished = has_node && nodes.is_finished(me);
  if (exists) bvh.parent[leaf] = leaf_parent;
  if (is_finished) bvh.parent[i] = parents[me];
  if (exists && is_root(leaf_parent)) roots.add(root_count, tile + me);
  if (is_finished && is_root(parents[me])) roots.add(root_count, me);

  // The open nodes, one for each warp. Most have numbers near the tile's ends: so they are listed,
  // or the first warp and the last would have them all.
  if (has_node && !is_finished)
    listed[atomicAdd(&searched_count, 1U)] = static_cast<std::uint16_t>(me);
  __syncthreads();
  for (std::uint32_t o = warp::index(); o < searched_count; o += tile / warp::size()) {
    const std::uint32_t node = begin + listed[o];
    const std::uint32_t parent = search_parent(codes, n, node);
    if (warp::lane() == 0) {
      bvh.parent[node] = parent;
      if (parent == Bvh::no_node) *bvh.root = node;
      left.add_open({node, parent});
    }
  }
  __syncthreads();
  roots.write(left, bvh, nodes, parents);
  left.finish();
}

template <class Code>
void build(Stream& stream, const BuildArgs& args, const Climb& climb) {
  launch(stream, KERNEL(build_tiles_kernel<Code>), Shape(ceil_div(args.bvh.capacity, tile), tile),
         static_cast<const Code*>(args.codes), args.primitives, args.count, args.boxes, args.bvh,
         climb.of_tiles(), climb.ranks());
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
  if (args.code_bits == 32)
    treelets::build<std::uint32_t>(stream, args, climb);
  else
    treelets::build<std::uint64_t>(stream, args, climb);
  climb.run(stream);
}

}  // namespace warpview::WARPVIEW_BACKEND
