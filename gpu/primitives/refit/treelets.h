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
  std::uint32_t node = nobody;
  std::uint32_t parent = Bvh::no_node;
};

struct alignas(16) Root {
  Vec3 min;
  std::uint32_t node;
  Vec3 max;
  std::uint32_t parent;

  __device__ static Root nobodys() { return {{}, nobody, {}, Bvh::no_node}; }
  __device__ Aabb box() const { return {min, max}; }
};

// What each tile or group leaves, in any order: the roots of its largest finished trees; and its
// open nodes, which bear the number of one of its leaves. ranks[node] is an open node's place in
// its list.
struct Rest {
  // The parents of these roots lie on two paths down from the tree's root, to the first leaf here
  // and to the last. So do the open nodes.
  static constexpr std::uint32_t most = 2 * Bvh::longest_path;
  // So many entries of a list are always written, those behind its last one as nobody's: who reads
  // them need not wait for the list's length. Few lists are longer. Of the roots among them the
  // boxes stand here, too: one by one they would be read from all over the tree.
  static constexpr std::uint32_t always = 32;

  std::uint32_t* root_counts;
  std::uint32_t* open_counts;
  Root* first_roots;  // [always] of each tile
  Link* roots;        // [most], the first ones, too
  Link* open;         // likewise

  static Rest take(Scratch& scratch, std::uint32_t lists) {
    const std::size_t links = std::size_t{lists} * most;
    return {scratch.take<std::uint32_t>(lists, "root_counts"),
            scratch.take<std::uint32_t>(lists, "open_counts"),
            scratch.take<Root>(std::size_t{lists} * always, "first_roots"),
            scratch.take<Link>(links, "roots"), scratch.take<Link>(links, "open")};
  }
};

// What this block leaves: the lists' lengths are counted in shared memory.
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
  // By all threads, after a barrier.
  __device__ void finish() const {
    const std::uint32_t me = threadIdx.x;
    if (me == 0) {
      rest.root_counts[blockIdx.x] = roots;
      rest.open_counts[blockIdx.x] = open;
    }
    if (me >= Rest::always) return;
    if (me >= roots) rest.first_roots[blockIdx.x * Rest::always + me] = Root::nobodys();
    if (me >= open) rest.open[blockIdx.x * Rest::most + me] = Link();
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

// The roots that a tile leaves, as they are found: by their places in it, the leaves' behind the
// inner nodes'.
struct TileRoots {
  std::uint16_t places[2 * tile < Rest::most ? 2 * tile : Rest::most];

  __device__ void add(std::uint32_t& count, std::uint32_t place) {
    places[atomicAdd(&count, 1U)] = static_cast<std::uint16_t>(place);
  }
  // By all threads, after a barrier.
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

// By 16 bytes.
__device__ inline void store_node(BvhNode* out, const BvhNode& node) {
  auto* halves = reinterpret_cast<Half*>(out);
  halves[0] = {node.min, node.left};
  halves[1] = {node.max, node.right};
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

// An open node of a group. Ten words: with eight, eight of neighbouring lanes would meet in a bank.
struct Slot {
  static constexpr std::uint32_t nowhere = 0x7fffffffU;  // no slot of this group
  static constexpr std::uint32_t is_slot = 0x80000000U;  // beside the number of one

  Vec3 min;
  Vec3 max;
  std::uint32_t node;
  std::uint32_t parent;  // its slot
  // Its children, a slot or else the number of a root: who arrived first, and who made the node.
  std::uint32_t first;
  std::uint32_t second;

  __device__ Aabb box() const { return {min, max}; }
  __device__ void put(const Aabb& box) {
    min = box.min;
    max = box.max;
  }
  __device__ bool is_finished() const { return second != nobody; }
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
  static_assert(lanes * held <= Rest::always && Rest::always <= threads);
  static_assert(most_slots <= 0x10000U);  // 16 bits for the number of one
};
using NarrowGroup = Group<tile_extent(32U, 4U), 16, 2, tile_extent(768U, 3U)>;
// For the last launch, where it spares one: of 64 KiB, which AMD's GPUs have for a block.
using WideGroup = Group<tile_extent(128U, 8U), 8, 3, tile_extent(1500U, 6U)>;

// Shared memory of groups_kernel.
template <class Group>
struct GroupStorage {
  Slot slots[Group::room];
  std::uint32_t first_slots[Group::lists];
  std::uint16_t climbers[Group::room];  // slots above two roots
  std::uint32_t climber_count;
  std::uint32_t slot_count;
  std::uint32_t root_count;
  std::uint32_t open_count;
  block::SumStorage<Group::threads> sum;
};
static_assert(sizeof(GroupStorage<WideGroup>) <= 64U * 1024);

// In global memory, for each group: what shared memory has no room for.
struct Spilled {
  Slot* slots;
  std::uint16_t* climbers;

  static Spilled take(Scratch& scratch, std::size_t most) {
    return {scratch.take<Slot>(most, "slots"), scratch.take<std::uint16_t>(most, "climbers")};
  }
  __device__ Spilled behind(std::size_t first) const { return {slots + first, climbers + first}; }
};

// The slots of a group and those of them that climb. Without `spills` all are in shared memory, and
// the compiler knows that.
template <class Group, bool spills>
struct Slots {
  GroupStorage<Group>& here;
  Spilled spilled;  // of this group

  __device__ Slot& operator[](std::uint32_t s) const {
    return !spills || s < Group::room ? here.slots[s] : spilled.slots[s];
  }
  __device__ std::uint16_t& climber(std::uint32_t c) const {
    return !spills || c < Group::room ? here.climbers[c] : spilled.climbers[c];
  }
  // Gives who arrived there first, or nobody.
  __device__ std::uint32_t arrive(std::uint32_t s, std::uint32_t child) const {
    return !spills || s < Group::room ? atomicCAS(&here.slots[s].first, nobody, child)
                                      : atomicCAS(&spilled.slots[s].first, nobody, child);
  }
};

// Where the node above an entry stands: its list in this group, and its rank there.
struct Place {
  static constexpr std::uint32_t nowhere = nobody;  // not in this group

  std::uint32_t bits = nowhere;

  __device__ std::uint32_t slot(const std::uint32_t* first_slots) const {
    return bits == nowhere ? Slot::nowhere : first_slots[bits >> 16] + (bits & 0xffffU);
  }
};

// The same for groups of the `lists` tiles or groups of the launch before, whose open nodes'
// numbers have `shift` bits within a list: the roots climb over the open nodes. `spilled` has
// Group::most_slots of each kind for each group.
template <class Group>
__global__ void RESIDENT_BLOCKS(Group::threads, 1)
    groups_kernel(Bvh bvh, std::uint32_t lists, unsigned shift, Rest in, Rest out,
                  std::uint32_t* ranks, Spilled spilled) {
  constexpr unsigned lanes_each = Group::lanes;
  constexpr unsigned held = Group::held;
  LARGE_SHARED(GroupStorage<Group>, shared);
  if (threadIdx.x == 0) shared.climber_count = shared.root_count = shared.open_count = 0;
  wait_for_launch_before();
  let_launch_behind_begin();

  // Twice it waits for loads: of what the lists hold, and of the ranks of the nodes above these.
  const std::uint32_t first_list = blockIdx.x * Group::lists;
  const std::uint32_t list = threadIdx.x / lanes_each;
  const std::uint32_t lane = threadIdx.x % lanes_each;
  const bool has_list = first_list + list < lists;
  const std::size_t mine = first_list + list;
  const std::uint32_t roots = has_list ? in.root_counts[mine] : 0;
  const std::uint32_t opens = has_list ? in.open_counts[mine] : 0;
  Root my_roots[held];
  Link my_opens[held];
  UNROLL
  for (unsigned k = 0; k < held; ++k) {
    const std::uint32_t r = lane + k * lanes_each;
    my_roots[k] = has_list ? in.first_roots[mine * Rest::always + r] : Root::nobodys();
    my_opens[k] = has_list ? in.open[mine * Rest::most + r] : Link();
  }

  // Loads a rank for a place in the list that the node is of, if it is here.
  const auto list_of = [&](std::uint32_t node) { return (node - (first_list << shift)) >> shift; };
  const auto rank = [&](std::uint32_t node) {
    return node != Bvh::no_node && list_of(node) < Group::lists ? ranks[node] : nobody;
  };
  const auto place = [&](std::uint32_t node, std::uint32_t rank_there) -> Place {
    return {rank_there == nobody ? Place::nowhere : list_of(node) << 16 | rank_there};
  };
  std::uint32_t ranks_above_roots[held];
  std::uint32_t ranks_above_opens[held];
  UNROLL
  for (unsigned k = 0; k < held; ++k) {
    ranks_above_roots[k] = rank(my_roots[k].parent);
    ranks_above_opens[k] = rank(my_opens[k].parent);
  }

  const std::uint32_t before =
      block::exclusive_sum(lane == lanes_each - 1 ? opens : 0, shared.sum).before;
  if (lane == lanes_each - 1) shared.first_slots[list] = before;
  if (threadIdx.x == Group::threads - 1) shared.slot_count = before + opens;
  __syncthreads();

  const auto fit = [&](const auto& slots) {
    const auto open_slot = [&](std::uint32_t r, std::uint32_t node, Place above) {
      Slot& slot = slots[shared.first_slots[list] + r];
      slot.node = node;
      slot.parent = above.slot(shared.first_slots);
      slot.first = slot.second = nobody;
    };
    UNROLL
    for (unsigned k = 0; k < held; ++k)
      if (my_opens[k].node != nobody)
        open_slot(lane + k * lanes_each, my_opens[k].node,
                  place(my_opens[k].parent, ranks_above_opens[k]));
    for (std::uint32_t r = lane + held * lanes_each; r < opens; r += lanes_each) {
      const Link open = in.open[mine * Rest::most + r];
      open_slot(r, open.node, place(open.parent, rank(open.parent)));
    }
    __syncthreads();

    // Calls visit(root, its box, the slot above it) for all of this lane.
    const auto each_root = [&](auto visit) {
      UNROLL
      for (unsigned k = 0; k < held; ++k)
        if (my_roots[k].node != nobody)
          visit(Link{my_roots[k].node, my_roots[k].parent}, my_roots[k].box(),
                place(my_roots[k].parent, ranks_above_roots[k]).slot(shared.first_slots));
      for (std::uint32_t r = lane + held * lanes_each; r < roots; r += lanes_each) {
        const Link root = in.roots[mine * Rest::most + r];
        visit(root, bvh.nodes[root.node].box(),
              place(root.parent, rank(root.parent)).slot(shared.first_slots));
      }
    };

    // As in a tile: the roots arrive, and the first leaves its box. Once all have, the second makes
    // the node, from which the climb goes on: a thread for each, all at once.
    each_root([&](const Link& root, const Aabb& box, std::uint32_t above) {
      if (above != Slot::nowhere && slots.arrive(above, root.node) == nobody) slots[above].put(box);
    });
    __syncthreads();
    each_root([&](const Link& root, const Aabb& box, std::uint32_t above) {
      if (above == Slot::nowhere || load_relaxed(&slots[above].first) == root.node) return;
      slots[above].put(merge(box, slots[above].box()));
      slots[above].second = root.node;
      slots.climber(atomicAdd(&shared.climber_count, 1U)) = static_cast<std::uint16_t>(above);
    });
    __syncthreads();
    for (std::uint32_t c = threadIdx.x; c < shared.climber_count; c += Group::threads) {
      std::uint32_t me = slots.climber(c);
      std::uint32_t above = slots[me].parent;
      Aabb box = slots[me].box();
      while (above != Slot::nowhere) {
        __threadfence_block();  // release: my box before my arrival
        const std::uint32_t other = slots.arrive(above, me | Slot::is_slot);
        if (other == nobody) break;
        __threadfence_block();  // acquire: the sibling's box after its arrival
        // A root's box is where it arrived.
        const bool is_slot = (other & Slot::is_slot) != 0;
        box = merge(box, slots[is_slot ? other & ~Slot::is_slot : above].box());
        slots[above].put(box);
        slots[above].second = me | Slot::is_slot;
        me = above;
        above = slots[me].parent;
      }
    }
    __syncthreads();

    // The last launch leaves nothing.
    const bool is_last = gridDim.x == 1;
    const Left left{out, ranks, shared.root_count, shared.open_count};
    const auto is_open = [&](std::uint32_t s) {
      return s == Slot::nowhere || !slots[s].is_finished();
    };
    if (!is_last)
      each_root([&](const Link& root, const Aabb& box, std::uint32_t above) {
        if (is_open(above)) left.add_root(root, box);
      });
    if (!is_last) __syncthreads();  // from here on ranks change
    const auto number = [&](std::uint32_t child) {
      return (child & Slot::is_slot) != 0 ? slots[child & ~Slot::is_slot].node : child;
    };
    for (std::uint32_t s = threadIdx.x; s < shared.slot_count; s += Group::threads) {
      const Slot slot = slots[s];
      if (slot.is_finished())
        store_node(bvh.nodes + slot.node,
                   join(bvh, slot.box(), number(slot.first), number(slot.second)));
      if (is_last) continue;
      const Link link{slot.node, bvh.parent[slot.node]};
      if (!slot.is_finished())
        left.add_open(link);
      else if (is_open(slot.parent) && link.parent != Bvh::no_node)
        left.add_root(link, slot.box());
    }
    if (is_last) return;
    __syncthreads();
    left.finish();
  };
  const Spilled of_group = spilled.behind(std::size_t{blockIdx.x} * Group::most_slots);
  if (shared.slot_count <= Group::room)
    fit(Slots<Group, false>{shared, of_group});
  else
    fit(Slots<Group, true>{shared, of_group});
}

// The launches that follow the tiles: groups of tiles, groups of groups, until one block has all.
class Climb {
 public:
  Climb(const Bvh& bvh, Scratch& scratch) : bvh_(bvh) {
    const std::uint32_t tiles = ceil_div(bvh.capacity, tile);
    for (std::uint32_t lists = tiles;; lists = ceil_div(lists, of(lists))) {
      rests_[launches_++] = Rest::take(scratch, lists);
      if (lists == 1) break;
    }
    ranks_ = scratch.take<std::uint32_t>(bvh.capacity, "ranks");
    // The first launch over groups has the most of them; one block of the last may have more slots.
    const std::size_t narrow = std::size_t{ceil_div(tiles, NarrowGroup::lists)};
    const std::size_t slots =
        tiles == 1 ? 0
                   : std::max<std::size_t>(narrow * NarrowGroup::most_slots, WideGroup::most_slots);
    spilled_ = Spilled::take(scratch, slots);
  }

  // What the tiles leave.
  const Rest& of_tiles() const { return rests_[0]; }
  std::uint32_t* ranks() const { return ranks_; }

  void run(Stream& stream) const {
    unsigned shift = std::countr_zero(tile);
    std::uint32_t lists = ceil_div(bvh_.capacity, tile);
    for (unsigned l = 1; l < launches_; ++l) {
      const std::uint32_t together = of(lists);
      if (together == NarrowGroup::lists)
        run_groups<NarrowGroup>(stream, lists, shift, l);
      else
        run_groups<WideGroup>(stream, lists, shift, l);
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
  template <class Group>
  void run_groups(Stream& stream, std::uint32_t lists, unsigned shift, unsigned l) const {
    launch_early(stream, KERNEL(groups_kernel<Group>),
                 Shape(ceil_div(lists, Group::lists), Group::threads, sizeof(GroupStorage<Group>)),
                 bvh_, lists, shift, rests_[l - 1], rests_[l], ranks_, spilled_);
  }

  Bvh bvh_;
  Rest rests_[std::bit_width(1U << 30U)];
  unsigned launches_ = 0;
  std::uint32_t* ranks_;
  Spilled spilled_;
};

}  // namespace warpview::WARPVIEW_BACKEND::treelets
