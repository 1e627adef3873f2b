// Treelets: the trees above tiles of neighbouring leaves, in shared memory. refit=treelets and
// build=treelets share them; treelets.cu of the former explains the method. treelet_groups.h joins
// them.
#pragma once

#include <bit>

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::treelets {

inline constexpr unsigned tile = tile_extent(1024, 64);  // leaves per block, one per thread
static_assert(std::has_single_bit(tile));

inline constexpr std::uint32_t none = 0xffffffffU;

struct Link {
  std::uint32_t node = none;
  std::uint32_t parent = Bvh::no_node;
};

struct alignas(16) Root {
  Vec3 min;
  std::uint32_t node;
  Vec3 max;
  std::uint32_t parent;

  __device__ static Root unused() { return {{}, none, {}, Bvh::no_node}; }
  __device__ Aabb box() const { return {min, max}; }
};

// What each tile or group leaves, in any order: the roots of its largest finished trees; and its
// open nodes, each of which has the index of one of its leaves. ranks[node] is an open node's place
// in its list.
struct Rest {
  // The parents of these roots lie on two paths down from the tree's root, to the first leaf here
  // and to the last. The open nodes do, too.
  static constexpr std::uint32_t most = 2 * Bvh::longest_path;
  // The first entries of a list are always written, those beyond its last one as `none`: a reader
  // need not wait for the list's length. Few lists are longer. The boxes of the roots among them
  // are stored here, too: separately they would be read from all over the tree.
  static constexpr std::uint32_t always = 32;

  std::uint32_t* root_counts;
  std::uint32_t* open_counts;
  Root* first_roots;  // [always] of each tile
  Link* roots;        // [most], including the first ones
  Link* open;         // [most]

  static Rest take(Scratch& scratch, std::uint32_t lists) {
    const std::size_t links = std::size_t{lists} * most;
    return {scratch.take<std::uint32_t>(lists, "root_counts"),
            scratch.take<std::uint32_t>(lists, "open_counts"),
            scratch.take<Root>(std::size_t{lists} * always, "first_roots"),
            scratch.take<Link>(links, "roots"), scratch.take<Link>(links, "open")};
  }
};

// What this block leaves: shared memory counts the lists' lengths.
struct Left {
  Rest rest;
  std::uint32_t* ranks;
  std::uint32_t& roots;
  std::uint32_t& open;

  __device__ void add_root(const Link& root, const Aabb& box) const {
    put_root(atomicAdd(&roots, 1U), root, box);
  }
  __device__ void put_root(std::uint32_t r, const Link& root, const Aabb& box) const {
    rest.roots[blockIdx.x * Rest::most + r] = root;
    if (r < Rest::always)
      rest.first_roots[blockIdx.x * Rest::always + r] = {box.min, root.node, box.max, root.parent};
  }
  __device__ void add_open(const Link& node) const {
    const std::uint32_t rank = atomicAdd(&open, 1U);
    rest.open[blockIdx.x * Rest::most + rank] = node;
    ranks[node.node] = rank;
  }
  // Called by all threads, after a barrier.
  __device__ void finish() const {
    const std::uint32_t me = threadIdx.x;
    if (me == 0) {
      rest.root_counts[blockIdx.x] = roots;
      rest.open_counts[blockIdx.x] = open;
    }
    if (me >= Rest::always) return;
    if (me >= roots) rest.first_roots[blockIdx.x * Rest::always + me] = Root::unused();
    if (me >= open) rest.open[blockIdx.x * Rest::most + me] = Link();
  }
};

// Loads 8 bytes at a time, the alignment of boxes: half as many loads as by floats.
__device__ inline Aabb load_box(const Aabb* __restrict__ box) {
  struct alignas(8) Third {
    float a, b;
  };
  static_assert(sizeof(Aabb) == 3 * sizeof(Third));
  const auto* thirds = reinterpret_cast<const Third*>(box);
  const Third x = thirds[0];
  const Third y = thirds[1];
  const Third z = thirds[2];
  return {{x.a, x.b, y.a}, {y.b, z.a, z.b}};
}

// Half of a node: a corner of its box and a link.
struct alignas(16) Half {
  Vec3 corner;
  std::uint32_t link;
};
static_assert(sizeof(BvhNode) == 2 * sizeof(Half));

// The nodes of a tile in shared memory. All left halves lie together, and so do the right ones, so
// that neighbouring lanes access neighbouring 16 bytes.
struct TileNodes {
  static constexpr unsigned gap = 4;  // the halves of one node lie in different banks
  Half halves[2 * tile + gap];

  __device__ Half& left(std::uint32_t i) { return halves[i]; }
  __device__ Half& right(std::uint32_t i) { return halves[tile + gap + i]; }
  // Half h, counted over all nodes in order.
  __device__ Half& half(std::uint32_t h) { return h % 2 == 0 ? left(h / 2) : right(h / 2); }
  __device__ Aabb box(std::uint32_t i) { return {left(i).corner, right(i).corner}; }
  __device__ void put(std::uint32_t i, const BvhNode& node) {
    left(i) = {node.min, node.left};
    right(i) = {node.max, node.right};
  }
  __device__ bool is_finished(std::uint32_t i) { return right(i).link != none; }
};

// The roots that a tile leaves, as they are found: by their places in the tile, with the leaves
// after the inner nodes.
struct TileRoots {
  std::uint16_t places[2 * tile < Rest::most ? 2 * tile : Rest::most];

  __device__ void add(std::uint32_t& count, std::uint32_t place) {
    places[atomicAdd(&count, 1U)] = static_cast<std::uint16_t>(place);
  }
  // Called by all threads, after a barrier.
  __device__ void write(const Left& left, const Bvh& bvh, TileNodes& nodes,
                        const std::uint32_t* parents) const {
    const std::uint32_t begin = blockIdx.x * tile;
    for (std::uint32_t r = threadIdx.x; r < left.roots; r += tile) {
      const std::uint32_t place = places[r];
      const std::uint32_t leaf = bvh.first_leaf() + begin + place - tile;
      if (place < tile)
        left.put_root(r, {begin + place, parents[place]}, nodes.box(place));
      else
        left.put_root(r, {leaf, bvh.parent[leaf]}, bvh.nodes[leaf].box());
    }
  }
};

// Word by word: of two variables the compiler would select the address, and keep both in memory.
__device__ inline Half choose(bool first, const Half& a, const Half& b) {
  return {{first ? a.corner.x : b.corner.x, first ? a.corner.y : b.corner.y,
           first ? a.corner.z : b.corner.z},
          first ? a.link : b.link};
}

// Writes the nodes of neighbouring lanes, which are neighbours too; some may not exist. Two lanes
// write one of their nodes together and then the other, because a store of half a sector (32 bytes)
// costs L2 as much as one of a whole sector.
__device__ inline void store_nodes(BvhNode* out, const BvhNode& node, bool exists) {
  const bool is_odd = warp::lane() % 2 != 0;
  const Half left{node.min, node.left};
  const Half right{node.max, node.right};
  const Half other = warp::shuffle_xor(warp::all_lanes(), choose(is_odd, left, right), 1);
  const bool other_exists = warp::shuffle_xor(warp::all_lanes(), exists ? 1U : 0U, 1) != 0;
  warp::sync(warp::all_lanes());  // all lanes have read the old contents
  auto* pair = reinterpret_cast<Half*>(is_odd ? out - 1 : out);
  if (is_odd ? other_exists : exists) pair[is_odd ? 1 : 0] = choose(is_odd, other, left);
  if (is_odd ? exists : other_exists) pair[is_odd ? 3 : 2] = choose(is_odd, right, other);
}

// Stores a node 16 bytes at a time.
__device__ inline void store_node(BvhNode* out, const BvhNode& node) {
  auto* halves = reinterpret_cast<Half*>(out);
  halves[0] = {node.min, node.left};
  halves[1] = {node.max, node.right};
}

// The index of a leaf among the leaves, or of one leaf below an inner node. It tells which of two
// children comes first.
__device__ inline std::uint32_t place_of(const Bvh& bvh, std::uint32_t node) {
  return node >= bvh.first_leaf() ? node - bvh.first_leaf() : node;
}
// Makes the node above two others.
__device__ inline BvhNode join(const Bvh& bvh, const Aabb& box, std::uint32_t a, std::uint32_t b) {
  const bool in_order = place_of(bvh, a) < place_of(bvh, b);
  return {box.min, in_order ? a : b, box.max, in_order ? b : a};
}

// A tile's tree in shared memory.
struct TileTree {
  TileNodes nodes;              // the inner nodes, with the indices of the leaves
  std::uint32_t parents[tile];  // of these nodes
  std::uint32_t arrived[tile];  // the child that arrived first at each node
  std::uint16_t listed[tile];   // nodes to continue from
  std::uint32_t listed_count;
  TileRoots roots;
  std::uint32_t root_count;
  std::uint32_t open_count;

  __device__ static std::uint32_t begin() { return blockIdx.x * tile; }

  // Called by all threads, before a barrier.
  __device__ void clear() {
    arrived[threadIdx.x] = none;
    nodes.right(threadIdx.x).link = none;
    if (threadIdx.x == 0) listed_count = root_count = open_count = 0;
  }

  // Fits all nodes that have all their leaves in the tile. Called by all threads, each with its
  // leaf, if it has one, and the node above that. make(node, box, a, b) makes a node above two
  // children.
  template <class Make>
  __device__ void fit(const Bvh& bvh, bool has_leaf, std::uint32_t leaf, const Aabb& box,
                      std::uint32_t leaf_parent, const Make& make) {
    arrive(has_leaf, leaf, box, leaf_parent - begin(), make);
    __syncthreads();
    // The climb continues from these, a third of the leaves, with as few warps as possible.
    if (threadIdx.x < listed_count) climb(bvh, listed[threadIdx.x], make);
    __syncthreads();
  }

  // Writes the finished nodes, in whole lines.
  __device__ void write(const Bvh& bvh) {
    for (std::uint32_t h = threadIdx.x; h < 2 * tile; h += tile)
      if (nodes.is_finished(h / 2)) reinterpret_cast<Half*>(bvh.nodes + begin())[h] = nodes.half(h);
  }

  // Whether a finished tree with this parent is one that the tile leaves.
  __device__ bool is_root(std::uint32_t parent) {
    return parent != Bvh::no_node &&
           (parent - begin() >= tile || !nodes.is_finished(parent - begin()));
  }

 private:
  // The leaves arrive at their parents, where the first leaves its box. After all have arrived, the
  // second makes the node.
  template <class Make>
  __device__ void arrive(bool has_leaf, std::uint32_t leaf, const Aabb& box, std::uint32_t above,
                         const Make& make) {
    std::uint32_t sibling = none;
    if (has_leaf && above < tile) {
      sibling = atomicExch(&arrived[above], leaf);
      if (sibling == none) nodes.put(above, {box.min, none, box.max, none});
    }
    __syncthreads();
    if (sibling == none) return;
    make(above, merge(box, nodes.box(above)), leaf, sibling);
    listed[atomicAdd(&listed_count, 1U)] = static_cast<std::uint16_t>(above);
  }

  template <class Make>
  __device__ void climb(const Bvh& bvh, std::uint32_t node, const Make& make) {
    Aabb box = nodes.box(node);
    for (;;) {
      const std::uint32_t above = parents[node] - begin();
      if (above >= tile) break;
      __threadfence_block();  // release: what I made before my arrival
      const std::uint32_t other = atomicExch(&arrived[above], begin() + node);
      if (other == none) break;
      __threadfence_block();  // acquire: what the sibling made after its arrival
      // A leaf's box is where it arrived.
      box = merge(box, nodes.box(other >= bvh.first_leaf() ? above : other - begin()));
      make(above, box, begin() + node, other);
      node = above;
    }
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::treelets
