// Boxes of a built tree, from the leaves up, in shared memory.
//
// The climb of atomic.cu, with its counters and boxes where they cost least. Leaves lie in the
// order of their codes, so most nodes above a tile of neighbouring leaves have all their leaves in
// it. A block fits these in shared memory, with fences that reach no further than itself, and
// writes them in whole lines. What it leaves are the roots of some ten treelets, and about as many
// open nodes above them, which have leaves in other tiles: all tiles leave a tree of a hundredth of
// the size. A block of the next launch does the same with the treelets of many tiles, and so on
// until one block has all. The end of a launch is what tells other blocks of the boxes.
#include <bit>

#include "gpu/block/scan.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace treelets {
namespace {

constexpr unsigned tile = tile_extent(1024, 64);  // leaves of a block, and its threads
constexpr unsigned group = tile_extent(32, 4);    // tiles, or groups of the launch before
static_assert(std::has_single_bit(tile) && std::has_single_bit(group));

constexpr std::uint32_t nobody = 0xffffffffU;

struct Link {
  std::uint32_t node;
  std::uint32_t parent;
};

// What each tile or group leaves, in any order: the roots of its largest finished trees; and its
// open nodes, which bear the number of one of its leaves. ranks[node] is an open node's place in
// its list.
struct Rest {
  // The parents of these roots lie on two paths down from the tree's root, to the first leaf here
  // and to the last. So do the open nodes.
  static constexpr std::uint32_t most = 2 * Bvh::longest_path;

  std::uint32_t* root_counts;
  std::uint32_t* open_counts;
  Link* roots;  // [most] of each tile
  Link* open;   // likewise

  static Rest take(Scratch& scratch, std::uint32_t lists) {
    const std::size_t links = std::size_t{lists} * most;
    return {scratch.take<std::uint32_t>(lists), scratch.take<std::uint32_t>(lists),
            scratch.take<Link>(links), scratch.take<Link>(links)};
  }
};

// What this block leaves: the lists' lengths are counted in shared memory.
struct Left {
  Rest rest;
  std::uint32_t* ranks;
  std::uint32_t& roots;
  std::uint32_t& open;

  __device__ void add_root(Link root) const {
    rest.roots[blockIdx.x * Rest::most + atomicAdd(&roots, 1U)] = root;
  }
  __device__ void add_open(Link node) const {
    const std::uint32_t rank = atomicAdd(&open, 1U);
    rest.open[blockIdx.x * Rest::most + rank] = node;
    ranks[node.node] = rank;
  }
  // By one thread, after a barrier.
  __device__ void write_counts() const {
    rest.root_counts[blockIdx.x] = roots;
    rest.open_counts[blockIdx.x] = open;
  }
};

// By 8 bytes, to which boxes are aligned: half as many loads as by floats.
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

// A node is two of them: a corner of its box and a link.
struct alignas(16) Half {
  Vec3 corner;
  std::uint32_t link;
};
static_assert(sizeof(BvhNode) == 2 * sizeof(Half));

// The nodes of a tile in shared memory. All left halves lie together, as do the right ones, so that
// neighbouring lanes touch neighbouring 16 bytes.
struct TileNodes {
  static constexpr unsigned gap = 4;  // the halves of one node lie in different banks
  Half halves[2 * tile + gap];

