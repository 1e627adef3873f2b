// The launches that join the treelets of tiles: groups of tiles, groups of groups, until one block
// has all.
#pragma once

#include <algorithm>
#include <bit>

#include "gpu/block/scan.h"
#include "gpu/primitives/refit/treelets.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::treelets {

// An open node of a group. Ten words: with eight, eight neighbouring lanes would share a bank.
struct Slot {
  static constexpr std::uint32_t nowhere = 0x7fffffffU;  // no slot of this group
  static constexpr std::uint32_t is_slot = 0x80000000U;  // flag beside a slot's index

  Vec3 min;
  Vec3 max;
  std::uint32_t node;
  std::uint32_t parent;  // its parent's slot
  // Its children, each a slot or the index of a root: the first to arrive, and the one that made
  // it.
  std::uint32_t first;
  std::uint32_t second;

  __device__ Aabb box() const { return {min, max}; }
  __device__ void put(const Aabb& box) {
    min = box.min;
    max = box.max;
  }
  __device__ bool is_finished() const { return second != none; }
};

// A block's work on a group: `lists` tiles, or groups of the launch before; `lanes` that share a
// list, with the entries round-robin; slots in shared memory for `room` open nodes. A lane keeps
// the first `held` of its entries in registers, with all their loads in flight together: one after
// another they would dominate a group's time. The rest of longer lists it reads whenever it needs
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
  static_assert(most_slots <= 0x10000U);  // 16 bits for the index of a slot
};
using NarrowGroup = Group<tile_extent(32U, 4U), 16, 2, tile_extent(768U, 3U)>;
// For the last launch, where it saves one launch: 64 KiB, the limit per block of AMD's GPUs.
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

// The part of each group that does not fit into shared memory, in global memory.
struct Spilled {
  Slot* slots;
  std::uint16_t* climbers;

  static Spilled take(Scratch& scratch, std::size_t most) {
    return {scratch.take<Slot>(most, "slots"), scratch.take<std::uint16_t>(most, "climbers")};
  }
  __device__ Spilled from(std::size_t first) const { return {slots + first, climbers + first}; }
};

// The slots of a group, and the list of slots that climb. Without `spills` all are in shared
// memory, which the compiler then knows.
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
  // Returns the child that arrived there first, or `none`.
  __device__ std::uint32_t arrive(std::uint32_t s, std::uint32_t child) const {
    return !spills || s < Group::room ? atomicCAS(&here.slots[s].first, none, child)
                                      : atomicCAS(&spilled.slots[s].first, none, child);
  }
};

// The place of the node above an entry: its list in this group, and its rank there.
struct Place {
  static constexpr std::uint32_t nowhere = none;  // not in this group

  std::uint32_t bits = nowhere;

  __device__ std::uint32_t slot(const std::uint32_t* first_slots) const {
    return bits == nowhere ? Slot::nowhere : first_slots[bits >> 16] + (bits & 0xffffU);
  }
};

// A lane's part in a group: its share of one list.
template <class Group>
class Lane {
 public:
  // Loads, in two dependent steps: the entries of the list, then the ranks of the nodes above them.
  // `lists` and `shift` are groups_kernel's.
  __device__ Lane(const Bvh& bvh, const Rest& in, const std::uint32_t* ranks, std::uint32_t lists,
                  unsigned shift)
      : bvh_(bvh), in_(in), ranks_(ranks), shift_(shift) {
    const bool has_list = first_list_ + list < lists;
    roots_ = has_list ? in.root_counts[place_] : 0;
    opens = has_list ? in.open_counts[place_] : 0;
    UNROLL
    for (unsigned k = 0; k < held; ++k) {
      const std::uint32_t r = lane_ + k * Group::lanes;
      held_roots_[k] = has_list ? in.first_roots[place_ * Rest::always + r] : Root::unused();
      held_opens_[k] = has_list ? in.open[place_ * Rest::most + r] : Link();
    }
    UNROLL
    for (unsigned k = 0; k < held; ++k) {
      above_roots_[k] = rank(held_roots_[k].parent);
      above_opens_[k] = rank(held_opens_[k].parent);
    }
  }

  const std::uint32_t list = threadIdx.x / Group::lanes;  // within the group
  std::uint32_t opens;                                    // the list's number of open nodes

  __device__ bool is_last() const { return lane_ == Group::lanes - 1; }

  // Calls visit(its rank, its index, the place of the node above it) for each open node.
  template <class Visit>
  __device__ void each_open(const Visit& visit) const {
    UNROLL
    for (unsigned k = 0; k < held; ++k)
      if (held_opens_[k].node != none)
        visit(lane_ + k * Group::lanes, held_opens_[k].node,
              place(held_opens_[k].parent, above_opens_[k]));
    for (std::uint32_t r = lane_ + held * Group::lanes; r < opens; r += Group::lanes) {
      const Link open = in_.open[place_ * Rest::most + r];
      visit(r, open.node, place(open.parent, rank(open.parent)));
    }
  }

  // Calls visit(root, its box, the slot above it) for each root.
  template <class Visit>
  __device__ void each_root(const std::uint32_t* first_slots, const Visit& visit) const {
    UNROLL
    for (unsigned k = 0; k < held; ++k)
      if (held_roots_[k].node != none)
        visit(Link{held_roots_[k].node, held_roots_[k].parent}, held_roots_[k].box(),
              place(held_roots_[k].parent, above_roots_[k]).slot(first_slots));
    for (std::uint32_t r = lane_ + held * Group::lanes; r < roots_; r += Group::lanes) {
      const Link root = in_.roots[place_ * Rest::most + r];
      visit(root, bvh_.nodes[root.node].box(),
            place(root.parent, rank(root.parent)).slot(first_slots));
    }
  }

 private:
  static constexpr unsigned held = Group::held;

  // The node's list, to load its rank from, if the list is in this group.
  __device__ std::uint32_t list_of(std::uint32_t node) const {
    return (node - (first_list_ << shift_)) >> shift_;
  }
  __device__ std::uint32_t rank(std::uint32_t node) const {
    return node != Bvh::no_node && list_of(node) < Group::lists ? ranks_[node] : none;
  }
  __device__ Place place(std::uint32_t node, std::uint32_t rank_there) const {
    return {rank_there == none ? Place::nowhere : list_of(node) << 16 | rank_there};
  }

  const Bvh& bvh_;
  const Rest& in_;
  const std::uint32_t* ranks_;
  unsigned shift_;
  std::uint32_t first_list_ = blockIdx.x * Group::lists;
  std::uint32_t lane_ = threadIdx.x % Group::lanes;
  std::size_t place_ = first_list_ + list;  // the list's index among all lists
  std::uint32_t roots_;                     // the list's number of roots
  Root held_roots_[held];
  Link held_opens_[held];
  std::uint32_t above_roots_[held];  // ranks
  std::uint32_t above_opens_[held];
};

// 1. Assigns slots to the open nodes of a group, list by list. A barrier must follow.
template <class Group>
__device__ inline void place_lists(GroupStorage<Group>& shared, const Lane<Group>& lane) {
  const std::uint32_t before =
      block::exclusive_sum(lane.is_last() ? lane.opens : 0, shared.sum).before;
  if (lane.is_last()) shared.first_slots[lane.list] = before;
  if (threadIdx.x == Group::threads - 1) shared.slot_count = before + lane.opens;
}
template <class Group, bool spills>
__device__ inline void fill_slots(const Slots<Group, spills>& slots, const Lane<Group>& lane) {
  const std::uint32_t* const first_slots = slots.here.first_slots;
  lane.each_open([&](std::uint32_t r, std::uint32_t node, Place above) {
    Slot& slot = slots[first_slots[lane.list] + r];
    slot.node = node;
    slot.parent = above.slot(first_slots);
    slot.first = slot.second = none;
  });
}

// 2. As in a tile: the roots arrive, and the first at a node leaves its box. After a barrier the
// second makes the node and lists it.
template <class Group, bool spills>
__device__ inline void arrive(const Slots<Group, spills>& slots, const Lane<Group>& lane) {
  GroupStorage<Group>& shared = slots.here;
  lane.each_root(shared.first_slots, [&](const Link& root, const Aabb& box, std::uint32_t above) {
    if (above != Slot::nowhere && slots.arrive(above, root.node) == none) slots[above].put(box);
  });
  __syncthreads();
  lane.each_root(shared.first_slots, [&](const Link& root, const Aabb& box, std::uint32_t above) {
    if (above == Slot::nowhere || load_relaxed(&slots[above].first) == root.node) return;
    slots[above].put(merge(box, slots[above].box()));
    slots[above].second = root.node;
    slots.climber(atomicAdd(&shared.climber_count, 1U)) = static_cast<std::uint16_t>(above);
  });
}

// 3. Continues the climb from these nodes: one thread for each, all in parallel.
template <class Group, bool spills>
__device__ inline void climb(const Slots<Group, spills>& slots) {
  for (std::uint32_t c = threadIdx.x; c < slots.here.climber_count; c += Group::threads) {
    std::uint32_t me = slots.climber(c);
    std::uint32_t above = slots[me].parent;
    Aabb box = slots[me].box();
    while (above != Slot::nowhere) {
      __threadfence_block();  // release: my box before my arrival
      const std::uint32_t other = slots.arrive(above, me | Slot::is_slot);
      if (other == none) break;
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
}

// 4. Writes the finished nodes, and leaves open nodes, and nodes without a parent here, to the next
// launch; the last launch leaves nothing.
template <class Group, bool spills>
__device__ inline void leave(const Slots<Group, spills>& slots, const Lane<Group>& lane,
                             const Bvh& bvh, const Rest& out, std::uint32_t* ranks) {
  GroupStorage<Group>& shared = slots.here;
  const bool is_last = gridDim.x == 1;
  const Left left{out, ranks, shared.root_count, shared.open_count};
  const auto is_open = [&](std::uint32_t s) {
    return s == Slot::nowhere || !slots[s].is_finished();
  };
  if (!is_last)
    lane.each_root(shared.first_slots, [&](const Link& root, const Aabb& box, std::uint32_t above) {
      if (is_open(above)) left.add_root(root, box);
    });
  if (!is_last) __syncthreads();  // ranks change from here on
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
}

// Joins the trees of groups of the `lists` tiles or groups of the launch before: the roots climb
// over the open nodes. The indices of open nodes have `shift` bits within a list. `spilled` has
// Group::most_slots of each kind for each group.
template <class Group>
__global__ void RESIDENT_BLOCKS(Group::threads, 1)
    groups_kernel(Bvh bvh, std::uint32_t lists, unsigned shift, Rest in, Rest out,
                  std::uint32_t* ranks, Spilled spilled) {
  LARGE_SHARED(GroupStorage<Group>, shared);
  if (threadIdx.x == 0) shared.climber_count = shared.root_count = shared.open_count = 0;
  wait_for_launch_before();
  let_launch_behind_begin();

  const Lane<Group> lane(bvh, in, ranks, lists, shift);
  place_lists(shared, lane);
  __syncthreads();
  const auto fit = [&](const auto& slots) {
    fill_slots(slots, lane);
    __syncthreads();
    arrive(slots, lane);
    __syncthreads();
    climb(slots);
    __syncthreads();
    leave(slots, lane, bvh, out, ranks);
  };
  const Spilled of_group = spilled.from(std::size_t{blockIdx.x} * Group::most_slots);
  if (shared.slot_count <= Group::room)
    fit(Slots<Group, false>{shared, of_group});
  else
    fit(Slots<Group, true>{shared, of_group});
}

// The launches after the tiles: groups of tiles, groups of groups, until one block has all.
class Climb {
 public:
  Climb(const Bvh& bvh, Scratch& scratch) : bvh_(bvh) {
    const std::uint32_t tiles = ceil_div(bvh.capacity, tile);
    for (std::uint32_t lists = tiles;; lists = ceil_div(lists, of(lists))) {
      rests_[launches_++] = Rest::take(scratch, lists);
      if (lists == 1) break;
    }
    ranks_ = scratch.take<std::uint32_t>(bvh.capacity, "ranks");
    // The first launch over groups has the most groups; one block of the last may have more slots.
    const std::size_t narrow = std::size_t{ceil_div(tiles, NarrowGroup::lists)};
    const std::size_t slots =
        tiles == 1 ? 0
                   : std::max<std::size_t>(narrow * NarrowGroup::most_slots, WideGroup::most_slots);
    spilled_ = Spilled::take(scratch, slots);
  }

  // What the tiles leave to the groups.
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
  // The number of lists per group.
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
