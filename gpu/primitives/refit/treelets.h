// Treelets: the trees above tiles of neighbouring leaves, in shared memory, and the launches that
// join them. What refit=treelets and build=treelets share; how it goes is told in the former.
#pragma once

#include <algorithm>
#include <bit>

#include "gpu/block/scan.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::treelets {

inline constexpr unsigned tile = tile_extent(1024, 64);  // leaves of a block, and its threads
static_assert(std::has_single_bit(tile));

inline constexpr std::uint32_t nobody = 0xffffffffU;

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

// A leaf has the number of its place among the leaves, and an inner node that of a leaf below it:
// so of two children these tell which comes first.
__device__ inline std::uint32_t place_of(const Bvh& bvh, std::uint32_t node) {
  return node >= bvh.first_leaf() ? node - bvh.first_leaf() : node;
}
// The node above two others.
__device__ inline BvhNode join(const Bvh& bvh, const Aabb& box, std::uint32_t a, std::uint32_t b) {
  const bool in_order = place_of(bvh, a) < place_of(bvh, b);
  return {box.min, in_order ? a : b, box.max, in_order ? b : a};
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

// How a block works on a group: `lists` tiles, or groups of the launch before; `lanes` that share a
// list, every so many-th entry to each; slots in shared memory for `room` open nodes. A lane keeps
// the first `held` of its entries in registers, whose loads are under way together: one after the
// other they would be most of the time of a group. Those of longer lists it reads whenever it needs
// them.
template <unsigned lists_, unsigned lanes_, unsigned held_, unsigned room_>
struct Group {
  static constexpr unsigned lists = lists_;
  static constexpr unsigned lanes = lanes_;
  static constexpr unsigned held = held_;
  static constexpr unsigned room = room_;
  static constexpr unsigned threads = lists * lanes;
  static constexpr std::uint32_t most_slots = lists * Rest::most;
  static_assert(std::has_single_bit(lists));
};
using NarrowGroup = Group<tile_extent(32U, 4U), 16, 2, tile_extent(768U, 3U)>;
// For the last launch, where it spares one: of 64 KiB, which AMD's GPUs have for a block.
using WideGroup = Group<tile_extent(128U, 8U), 8, 4, tile_extent(1760U, 6U)>;

// The slots of a group: as many as shared memory has room for, and the others in global memory. Who
// builds must know a slot's node, too.
template <unsigned room>
struct Slots {
  Slot* here;     // [room]
  Slot* spilled;  // [most]
  std::uint32_t* nodes_here;
  std::uint32_t* nodes_spilled;

  __device__ Slot& operator[](std::uint32_t s) const { return s < room ? here[s] : spilled[s]; }
  __device__ std::uint32_t& node(std::uint32_t s) const {
    return s < room ? nodes_here[s] : nodes_spilled[s];
  }
  // Gives who arrived there first, or nobody. Where the address tells which memory it is in, this
  // is an instruction of shared memory.
  __device__ std::uint32_t arrive(std::uint32_t s, std::uint32_t child) const {
    return s < room ? atomicCAS(&here[s].arrived, nobody, child)
                    : atomicCAS(&spilled[s].arrived, nobody, child);
  }
};

// Shared memory of groups_kernel.
template <class Group, bool builds>
struct GroupStorage {
  Slot slots[Group::room];
  std::uint32_t nodes[builds ? Group::room : 1];
  std::uint32_t first_slots[Group::lists];
  std::uint32_t root_count;
  std::uint32_t open_count;
  block::SumStorage<Group::threads> sum;
};
static_assert(sizeof(GroupStorage<WideGroup, true>) <= 64U * 1024);

// The same for groups of the `lists` tiles or groups of the launch before, whose open nodes'
// numbers have `shift` bits within a list: the roots climb over the open nodes.
// spilled[Group::most_slots] are of each group, and so are nodes_spilled. With `builds` the open
// nodes get their children, too.
template <class Group, bool builds>
__global__ void RESIDENT_BLOCKS(Group::threads, 1)
    groups_kernel(Bvh bvh, std::uint32_t lists, unsigned shift, Rest in, Rest out,
                  std::uint32_t* ranks, Slot* spilled, std::uint32_t* nodes_spilled) {
  using Storage = GroupStorage<Group, builds>;
  constexpr unsigned lanes_each = Group::lanes;
  constexpr unsigned held = Group::held;
  LARGE_SHARED(Storage, shared);
  std::uint32_t(&first_slots)[Group::lists] = shared.first_slots;
  if (threadIdx.x == 0) shared.root_count = shared.open_count = 0;

  const std::uint32_t first_list = blockIdx.x * Group::lists;
  const std::uint32_t list = threadIdx.x / lanes_each;
  const std::uint32_t lane = threadIdx.x % lanes_each;
  const bool has_list = first_list + list < lists;
  const std::uint32_t roots = has_list ? in.root_counts[first_list + list] : 0;
  const std::uint32_t opens = has_list ? in.open_counts[first_list + list] : 0;

  const auto entry = [&](const Link* links, std::uint32_t r) {
    return links[(first_list + list) * Rest::most + r];
  };
  Link my_roots[held];
  Link my_opens[held];
  UNROLL
  for (unsigned k = 0; k < held; ++k) {
    const std::uint32_t r = lane + k * lanes_each;
    my_roots[k] = r < roots ? entry(in.roots, r) : Link{0, Bvh::no_node};
    my_opens[k] = r < opens ? entry(in.open, r) : Link{0, Bvh::no_node};
  }

  const std::uint32_t before =
      block::exclusive_sum(lane == lanes_each - 1 ? opens : 0, shared.sum).before;
  if (lane == lanes_each - 1) first_slots[list] = before;
  __syncthreads();

  const std::size_t first_spilled = std::size_t{blockIdx.x} * Group::most_slots;
  const Slots<Group::room> slots{shared.slots, spilled + first_spilled, shared.nodes,
                                 nodes_spilled + first_spilled};
  const auto slot_of = [&](std::uint32_t node) {
    const std::uint32_t of = (node - (first_list << shift)) >> shift;
    if (node == Bvh::no_node || of >= Group::lists) return Slot::nowhere;
    return first_slots[of] + ranks[node];
  };
  std::uint32_t above_roots[held];
  std::uint32_t above_opens[held];
  UNROLL
  for (unsigned k = 0; k < held; ++k) {
    above_roots[k] = slot_of(my_roots[k].parent);
    above_opens[k] = slot_of(my_opens[k].parent);
  }
  // Calls visit(root, the slot above it) for all of this lane.
  const auto each_root = [&](auto visit) {
    UNROLL
    for (unsigned k = 0; k < held; ++k)
      if (lane + k * lanes_each < roots) visit(my_roots[k], above_roots[k]);
    for (std::uint32_t r = lane + held * lanes_each; r < roots; r += lanes_each) {
      const Link root = entry(in.roots, r);
      visit(root, slot_of(root.parent));
    }
  };
  // Calls visit(node, its slot) for all open ones of this lane.
  const auto each_open = [&](auto visit) {
    UNROLL
    for (unsigned k = 0; k < held; ++k)
      if (const std::uint32_t r = lane + k * lanes_each; r < opens)
        visit(my_opens[k], first_slots[list] + r);
    for (std::uint32_t r = lane + held * lanes_each; r < opens; r += lanes_each)
      visit(entry(in.open, r), first_slots[list] + r);
  };

  const auto open_slot = [&](std::uint32_t s, std::uint32_t node, std::uint32_t above) {
    Slot& slot = slots[s];
    slot.arrived = nobody;
    slot.parent = above;
    if (builds) slots.node(s) = node;
  };
  UNROLL
  for (unsigned k = 0; k < held; ++k)
    if (const std::uint32_t r = lane + k * lanes_each; r < opens)
      open_slot(first_slots[list] + r, my_opens[k].node, above_opens[k]);
  for (std::uint32_t r = lane + held * lanes_each; r < opens; r += lanes_each) {
    const Link node = entry(in.open, r);
    open_slot(first_slots[list] + r, node.node, slot_of(node.parent));
  }
  __syncthreads();

  // As in a tile: the roots arrive, and the first leaves its box.
  each_root([&](const Link& root, std::uint32_t above) {
    if (above != Slot::nowhere && slots.arrive(above, root.node) == nobody)
      slots[above].put(bvh.nodes[root.node].box());
  });
  __syncthreads();
  // Those that came second climb on.
  const auto link = [&](std::uint32_t s, std::uint32_t a, std::uint32_t b) {
    BvhNode& node = bvh.nodes[slots.node(s)];
    const bool in_order = place_of(bvh, a) < place_of(bvh, b);
    node.left = in_order ? a : b;
    node.right = in_order ? b : a;
  };
  each_root([&](const Link& root, std::uint32_t above) {
    if (above == Slot::nowhere) return;
    const std::uint32_t sibling = load_relaxed(&slots[above].arrived);
    if (sibling == root.node) return;
    if (builds) link(above, root.node, sibling);
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
      if (builds) link(above, slots.node(me), is_slot ? slots.node(other & ~Slot::is_slot) : other);
      box = merge(box, slots[is_slot ? other & ~Slot::is_slot : above].box());
    }
  });
  __syncthreads();

  const Left left{out, ranks, shared.root_count, shared.open_count};
  const auto is_open = [&](std::uint32_t s) {
    return s == Slot::nowhere || !slots[s].is_finished();
  };
  each_root([&](const Link& root, std::uint32_t above) {
    if (is_open(above)) left.add_root(root);
  });
  __syncthreads();  // from here on ranks change
  each_open([&](const Link& node, std::uint32_t s) {
    const Slot& slot = slots[s];
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

// The launches that follow the tiles: groups of tiles, groups of groups, until one block has all.
class Climb {
 public:
  Climb(const Bvh& bvh, bool builds, Scratch& scratch) : bvh_(bvh) {
    const std::uint32_t tiles = ceil_div(bvh.capacity, tile);
    for (std::uint32_t lists = tiles;; lists = ceil_div(lists, of(lists))) {
      rests_[launches_++] = Rest::take(scratch, lists);
      if (lists == 1) break;
    }
    ranks_ = scratch.take<std::uint32_t>(bvh.capacity);
    // The first launch over groups has the most of them; one block of the last may have more slots.
    const std::size_t narrow = std::size_t{ceil_div(tiles, NarrowGroup::lists)};
    const std::size_t slots =
        tiles == 1 ? 0
                   : std::max<std::size_t>(narrow * NarrowGroup::most_slots, WideGroup::most_slots);
    spilled_ = scratch.take<Slot>(slots);
    nodes_spilled_ = scratch.take<std::uint32_t>(builds ? slots : 0);
  }

  // What the tiles leave.
  const Rest& of_tiles() const { return rests_[0]; }
  std::uint32_t* ranks() const { return ranks_; }

  template <bool builds>
  void run(Stream& stream) const {
    unsigned shift = std::countr_zero(tile);
    std::uint32_t lists = ceil_div(bvh_.capacity, tile);
    for (unsigned l = 1; l < launches_; ++l) {
      const std::uint32_t together = of(lists);
      if (together == NarrowGroup::lists)
        run_groups<NarrowGroup, builds>(stream, lists, shift, l);
      else
        run_groups<WideGroup, builds>(stream, lists, shift, l);
      lists = ceil_div(lists, together);
      shift += std::countr_zero(together);
    }
  }

 private:
  // How many of the lists make a group.
  static constexpr std::uint32_t of(std::uint32_t lists) {
    return lists > NarrowGroup::lists && lists <= WideGroup::lists ? WideGroup::lists
                                                                   : NarrowGroup::lists;
  }
  template <class Group, bool builds>
  void run_groups(Stream& stream, std::uint32_t lists, unsigned shift, unsigned l) const {
    launch(
        stream, KERNEL(groups_kernel<Group, builds>),
        Shape(ceil_div(lists, Group::lists), Group::threads, sizeof(GroupStorage<Group, builds>)),
        bvh_, lists, shift, rests_[l - 1], rests_[l], ranks_, spilled_, nodes_spilled_);
  }

  Bvh bvh_;
  Rest rests_[std::bit_width(1U << 30U)];
  unsigned launches_ = 0;
  std::uint32_t* ranks_;
  Slot* spilled_;
  std::uint32_t* nodes_spilled_;
};

}  // namespace warpview::WARPVIEW_BACKEND::treelets