  __device__ Half& left(std::uint32_t i) { return halves[i]; }
  __device__ Half& right(std::uint32_t i) { return halves[tile + gap + i]; }
  // Half h of all nodes in a row.
  __device__ Half& half(std::uint32_t h) { return h % 2 == 0 ? left(h / 2) : right(h / 2); }
  __device__ Aabb box(std::uint32_t i) { return {left(i).corner, right(i).corner}; }
  __device__ void put(std::uint32_t i, const BvhNode& node) {
    left(i) = {node.min, node.left};
    right(i) = {node.max, node.right};
  }
  __device__ bool is_finished(std::uint32_t i) { return right(i).link != nobody; }
};

// Word by word: of two variables the compiler would choose the address, which keeps both in memory.
__device__ inline Half choose(bool first, const Half& a, const Half& b) {
  return {{first ? a.corner.x : b.corner.x, first ? a.corner.y : b.corner.y,
           first ? a.corner.z : b.corner.z},
          first ? a.link : b.link};
}

// Writes the nodes of neighbouring lanes, which are neighbours too; not all lanes' need exist. Two
// lanes write one of their nodes together and then the other, since a store of half a sector (32
// bytes) costs L2 as much as one of all of it.
__device__ inline void store_nodes(BvhNode* out, const BvhNode& node, bool exists) {
  const bool is_odd = warp::lane() % 2 != 0;
  const Half left{node.min, node.left};
  const Half right{node.max, node.right};
  const Half other = warp::shuffle_xor(warp::all_lanes(), choose(is_odd, left, right), 1);
  const bool other_exists = warp::shuffle_xor(warp::all_lanes(), exists ? 1U : 0U, 1) != 0;
  warp::sync(warp::all_lanes());  // all have read what stood there
  auto* pair = reinterpret_cast<Half*>(is_odd ? out - 1 : out);
  if (is_odd ? other_exists : exists) pair[is_odd ? 1 : 0] = choose(is_odd, other, left);
  if (is_odd ? exists : other_exists) pair[is_odd ? 3 : 2] = choose(is_odd, right, other);
}

// The node above two others. A leaf has the number of its place among the leaves, and an inner node
// that of a leaf below it, so numbers tell which comes first.
__device__ inline BvhNode join(const Bvh& bvh, const Aabb& box, std::uint32_t a, std::uint32_t b) {
  const auto place = [&bvh](std::uint32_t node) {
    return node >= bvh.first_leaf() ? node - bvh.first_leaf() : node;
  };
  const bool in_order = place(a) < place(b);
  return {box.min, in_order ? a : b, box.max, in_order ? b : a};
}

// Fits the leaves of a tile and all nodes above them that have no others.
__global__ void RESIDENT_BLOCKS(tile, 2048 / tile)
    tiles_kernel(const std::uint32_t* __restrict__ count, const Aabb* __restrict__ boxes, Bvh bvh,
                 Rest rest, std::uint32_t* __restrict__ ranks) {
  __shared__ TileNodes nodes;                   // the inner nodes with the leaves' numbers
  __shared__ std::uint32_t parents[tile];       // of these
  __shared__ std::uint32_t arrived[tile];       // the child that arrived first at each
  __shared__ std::uint32_t climbers[tile / 2];  // nodes above two leaves
  __shared__ std::uint32_t climber_count;
  __shared__ std::uint32_t root_count;
  __shared__ std::uint32_t open_count;

  const std::uint32_t begin = blockIdx.x * tile;
  const std::uint32_t me = threadIdx.x;
  const std::uint32_t i = begin + me;
  const std::uint32_t leaf = bvh.first_leaf() + i;

  // All that has room is loaded, so that no load waits for the count.
  const bool has_room = i < bvh.capacity;
  const std::uint32_t primitive = has_room ? bvh.nodes[leaf].left : 0;
  const std::uint32_t leaf_parent = has_room ? bvh.parent[leaf] : Bvh::no_node;
  parents[me] = i < bvh.first_leaf() ? bvh.parent[i] : Bvh::no_node;
  arrived[me] = nobody;
  nodes.right(me).link = nobody;
  if (me == 0) climber_count = root_count = open_count = 0;

  const std::uint32_t n = *count;
  const bool exists = i < n;
  const Aabb box = exists ? load_box(boxes + primitive).with_positive_zeros() : Aabb::empty();
  store_nodes(bvh.nodes + leaf, {box.min, primitive, box.max, BvhNode::leaf_mark}, exists);
  __syncthreads();

  // The leaves arrive at their parents, where the first leaves its box. Once all have, the second
  // makes the node.
  const std::uint32_t above_leaf = leaf_parent - begin;
  std::uint32_t sibling = nobody;
  if (exists && above_leaf < tile) {
    sibling = atomicExch(&arrived[above_leaf], leaf);
    if (sibling == nobody) nodes.put(above_leaf, {box.min, nobody, box.max, nobody});
  }
  __syncthreads();
  if (sibling != nobody) {
    nodes.put(above_leaf, join(bvh, merge(box, nodes.box(above_leaf)), leaf, sibling));
    climbers[atomicAdd(&climber_count, 1U)] = above_leaf;
  }
  __syncthreads();

  // The climb goes on from these, a third of the leaves, by as few warps as have room for them.
  if (me < climber_count) {
    std::uint32_t node = climbers[me];
    Aabb merged = nodes.box(node);
    for (;;) {
      const std::uint32_t above = parents[node] - begin;
      if (above >= tile) break;
      __threadfence_block();  // release: my box before my arrival
      const std::uint32_t other = atomicExch(&arrived[above], begin + node);
      if (other == nobody) break;
      __threadfence_block();  // acquire: the sibling's box after its arrival
      // A leaf's box is where it arrived.
      merged = merge(merged, nodes.box(other >= bvh.first_leaf() ? above : other - begin));
      nodes.put(above, join(bvh, merged, begin + node, other));
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
  if (exists && is_root(leaf_parent)) left.add_root({leaf, leaf_parent});
  if (i + 1 < n) {
    if (!nodes.is_finished(me))
      left.add_open({i, parents[me]});
    else if (is_root(parents[me]))
      left.add_root({i, parents[me]});
  }
  __syncthreads();
  if (me == 0) left.write_counts();
}

// An open node of a group.
struct alignas(16) Slot {
  static constexpr std::uint32_t nowhere = 0x7fffffffU;   // no slot of this group
  static constexpr std::uint32_t is_slot = 0x80000000U;   // beside a slot's number
  static constexpr std::uint32_t finished = 0x80000000U;  // beside the parent

  Vec3 min;
  std::uint32_t arrived;  // the child that arrived first: a slot, or else the number of a root
  Vec3 max;
  std::uint32_t parent;  // its slot

  __device__ Aabb box() const { return {min, max}; }
  __device__ void put(const Aabb& box) {
    min = box.min;
    max = box.max;
  }
  __device__ bool is_finished() const { return (parent & finished) != 0; }
};

// The slots of a group: as many as shared memory has room for, and the others in global memory.
struct Slots {
  static constexpr unsigned room = tile_extent(768, 3);
  static constexpr std::uint32_t most = group * Rest::most;

  Slot* here;     // [room]
  Slot* spilled;  // [most]

  __device__ Slot& operator[](std::uint32_t s) const { return s < room ? here[s] : spilled[s]; }
  // Gives who arrived there first, or nobody. Where the address tells which memory it is in, this
  // is an instruction of shared memory.
  __device__ std::uint32_t arrive(std::uint32_t s, std::uint32_t child) const {
    return s < room ? atomicCAS(&here[s].arrived, nobody, child)
                    : atomicCAS(&spilled[s].arrived, nobody, child);
  }
};

// Lanes that share a list. Each has the entry of its number in a register; in longer lists it goes
// on in steps of so many and reads an entry whenever it needs it.
constexpr unsigned lanes_each = 16;
constexpr unsigned group_threads = group * lanes_each;

// The same for a group of `lists` tiles or groups of the launch before, whose open nodes' numbers
// have `shift` bits within a list: the roots climb over the open nodes. spilled[Slots::most] are of
// each group.
__global__ void RESIDENT_BLOCKS(group_threads, 2)
    groups_kernel(Bvh bvh, std::uint32_t lists, unsigned shift, Rest in, Rest out,
                  std::uint32_t* ranks, Slot* spilled) {
  __shared__ Slot slots_here[Slots::room];
  __shared__ std::uint32_t first_slots[group];
  __shared__ std::uint32_t root_count;
  __shared__ std::uint32_t open_count;
  __shared__ block::SumStorage<group_threads> storage;
  if (threadIdx.x == 0) root_count = open_count = 0;

  const std::uint32_t first_list = blockIdx.x * group;
  const std::uint32_t list = threadIdx.x / lanes_each;
  const std::uint32_t lane = threadIdx.x % lanes_each;
  const bool has_list = first_list + list < lists;
  const std::uint32_t roots = has_list ? in.root_counts[first_list + list] : 0;
  const std::uint32_t opens = has_list ? in.open_counts[first_list + list] : 0;

  const auto entry = [&](const Link* links, std::uint32_t r) {
    return links[(first_list + list) * Rest::most + r];
  };
  const Link my_root = lane < roots ? entry(in.roots, lane) : Link{0, Bvh::no_node};
  const Link my_open = lane < opens ? entry(in.open, lane) : Link{0, Bvh::no_node};
  // Calls visit(r, entry r) for all of this lane.
  const auto each_root = [&](auto visit) {
    if (lane < roots) visit(lane, my_root);
    for (std::uint32_t r = lane + lanes_each; r < roots; r += lanes_each)
      visit(r, entry(in.roots, r));
  };
  const auto each_open = [&](auto visit) {
    if (lane < opens) visit(lane, my_open);
    for (std::uint32_t r = lane + lanes_each; r < opens; r += lanes_each)
      visit(r, entry(in.open, r));
  };

  const std::uint32_t before =
      block::exclusive_sum(lane == lanes_each - 1 ? opens : 0, storage).before;
  if (lane == lanes_each - 1) first_slots[list] = before;
  __syncthreads();

  const Slots slots{slots_here, spilled + std::size_t{blockIdx.x} * Slots::most};
  const auto slot_of = [&](std::uint32_t node) {
    const std::uint32_t of = (node - (first_list << shift)) >> shift;
    if (node == Bvh::no_node || of >= group) return Slot::nowhere;
    return first_slots[of] + ranks[node];
  };
  const std::uint32_t above_my_root = slot_of(my_root.parent);
  const auto above_root = [&](std::uint32_t r, const Link& root) {
    return r == lane ? above_my_root : slot_of(root.parent);
  };
  each_open([&](std::uint32_t r, const Link& node) {
    Slot& slot = slots[first_slots[list] + r];
    slot.arrived = nobody;
    slot.parent = slot_of(node.parent);
  });
  __syncthreads();

  // As in a tile: the roots arrive, and the first leaves its box.
  each_root([&](std::uint32_t r, const Link& root) {
    const std::uint32_t above = above_root(r, root);
    if (above != Slot::nowhere && slots.arrive(above, root.node) == nobody)
      slots[above].put(bvh.nodes[root.node].box());
  });
  __syncthreads();
  // Those that came second climb on.
  each_root([&](std::uint32_t r, const Link& root) {
    std::uint32_t above = above_root(r, root);
    if (above == Slot::nowhere || load_relaxed(&slots[above].arrived) == root.node) return;
    Aabb box = merge(bvh.nodes[root.node].box(), slots[above].box());
    for (;;) {
      Slot& slot = slots[above];
      slot.put(box);
      const std::uint32_t me = above;
      above = slot.parent;
      slot.parent = above | Slot::finished;
      if (above == Slot::nowhere) return;
      __threadfence_block();  // release: my box before my arrival
      const std::uint32_t other = slots.arrive(above, me | Slot::is_slot);
      if (other == nobody) return;
      __threadfence_block();  // acquire: the sibling's box after its arrival
      // A root's box is where it arrived.
      const bool is_slot = (other & Slot::is_slot) != 0;
      box = merge(box, slots[is_slot ? other & ~Slot::is_slot : above].box());
    }
  });
  __syncthreads();

  const Left left{out, ranks, root_count, open_count};
  const auto is_open = [&](std::uint32_t s) {
    return s == Slot::nowhere || !slots[s].is_finished();
  };
  each_root([&](std::uint32_t r, const Link& root) {
    if (is_open(above_root(r, root))) left.add_root(root);
  });
  __syncthreads();  // from here on ranks change
  each_open([&](std::uint32_t r, const Link& node) {
    const Slot& slot = slots[first_slots[list] + r];
    if (!slot.is_finished()) {
      left.add_open(node);
      return;
    }
    bvh.nodes[node.node].min = slot.min;
    bvh.nodes[node.node].max = slot.max;
    if (node.parent != Bvh::no_node && is_open(slot.parent & ~Slot::finished)) left.add_root(node);
  });
  __syncthreads();
  if (threadIdx.x == 0) left.write_counts();
}

}  // namespace
}  // namespace treelets

void refit_treelets(Stream& stream, const RefitArgs& args, Scratch& scratch) {
  using namespace treelets;
  const std::uint32_t capacity = args.bvh.capacity;
  if (capacity == 0) return;
  const std::uint32_t tiles = ceil_div(capacity, tile);
  const std::uint32_t groups = ceil_div(tiles, group);

  // Of the tiles, of groups of these, of groups of groups, down to one.
  Rest rests[std::bit_width(1U << 30U)];
  unsigned launches = 0;
  for (std::uint32_t lists = tiles;; lists = ceil_div(lists, group)) {
    rests[launches++] = Rest::take(scratch, lists);
    if (lists == 1) break;
  }
  auto* ranks = scratch.take<std::uint32_t>(capacity);
  auto* spilled = scratch.take<Slot>(tiles > 1 ? std::size_t{groups} * Slots::most : 0);
  if (scratch.measuring()) return;

  launch(stream, KERNEL(tiles_kernel), Shape(tiles, tile), args.count, args.boxes, args.bvh,
         rests[0], ranks);
  unsigned shift = std::countr_zero(tile);
  for (std::uint32_t l = 1, lists = tiles; l < launches; ++l, lists = ceil_div(lists, group)) {
    launch(stream, KERNEL(groups_kernel), Shape(ceil_div(lists, group), group_threads), args.bvh,
           lists, shift, rests[l - 1], rests[l], ranks, spilled);
    shift += std::countr_zero(group);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND
